package reading_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
	parse "sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// footer ends every page of a host.
const footer = "欢迎订阅本站每日早报，第一时间获取最新资讯与深度报道内容"

// arrival is a page about 股市 with paragraphs.
func arrival(t *testing.T, n int, paragraphs ...string) *reading.Arrival {
	t.Helper()
	a := arrive(t, fmt.Sprintf("http://a.test/%d", n), fmt.Sprintf("<title>股市%d</title><article><p>%s</p></article>", n, strings.Join(paragraphs, "</p><p>")))
	a.Kept = true
	return a
}

// arrive is a page that was fetched.
func arrive(t *testing.T, url, html string) *reading.Arrival {
	t.Helper()
	u, err := urlnorm.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.Parse([]byte(html), "utf-8", u)
	if err != nil {
		t.Fatal(err)
	}
	return &reading.Arrival{
		Link: frontier.Link{URL: u.String()}, URL: u, At: time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC), Text: []byte(html), Page: p,
	}
}

func article(n int) string {
	return fmt.Sprintf("股市在第%d天继续上涨，银行板块走强，成交量比前一天放大了将近两成，市场人士对后市看法不一。", n)
}

// What is known of a host is removed from a text before it is judged, and the
// document says how much that was.
func TestWithout(t *testing.T) {
	plan := newReader(t)
	var s boilerplate.Sketch
	for n := range 6 {
		s.Add(plan.Draft(arrival(t, n, article(n), footer)).Page())
	}
	learned := s.Learned()

	d := plan.Draft(arrival(t, 7, article(7), footer))
	d.Lighten()
	whole := d.Judge(d.Text())
	rd := d.Without(learned, whole)
	if rd.Document == nil {
		t.Fatalf("refused by %s: %s", rd.Rule, rd.Detail)
	}
	b := rd.Document.Boilerplate
	if rd.Document.Text != article(7) || b.Lines != 1 || b.Characters != 28 || b.Learned != learned.Version() {
		t.Errorf("text %q, boilerplate %+v", rd.Document.Text, b)
	}
	if rd.Document.Quality.Lines != 1 || whole.Document.Quality.Lines != 2 || whole.Document.Boilerplate.Lines != 0 {
		t.Errorf("quality is of %d lines, of the whole text %d", rd.Document.Quality.Lines, whole.Document.Quality.Lines)
	}

	for name, whole := range map[string]*reading.Result{"judged before": whole, "not judged yet": nil} {
		if rd := d.Without(nil, whole); rd.Document == nil || rd.Document.Text != article(7)+"\n"+footer || rd.Document.Boilerplate.Learned != "" {
			t.Errorf("%s, nothing known: %+v", name, rd)
		}
	}

	only := plan.Draft(arrival(t, 8, footer))
	if rd := only.Without(learned, nil); rd.Document != nil || rd.Verdict != ledger.Rejected || rd.Rule != boilerplate.Rule {
		t.Errorf("a page of nothing else: rule %q, verdict %q", rd.Rule, rd.Verdict)
	}
}

// A page that was kept for its text is refused if only the lines of its host are on
// the topic; one whose head is relevant, or whose text never was, is not.
func TestTextByBoilerplate(t *testing.T) {
	const line = "本站为您提供银行和股市的最新消息，欢迎订阅我们的银行和股市早报"
	weather := []string{
		"周末的气温回升，市民们纷纷到公园里散步、放风筝，孩子们也玩得很高兴。",
		"昨天夜里下了一场大雨，山区的几条公路中断，抢修的队伍今天一早出发。",
		"气象台发布大风警报，渔船已经回港避风，海上的轮渡从中午起停航。",
		"今年的第一场雪比往年来得早，郊区的果农忙着给果树裹上草绳。",
		"连续十天没有下雨，水库的水位下降，村民们每天用车拉水浇灌菜地。",
		"雾气散得很慢，机场的航班晚了两个小时，旅客们在候机楼里等待。",
		"专家说，这种云出现在冷空气到来以前，看见它的人应当多穿衣服。",
		"春天到了，河边的柳树发出新芽，游客坐着小船欣赏两岸的风景。",
	}
	for _, test := range []struct {
		name, title string
		threshold   float64
		want        string // rule; "": kept
	}{
		{"only by its lines", "通知", 0.05, reading.RuleBody},
		{"its head is relevant", "股市", 0.05, ""},
		{"a topic that was changed since", "通知", 0.9, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newReader(t)
			r.JudgeText, r.BodyThreshold = true, test.threshold
			kept := func(n int) *reading.Arrival {
				a := arrive(t, fmt.Sprintf("http://a.test/%d", n), fmt.Sprintf("<title>%s%d</title><article><p>%s</p><p>%s</p></article>", test.title, n, weather[n]+weather[(n+3)%8], line))
				a.Kept = true
				return a
			}
			var s boilerplate.Sketch
			for n := range 6 {
				s.Add(r.Draft(kept(n)).Page())
			}
			d := r.Draft(kept(7))
			rd := d.Without(s.Learned(), d.Judge(d.Text()))
			if rd.Rule != test.want || (rd.Document == nil) != (test.want != "") {
				t.Errorf("rule %q: %s", rd.Rule, rd.Detail)
			}
		})
	}
}

// With HoldAll the text of a page without any word of the topic is noted, too, and only
// that of a sample represents others.
func TestHoldAll(t *testing.T) {
	for _, all := range []bool{false, true} {
		plan := newReader(t)
		plan.JudgeText, plan.Hold, plan.HoldAll, plan.BodyThreshold = true, true, all, 0.2
		represents := map[int]int{}
		for n := range 40 {
			rd := plan.Read(arrive(t, fmt.Sprintf("http://a.test/%d", n), "<title>天气</title><article><p>"+strings.ReplaceAll(strings.ReplaceAll(article(n), "股市", "气温"), "银行", "天气")+"</p></article>"))
			if rd.Document != nil || rd.Held != all {
				t.Fatalf("held %v of a crawl that holds all: %v; %s", rd.Held, all, rd.Detail)
			}
			if rd.About != nil && rd.About.Text != "" {
				represents[rd.About.SampledOneIn]++
			}
		}
		if represents[4] == 0 || represents[1] != 0 || (represents[0] > 0) != all || all && represents[0]+represents[4] != 40 {
			t.Errorf("holds all %v: texts by how many pages they represent: %v", all, represents)
		}
	}
}
