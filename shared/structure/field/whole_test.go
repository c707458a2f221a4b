package field_test

import (
	"testing"

	"github.com/antchfx/htmlquery"

	"sluice/shared/structure/field"
)

// A name that a list shortens is whole in the link's title or the image's text.
func TestShortenedName(t *testing.T) {
	for name, test := range map[string]struct{ records, want string }{
		"title of the link": {"<li><a href=/1 title='Pear Mate 60 Pro'>Pear Mate 60 …</a><b>￥1</b><li><a href=/2 title='Pear Mate 60 RS'>Pear Mate 60 …</a><b>￥2</b>", "Pear Mate 60 RS"},
		"text of the image": {"<li><a href=/1><img src=/1.jpg alt='Pear Mate 60 Pro'><p>Pear Mate...</p></a><b>￥1</b><li><a href=/2><img src=/2.jpg alt='Pear Mate 60 RS'><p>Pear Mate...</p></a><b>￥2</b>", "Pear Mate 60 RS"},
		"of another record": {"<li><a href=/1 title='Pear Mate 60 Pro'>Pear Mate 60 …</a><b>￥1</b><li><a href=/2>Pear Mate 60 …</a><b>￥2</b>", "Pear Mate 60 …"},
		"another text":      {"<li><a href=/1 title='Buy now'>Pear Mate 60 …</a><b>￥1</b><li><a href=/2 title='Buy now'>Pear Mate 60 …</a><b>￥2</b>", "Pear Mate 60 …"},
		"before a slogan":   {"<li><a href=/1 title='Sweet and fresh'><em>Pear Mate</em><i>Sweet and fresh</i></a><b>￥1</b><li><a href=/2 title='Buy two'><em>Pear <font>Air</font></em><i>Buy two</i></a><b>￥2</b>", "Pear Air"},
		"not shortened":     {"<li><a href=/1 title='Pear: sweet'>Pear</a><b>￥1</b><li><a href=/2 title='Plum: sweet'>Plum</a><b>￥2</b>", "Plum"},
	} {
		t.Run(name, func(t *testing.T) {
			var records []field.Page
			for _, n := range htmlquery.Find(pageOf(t, "<ul>"+test.records+"</ul>").Root, "//li") {
				records = append(records, field.Page{Root: n, Base: base})
			}
			x, err := field.NewExtractor(load(t, "shop"), field.Analyze(load(t, "shop"), records))
			if err != nil {
				t.Fatal(err)
			}
			if got := x.Extract(records[1])["name"].Text; got != test.want {
				t.Errorf("name %q, want %q", got, test.want)
			}
		})
	}
}

// What a page of details shows is its name: another path may lead to a better one.
func TestShortenedDetail(t *testing.T) {
	page := pageOf(t, "<h1><a href=/1 title='Pear Mate 60 Pro'>Pear Mate 60 …</a></h1>")
	if got := texts(field.Analyze(load(t, "shop"), []field.Page{page}))["name"]; got != "Pear Mate 60 …" {
		t.Errorf("name %q", got)
	}
}
