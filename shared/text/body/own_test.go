package body

import (
	"fmt"
	"strings"
	"testing"
)

// TestShortNewsAboveOthers sets short news above the titles of other pages and the
// beginnings of three of them, too few to be told by themselves.
func TestShortNewsAboveOthers(t *testing.T) {
	titles := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, `<li><a href="/%d.html">城市要闻第%d条新闻的标题，比别的标题要长一些，所以占去两行的地方</a></li>`, i, i)
		}
		return "<ul>" + s.String() + "</ul>"
	}
	page := func(title, text string, n int) string {
		return "<title>" + title + "</title><h1>青岭市第三座跨河大桥通车</h1><div>2020-03-30 10:21 来源：青岭日报</div>" + text +
			titles(n) + "<div><p>" + para2 + "</p><p>" + para3 + "</p><p>" + para2 + para3 + "</p></div>"
	}
	for _, tt := range []struct {
		name, title, text string
		links             int
		own               bool
	}{
		{"titles of other pages between", "青岭市第三座跨河大桥通车_青岭新闻网", "<div><p>" + para1 + "</p></div>", 3, true},
		{"too few of them", "青岭市第三座跨河大桥通车_青岭新闻网", "<div><p>" + para1 + "</p></div>", 2, false},
		{"under another title", "本市今天的要闻与城市生活", "<div><p>" + para1 + "</p></div>", 3, false},
		{"in no container of its own", "青岭市第三座跨河大桥通车_青岭新闻网", para1 + "<br>", 3, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := extract(t, page(tt.title, tt.text, tt.links), "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if own := b.Text == para1; own != tt.own {
				t.Errorf("text %q", b.Text)
			}
		})
	}
}

// TestShortNewsBelowLinks sets links between the headline and short news, as to
// share it: then more titles of other pages must follow.
func TestShortNewsBelowLinks(t *testing.T) {
	const others = "<div><p>" + para2 + "</p><p>" + para3 + "</p><p>" + para2 + para3 + "</p></div>"
	for links, own := range map[int]bool{4: false, 12: true} {
		var titles strings.Builder
		for i := range links {
			fmt.Fprintf(&titles, `<li><a href="/%d.html">城市要闻第%d条新闻的标题，比别的标题要长一些，所以占去两行的地方</a></li>`, i, i)
		}
		b, err := extract(t, "<title>青岭市第三座跨河大桥通车_青岭新闻网</title><h1>青岭市第三座跨河大桥通车</h1>"+
			`<ul><li><a href="/p">打开供打印的版面</a></li></ul><div><p>`+para1+"</p></div><ul>"+titles.String()+"</ul>"+others, "http://www.example.test/a.html")
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Text == para1; got != own {
			t.Errorf("%d links: text %q", links, b.Text)
		}
	}
}

// TestNewsAboveHeadline sets the beginnings of other pages above the headline.
func TestNewsAboveHeadline(t *testing.T) {
	page := func(headline string) string {
		return "<title>青岭市第三座跨河大桥通车_青岭新闻网</title><div><p>" + para2 + "</p><p>今天 09:41</p><p>" + para3 + "</p>" +
			headline + "<p>" + para1 + "</p></div>"
	}
	for headline, want := range map[string]string{
		"<h1>青岭市第三座跨河大桥通车</h1>": para1,
		"<p>青岭市第三座跨河大桥通车</p>":   strings.Join([]string{para2, "今天 09:41", para3, "青岭市第三座跨河大桥通车", para1}, "\n"),
	} {
		b, err := Extract([]byte(page(headline)), "http://www.example.test/a.html", nil, Options{Only: MethodDensity})
		if err != nil || b.Text != want {
			t.Errorf("%s: error %v, text:\n%s", headline, err, b.Text)
		}
	}
}

// TestPoll wants nothing of a form in which readers choose answers, unless it is
// around the text.
func TestPoll(t *testing.T) {
	const question = "<h3>调查</h3><p>你怎么看第三座跨河大桥晚一个月通车？</p>" +
		`<p><input type="radio">工程质量要紧，晚一个月也不要紧，可以理解</p><p><input type="radio">已经说好的日期，就应该在那一天通车</p>`
	const text = "<p>" + para1 + "</p><p>" + para2 + "</p><p>" + para3 + "</p>"
	want := strings.Join([]string{para1, para2, para3}, "\n")
	for name, html := range map[string]string{
		"below the text":  "<div>" + text + "<form>" + question + "</form></div>",
		"around the text": `<form><p><input type="radio">标题<input type="radio">全文</p><div>` + text + "</div></form>",
	} {
		b, err := extract(t, "<title>跨河大桥</title><h1>跨河大桥</h1>"+html, "http://www.example.test/a.html")
		if err != nil || b.Text != want {
			t.Errorf("%s: error %v, text:\n%s", name, err, b.Text)
		}
	}
}

// TestParagraphAlone has paragraphs in no container but that of the page.
func TestParagraphAlone(t *testing.T) {
	const lead = "The third bridge across the river was opened to traffic yesterday, a month late."
	long := strings.Repeat("The city had waited for it since the second bridge was closed, and many people came on foot to see it. ", 4)
	menu := strings.Repeat(`<li><a href="/x">Other news of the city today</a></li>`, 30)
	page := "<title>Third bridge opened</title><ul>" + menu + "</ul><h1>Third bridge opened</h1><p>" + lead + "</p><p>" + long + "</p><ul>" + menu + "</ul>"
	b, err := Extract([]byte(page), "http://www.example.test/a.html", nil, Options{Only: MethodDensity})
	if want := lead + "\n" + strings.TrimSpace(long); err != nil || b.Text != want {
		t.Errorf("error %v, text:\n%s", err, b.Text)
	}
}

// TestReadabilityElsewhere has a page on which readability finds another text, for
// the name of the container.
func TestReadabilityElsewhere(t *testing.T) {
	const other = "大桥全长六百多米，工期两年多，是今年全市最大的工程。"
	links := "<ul>" + strings.Repeat(`<li><a href="/x">城市要闻的又一条新闻，标题比别的标题要长一些</a></li>`, 16) + "</ul>"
	page := "<title>青岭市第三座跨河大桥通车</title><div><div class=sidebarx><h1>青岭市第三座跨河大桥通车</h1><p>" + para1 + para2 + "</p><p>" + para3 + para2 + "</p><p>" + para1 + "</p></div>" +
		links + "</div><div><div class=article><p>" + flash + other + other + other + other + other + other + "</p></div></div>"
	b, err := extract(t, page, "http://www.example.test/a.html")
	if want := strings.Join([]string{para1 + para2, para3 + para2, para1}, "\n"); err != nil || b.Text != want {
		t.Errorf("error %v, text:\n%s", err, b.Text)
	}
}

// TestComments wants nothing of what readers wrote, nor of what a page tells them
// about it.
func TestComments(t *testing.T) {
	const article = "<title>跨河大桥</title><h1>跨河大桥</h1><article><p>" + para1 + "</p><p>" + para2 + "</p><p>" + para3 + "</p></article>"
	const form = `<form><legend>发表文章</legend><textarea></textarea><p>【1】留言限一百四十字以内，留言将于发送后三日内由系统自动删除。</p></form>`
	const comments = `<ul><li>2012/01/12 10:27</li><li>这座桥修得真好，以后上班可以少走半个小时的路了！</li></ul>`
	want := strings.Join([]string{para1, para2, para3}, "\n")
	for name, html := range map[string]string{
		"form":                article + "<div>" + form + "</div>",
		"form, then comments": article + "<div>" + form + comments + "</div>",
		"in an aside":         article + "<aside><h3>读者来信</h3><p>" + flash + "</p></aside>",
	} {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, html, "http://www.example.test/a.html")
			if err != nil || b.Text != want {
				t.Errorf("error %v, text:\n%s", err, b.Text)
			}
		})
	}
	t.Run("a page that is a form", func(t *testing.T) {
		b, err := extract(t, "<title>跨河大桥</title><form>"+article+"<textarea></textarea></form>", "http://www.example.test/a.html")
		if err != nil || b.Text != want {
			t.Errorf("error %v, text:\n%s", err, b.Text)
		}
	})
}
