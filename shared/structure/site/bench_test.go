package site

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// shelf is a page of a shop of some 180 KB, with 330 products.
func shelf(page int) string {
	brands := []string{"Acme", "Globex", "Umbra", "Vandelay", "Stark"}
	var b strings.Builder
	b.WriteString(`<!doctype html><title>Phones - Shop</title><h1>Phones</h1><ul class="goods">`)
	for i := range 330 {
		n := 330*page + i
		fmt.Fprintf(&b, `<li class="item item-%d"><a class="pic" href="/product/%d.html"><img src="/img/%[2]d.jpg" alt="Phone %[2]d"></a>
<p class="name"><a href="/product/%[2]d.html" title="Phone model %[2]d Pro Max with 256 GB of memory">Phone model %[2]d Pro Max with 256 GB of memory</a></p>
<span class="price"><em>￥</em>%[3]d.00</span> <del class="old">￥%[4]d.00</del> <span class="brand">%[5]s</span> <span class="comments">%[6]d reviews</span>
<button class="btn">Add to cart</button></li>`, n%7, n, 100+n*7%9000, 10_000+n*3%9000, brands[n%5], n*11%5000)
	}
	b.WriteString(`</ul><div class="pager"><a href="?page=2">2</a><a href="?page=3">3</a></div>`)
	return b.String()
}

// A new site is learned from ten of its lists.
func BenchmarkLearnLists(b *testing.B) {
	shop, err := template.Load("shop")
	if err != nil {
		b.Fatal(err)
	}
	base, err := url.Parse("http://shop.test/list")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var pages []Sample
		for i := range 10 {
			root, err := html.Parse(strings.NewReader(shelf(i)))
			if err != nil {
				b.Fatal(err)
			}
			pages = append(pages, Sample{Page: field.Page{Root: root, Base: base}, Layer: structure.ListLayer, Lists: Lists(shop, structure.Analyze(root, nil).Lists, base)})
		}
		found := Fields(shop, pages)
		if l := Learn("shop.test", shop, "shop", pages, found).Layers[structure.ListLayer]; len(l.Fields) < 6 || l.Fields["price"].XPath == "" {
			b.Fatalf("learned %+v", l)
		}
	}
}
