package body

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// linked is JSON-LD of a document.
func linked(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return `<script type="application/ld+json">` + string(data) + `</script>`
}

func TestDeclaredText(t *testing.T) {
	type object = map[string]any
	whole := strings.Join([]string{para1, para2, para3}, "\n")
	article := object{"@type": "NewsArticle", "headline": "博览会", "articleBody": whole}
	marked := object{"@type": []string{"ReportageNewsArticle", "Thing"}, "articleBody": "<p>" + strings.ReplaceAll(whole, "\n", "</p><p>") + "</p><script>x()</script>"}
	short := object{"@type": "Article", "articleBody": flash}
	tests := map[string]struct {
		head, html string
		want       string // "" for ErrNoText
		method     string
	}{
		"alone":             {linked(t, article), `<div id="app"></div>`, whole, MethodLinkedData},
		"in a graph":        {linked(t, object{"@graph": []object{{"@type": "WebSite"}, article}}), "", whole, MethodLinkedData},
		"main entity":       {linked(t, object{"@type": "WebPage", "mainEntity": article}), "", whole, MethodLinkedData},
		"marked up":         {linked(t, marked), "", whole, MethodLinkedData},
		"twice the same":    {linked(t, article) + linked(t, article), "", whole, MethodLinkedData},
		"two articles":      {linked(t, []object{article, marked}), "", "", ""},
		"too short":         {linked(t, short), "", "", ""},
		"not an article":    {linked(t, object{"@type": "Product", "articleBody": whole}), "", "", ""},
		"of a list":         {linked(t, object{"@type": "ItemList", "itemListElement": []object{{"item": article}}}), "", "", ""},
		"more than is seen": {linked(t, article), "<div><p>" + flash + "</p></div>", whole, MethodLinkedData},
		"as is seen":        {linked(t, article), paragraphs(para1, para2, para3), whole, ""},
		"without scripts":   {"", "<noscript><div>" + paragraphs(para1, para2) + "</div></noscript>", para1 + "\n" + para2, MethodDensity},
		"about scripts":     {"", "<noscript><p>您的浏览器不支持JavaScript，本页面无法正常显示。请您在浏览器的设置中启用脚本，然后刷新这个页面，感谢您的理解与支持。</p></noscript>", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<html><head><title>博览会拟推迟一年举行</title>"+tt.head+"</head><body><h1>博览会拟推迟一年举行</h1>"+tt.html+"</body></html>", "http://www.example.test/a.html")
			switch {
			case tt.want == "":
				if !errors.Is(err, ErrNoText) {
					t.Errorf("text %q, error %v; want ErrNoText", b.Text, err)
				}
			case err != nil || b.Text != tt.want || tt.method != "" && b.Method != tt.method || tt.method == "" && b.Method == MethodLinkedData:
				t.Errorf("text by %s, error %v:\n%s", b.Method, err, b.Text)
			}
		})
	}
}
