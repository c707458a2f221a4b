package field_test

import (
	"fmt"
	"testing"

	"sluice/shared/structure/field"
)

// The prices of related products are not those of the page: a product that is not on sale has
// no old price, one without a price has none.
func TestPricesOfOthers(t *testing.T) {
	for name, own := range map[string]string{
		"its own place":    "<div class=a1><h1>Pear %d</h1>%s<p class=a3>Fresh</p></div>",
		"nothing named so": "<div><div><div><h1>Pear %d</h1></div></div><div><div><div><div><div><div>%s</div></div></div></div></div></div></div>",
	} {
		t.Run(name, func(t *testing.T) {
			page := func(n int, price string) field.Page {
				text := fmt.Sprintf("<title>Pear %d</title>"+own+"<div class=b1>", n, n, price)
				for k := range 3 {
					text += fmt.Sprintf("<div class='b2 id%d'><a href=/p/%[1]d><img src=/%[1]d.jpg></a><a href=/p/%[1]d>Plum %[1]d</a><div class=a2><del>￥%d.00</del> <b>￥%d.00</b></div></div>", 7*n+k, 60+n, 40+n)
				}
				return pageOf(t, text+"</div>")
			}
			var pages []field.Page
			for n := range 8 {
				price := fmt.Sprintf("<b>￥%d.00</b>", 20+n)
				if n%4 == 1 {
					price = fmt.Sprintf("<del>￥%d.00</del> ", 30+n) + price
				}
				pages = append(pages, page(n, "<div class=a2>"+price+"</div>"))
			}
			shop := load(t, "shop")
			x, err := field.NewExtractor(shop, field.Analyze(shop, pages))
			if err != nil {
				t.Fatal(err)
			}
			for n, p := range pages {
				v := x.Extract(p)
				old, was := v["list_price"]
				if price := v["price"].Amount; price == nil || *price != float64(20+n) || was != (n%4 == 1) {
					t.Errorf("page %d: price %q, old price %q", n, v["price"].Text, old.Text)
				}
			}
			v := x.Extract(page(9, ""))
			if price, ok := v["price"]; ok {
				t.Errorf("a product without a price has %q", price.Text)
			}
			if price, ok := v["list_price"]; ok {
				t.Errorf("a product without a price had %q before", price.Text)
			}
		})
	}
}

// Where nothing is called so, the image of a page is the one that differs from page to page
// and leads to no other.
func TestImageOfPage(t *testing.T) {
	var pages []field.Page
	for n := range 4 {
		pages = append(pages, pageOf(t, fmt.Sprintf(`<title>Pear %d</title><a href=/><img src=/logo.png></a><div class=nav><img src=/%[1]d-menu.jpg></div>
<img src=/banner.jpg><div><a href=/%[1]d-big.jpg><img src=/%[1]d.jpg></a></div><h1>Pear %[1]d</h1><p>￥%[2]d</p><a href=/p/2><img src=/%[2]d.jpg></a>`, n, 20+n)))
	}
	subset(t, texts(field.Analyze(load(t, "shop"), pages)), map[string]string{"image": "https://shop.test/0.jpg"})
}

// One product on sale is enough to learn where old prices are, beside one that was looked
// at before.
func TestOnlySale(t *testing.T) {
	page := func(n int, price string) field.Page {
		return pageOf(t, fmt.Sprintf("<title>Pear %d</title><div class=a1><h1>Pear %[1]d</h1><p class=a2>%s</p></div><ul id=seen><li><a href=/p/%[1]d><img src=/%[1]d.jpg></a><del>￥%[3]d.00</del> <b>￥%[4]d.00</b></ul>", n, price, 60+n, 40+n))
	}
	pages := []field.Page{page(0, "<del>￥30.00</del> <b>￥20.00</b>")}
	for n := range 19 {
		pages = append(pages, page(n+1, fmt.Sprintf("<b>￥%d.00</b>", 21+n)))
	}
	shop := load(t, "shop")
	x, err := field.NewExtractor(shop, field.Analyze(shop, pages))
	if err != nil {
		t.Fatal(err)
	}
	if v := x.Extract(pages[0])["list_price"]; v.Text != "￥30.00" {
		t.Errorf("the old price is %q", v.Text)
	}
	if v, ok := x.Extract(pages[1])["list_price"]; ok {
		t.Errorf("another product has the old price %q", v.Text)
	}
}

// A product beside that of the page has its price, too, and those that are sold out have none.
func TestPricesBesideOne(t *testing.T) {
	for name, tc := range map[string]struct {
		page, price string // with the number of the page and the price; the price itself
		none        string // what stands there on pages without a price
	}{
		"one other":       {"<div id=main><h1>Pear %[1]d</h1>%[2]s</div><div id=with><h3>Goes well with</h3><div class=mini><a href=/p/7%[1]d><img src=/7%[1]d.jpg>Plum 7%[1]d</a><p>Price: <b>$1%[1]d.00</b></p></div></div>", "<p>Price: <b>$%d.00</b></p>", ""},
		"one, by a brand": {"<h1>Pear %[1]d</h1><div class=x><a href=/brand/acme><img src=/acme.png> Acme</a>%[2]s</div>", "<b>$%d.00</b>", "<i>sold out</i>"},
		"rows of others":  {"<h1>Pear %[1]d</h1>%[2]s<p>Fresh</p><div class=item><a href=/p/77>Plum 77</a><br>Price: $77.00</div><div class=item><a href=/p/78>Plum 78</a><br>Price: $78.00</div>", "<p>Price: $%d.00</p>", ""},
		"a deep entry":    {"<h1>Pear %[1]d</h1><div id=main>%[2]s</div><ol><li><div><a href=/p/7%[1]d><img src=/7.jpg>Plum</a></div><div><div><div><div><div><div><span><b>$1%[1]d.00</b></span></div></div></div></div></div></div></ol>", "<b>$%d.00</b>", ""},
		"a dash":          {"<h1>Pear %[1]d</h1><table>%[2]s</table><p>A pear of 100 g</p>", "<tr><td>Price</td><td>$%d.00</td></tr>", "<tr><td>Price</td><td>—</td></tr>"},
	} {
		t.Run(name, func(t *testing.T) {
			var pages []field.Page
			for n := range 8 {
				price := fmt.Sprintf(tc.price, 20+n)
				if n%4 == 3 {
					price = tc.none
				}
				pages = append(pages, pageOf(t, fmt.Sprintf("<title>Pear %[1]d</title>"+tc.page, n, price)))
			}
			sold := pageOf(t, fmt.Sprintf("<title>Pear 9</title>"+tc.page, 9, tc.none))
			shop := load(t, "shop")
			x, err := field.NewExtractor(shop, field.Analyze(shop, pages))
			if err != nil {
				t.Fatal(err)
			}
			for n, p := range pages {
				if price := x.Extract(p)["price"]; n%4 != 3 && (price.Amount == nil || *price.Amount != float64(20+n)) {
					t.Errorf("page %d: price %q", n, price.Text)
				}
			}
			if found, ok := texts(field.Analyze(shop, []field.Page{sold}))["price"]; ok && name != "one other" {
				t.Errorf("a page without a price has %q", found)
			}
		})
	}
}
