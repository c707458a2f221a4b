package body

import (
	"strings"
	"testing"
	"time"

	"sluice/shared/web/page"
)

// TestHiddenUntilScriptsRun wants the text of pages that hide it until their script has
// run, and of others only what is not hidden.
func TestHiddenUntilScriptsRun(t *testing.T) {
	const notice, terms = "<p>点击上方蓝字关注我们</p>", "<p>用户在使用本服务之前，应当仔细阅读以下条款。</p>"
	all := para1 + "\n" + para2
	text := paragraphs(para1, para2)
	for name, page := range map[string]string{
		"text":           `<h1>博览会推迟</h1><p>2020-03-30 10:21</p>` + notice + `<div style="visibility: hidden; opacity: 0;">` + text + `</div>`,
		"body":           `<body style="display:none"><h1>博览会推迟</h1><p>2020-03-30 10:21</p>` + text,
		"less than half": `<h1>博览会推迟</h1><p>2020-03-30 10:21</p><div>` + text + `</div><div style="visibility:hidden">` + terms + `</div>`,
		"terms in a box": `<h1>博览会推迟</h1><p>2020-03-30 10:21</p><div>` + text + `</div><div style="display:none">` + strings.Repeat(terms, 9) + `</div>`,
	} {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<title>博览会推迟</title>"+page, "http://www.example.test/a.html")
			if err != nil || b.Text != all || b.PublishedText != "2020-03-30 10:21" {
				t.Errorf("error %v, date %q, text:\n%s", err, b.PublishedText, b.Text)
			}
		})
	}
}

// TestHiddenWithoutText bounds the work on a page of hidden elements without text.
func TestHiddenWithoutText(t *testing.T) {
	tree, err := page.Tree([]byte(strings.Repeat(`<p style=visibility:hidden>`, page.MaxElements-10)))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	layOut(tree)
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %s", took)
	}
}
