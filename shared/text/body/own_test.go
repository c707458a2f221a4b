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
