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
