package structure

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestModel(t *testing.T) {
	parse := func(markup string) *html.Node {
		root, err := html.Parse(strings.NewReader(markup))
		if err != nil {
			t.Fatal(err)
		}
		return root
	}
	page := func(heading, pager string, items ...string) string {
		var b strings.Builder
		for _, i := range items {
			b.WriteString("<li><a href=/" + i + ">Fine " + i + "</a> <b>$9.50</b> <i>in stock, sent today</i></li>")
		}
		return "<nav>Home Help</nav><h1>" + heading + "</h1><ul class=goods>" + b.String() + "</ul><p>" + pager + "</p><footer>The shop</footer>"
	}
	path, err := ParsePath("//ul[@class='goods']/li")
	if err != nil {
		t.Fatal(err)
	}
	model := NewModel(parse(page("Lamps", "Page 1 of 6", "a", "b", "c", "d")), path, 1)
	for name, tt := range map[string]struct {
		markup string
		want   int
	}{
		"the last page":               {page("Lamps", "Page 6 of 6", "z"), 1},
		"a list of another category":  {page("Rugs", "Page 1 of 1", "x", "y"), 2},
		"a product with others":       {page("Fine lamp", "It is made by hand in our workshop, and lasts for many years.", "a", "b"), 0},
		"a terse product with others": {page("Fine lamp of brass, 40 cm, with cord", "Only $12.50", "a"), 0},
		"a page without records":      {page("Lamps", "Page 7 of 6"), 0},
	} {
		if got := len(model.Records(parse(tt.markup))); got != tt.want {
			t.Errorf("%s: %d records, want %d", name, got, tt.want)
		}
	}
}
