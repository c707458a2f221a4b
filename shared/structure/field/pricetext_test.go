package field_test

import (
	"fmt"
	"testing"

	"github.com/antchfx/htmlquery"

	"sluice/shared/structure/field"
)

// The pieces of a price are joined, also where its cents have no point, and none of them
// is the name of the product.
func TestPriceInPieces(t *testing.T) {
	shop := load(t, "shop")
	for name, form := range map[string]string{
		"superscript":         "<span class=price>¥<b>%d</b><sup>%02d</sup></span>",
		"in a text":           "<div>$%d<sup>%02d</sup></div>",
		"signs in one":        "<div><sup>$</sup>%d<sup>%02d</sup></div>",
		"with a point":        "<p>¥%d<small>.%02d</small></p>",
		"with a comma":        "<span class=price>%d<sup>,%02d €</sup></span>",
		"the sign behind":     "<span class=price>%d<sup>%02d</sup> €</span>",
		"spans":               "<div class=price><span>¥</span> <span>%d</span><span>.</span><span>%02d</span></div>",
		"called cents":        "<div><span>US$</span><span>%d</span><span class=price-cents>%02d</span></div>",
		"behind a label":      "<p><span>价格：</span><em>￥</em><strong>%d</strong><sup>%02d</sup></p>",
		"in place of another": "<div class=price>¥<b>%d</b><sup>%02d</sup> <del>¥2999<sup>00</sup></del></div>",
		"beside a footnote":   "<p>¥%d.%02d<sup>12</sup></p>",
	} {
		t.Run(name, func(t *testing.T) {
			var records []field.Page
			for n := range 4 {
				root := pageOf(t, fmt.Sprintf("<div><a href=/p%d><img src=/%[1]d.jpg></a>%s<a href=/p%[1]d>Pear %[1]d</a></div>", n, fmt.Sprintf(form, 100*n+9, 90+n))).Root
				records = append(records, field.Page{Root: htmlquery.FindOne(root, "//div[1]"), Base: base})
			}
			x, err := field.NewExtractor(shop, field.Analyze(shop, records))
			if err != nil {
				t.Fatal(err)
			}
			for n, r := range records {
				v := x.Extract(r)
				if price := v["price"].Amount; price == nil || *price != float64(10000*n+990+n)/100 || v["name"].Text != fmt.Sprint("Pear ", n) {
					t.Errorf("record %d is %+v", n, v)
				}
			}
		})
	}
}

// The cells of thousands may stand apart.
func TestThousandsInPieces(t *testing.T) {
	p := pageOf(t, "<h1>Pear</h1><p class=price><i>¥ </i><span>1</span><span>,299</span><span>.00</span></p>")
	found := field.Analyze(load(t, "shop"), []field.Page{p})
	subset(t, texts(found), map[string]string{"name": "Pear", "price": "¥ 1,299.00"})
}

// A price is no name, wherever it is.
func TestNameIsNoPrice(t *testing.T) {
	for _, form := range []string{"<p>¥<b>%d</b><sup>%d</sup></p><p>Pear</p>", "<p>Pear</p><p>¥<b>%d</b><sup>%d</sup></p>"} {
		p := pageOf(t, "<div class='goods-item product'>"+fmt.Sprintf(form, 109, 90)+"</div>")
		record := field.Page{Root: htmlquery.FindOne(p.Root, "//div"), Base: base}
		subset(t, texts(field.Analyze(load(t, "shop"), []field.Page{record})), map[string]string{"name": "Pear", "price": "¥109.90"})
	}
}

// A book may be called by a number.
func TestNameIsNumber(t *testing.T) {
	p := pageOf(t, "<title>1984 - Books</title><h1>1984</h1><p>$12.00</p>")
	subset(t, texts(field.Analyze(load(t, "book"), []field.Page{p})), map[string]string{"title": "1984"})
}
