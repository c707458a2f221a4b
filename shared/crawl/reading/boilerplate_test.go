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
