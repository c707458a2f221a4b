package field_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/shared/structure/field"
)

// large is a product page of some 200 KB.
func large(n int) string {
	var b strings.Builder
	b.WriteString(product(n))
	for i := range 1100 {
		fmt.Fprintf(&b, "<div class=\"review item-%d\"><p class=author>reader%d</p><span class=date>2024-03-%02d</span><p>The sound is clear and the cable is long enough, I would buy it again. %d</p></div>\n", i%7, i, i%28+1, i*n)
	}
	return b.String()
}

func BenchmarkAnalyze(b *testing.B) {
	shop := load(b, "shop")
	var pages []field.Page
	for n := range 10 {
		pages = append(pages, pageOf(b, large(n)))
	}
	b.ReportAllocs()
	for b.Loop() {
		if found := field.Analyze(shop, pages); len(found) < 5 {
			b.Fatalf("found %+v", found)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	shop := load(b, "shop")
	p := pageOf(b, large(4))
	x, err := field.NewExtractor(shop, field.Analyze(shop, []field.Page{pageOf(b, product(0)), pageOf(b, product(1)), pageOf(b, product(2))}))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if values := x.Extract(p); values["price"].Text != "￥904.50" {
			b.Fatalf("read %+v", values)
		}
	}
}
