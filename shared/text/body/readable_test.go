package body

import (
	"strings"
	"testing"

	"sluice/shared/web/page"
)

// go-readability compares every heading with the title, word by word.
func TestReadabilityIsBounded(t *testing.T) {
	news := "<h1>博览会拟推迟一年举行</h1>" + paragraphs(para1, para2, para3)
	long := strings.Repeat("很长的标题 ", 20_000)
	for name, tt := range map[string]struct {
		html string
		read bool
	}{
		"news":                      {news, true},
		"a long title":              {"<title>" + long + "</title>" + news, true},
		"many headings":             {strings.Repeat("<h2>小标题</h2>", 1_000) + news, true},
		"both":                      {"<title>" + long + "</title>" + strings.Repeat("<h2>小标题</h2>", 1_000) + news, false},
		"a long title of a meta":    {`<meta property="og:title" content="` + long + `">` + strings.Repeat("<h2>小标题</h2>", 1_000) + news, false},
		"a long heading among many": {"<h1>" + long + "</h1>" + strings.Repeat("<h2>小标题</h2>", 1_000) + news, false},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := page.Tree([]byte(tt.html))
			if err != nil {
				t.Fatal(err)
			}
			if read := titleWork(doc) <= maxTitleWork; read != tt.read {
				t.Errorf("titleWork %d: read %v, want %v", titleWork(doc), read, tt.read)
			}
			if blocks := readability(doc, "http://www.example.test/a.html"); (len(blocks) > 0) != tt.read {
				t.Errorf("%d blocks", len(blocks))
			}
		})
	}
}

// Where density finds nothing, readability is asked unless nothing on the page can be a text.
func TestDoubtsOfNothing(t *testing.T) {
	links := strings.Repeat(`<li><a href="/n/1.shtml">另一条新闻的标题，与本文没有关系</a></li>`, 20)
	for name, tt := range map[string]struct {
		html  string
		doubt bool
	}{
		"links":                {links, false},
		"links and labels":     {"<h3>相关阅读</h3>" + links + "<div>上一页</div>", false},
		"a line":               {links + "<div>博览会拟推迟一年举行</div>", true},
		"a short sentence":     {links + "<div>推迟，一年</div>", true},
		"links and a video":    {links + `<video src="/v.mp4"></video>`, true},
		"a line of a colophon": {links + "<div>版权声明 Copyright ©1999-2020 新闻网 All Rights Reserved</div>", false},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := page.Tree([]byte(tt.html))
			if err != nil {
				t.Fatal(err)
			}
			l := layOut(doc)
			defer l.free()
			if doubt := l.doubts(nil); doubt != tt.doubt {
				t.Errorf("doubts %v, want %v", doubt, tt.doubt)
			}
		})
	}
}
