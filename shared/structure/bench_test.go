package structure

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// shopPage writes a page of about 200 KB: menus, facets, products and a foot.
func shopPage(products int) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html><body><div class="nav"><ul>`)
	for i := range 80 {
		fmt.Fprintf(&b, `<li class="cat cat-%d"><a href="/c/%d">Category %d</a></li>`, i, i, i)
	}
	b.WriteString(`</ul></div><div id="wrap"><div class="facets">`)
	for i := range 40 {
		fmt.Fprintf(&b, `<a href="/f/%d"><i></i>Brand %d</a>`, i, i)
	}
	b.WriteString(`</div><ul class="goods-list">`)
	for i := range products {
		odd := []string{"odd", "even"}[i%2]
		fmt.Fprintf(&b, `<li class="gl-item %s" data-sku="%d"><div class="p-img"><a href="/item/%d.html"><img src="/img/%d.jpg" alt=""></a></div>
<div class="p-price"><strong><em>￥</em><i>%d.00</i></strong></div><div class="p-name"><a href="/item/%d.html"><em>Product number %d with a name of some length</em></a></div>
<div class="p-commit"><strong>%d reviews</strong></div><div class="p-shop"><span><a href="/shop/%d">Shop %d</a></span></div>`, odd, i, i, i, 10+i, i, i, 3*i, i%7, i%7)
		if i%3 == 0 {
			b.WriteString(`<div class="p-icons"><i class="goods-icons">Self</i><i class="goods-icons">Sale</i></div>`)
		}
		b.WriteString("</li>\n")
	}
	b.WriteString(`</ul></div><div class="footer"><p>Copyright</p></div></body></html>`)
	return b.String()
}

func parse(tb testing.TB, page string) *html.Node {
	tb.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		tb.Fatal(err)
	}
	return root
}

// The analysis of a new site takes ten pages of 200 KB.
func BenchmarkAnalyze(b *testing.B) {
	page := shopPage(330)
	root := parse(b, page)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if len(Analyze(root, nil).Lists) == 0 {
			b.Fatal("no list")
		}
	}
}

func BenchmarkSelect(b *testing.B) {
	root := parse(b, shopPage(330))
	list := Analyze(root, nil).Lists[0]
	path, err := ParsePath(list.RecordXPath)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if len(path.Select(root)) != 330 {
			b.Fatal("not all records")
		}
	}
}
