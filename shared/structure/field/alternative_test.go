package field_test

import (
	"fmt"
	"testing"

	"github.com/antchfx/htmlquery"

	"sluice/shared/structure/field"
)

// offers are pages of products, of which every third is on sale.
func offers(t *testing.T, offer func(n int, sale bool) string) (pages []field.Page) {
	t.Helper()
	for n := range 9 {
		pages = append(pages, pageOf(t, fmt.Sprintf("<title>Pear %d</title><h1>Pear %[1]d</h1>%s<div class=more><p>Plum</p><b>￥%d.90</b></div>", n, offer(n, n%3 == 0), 3+n)))
	}
	return pages
}

// Of a product on sale the price is the new one, of others the only one, whatever way the
// shop shows them.
func TestSalePrice(t *testing.T) {
	for name, offer := range map[string]func(n int, sale bool) string{
		"a second label": func(n int, sale bool) string {
			text := fmt.Sprintf("<ul><li><strong>本店售价：</strong><font>￥%d.00</font><li><strong>VIP会员：</strong><font>￥%d.00</font>", 20+2*sign(sale)+n, 15+n)
			if sale {
				text += fmt.Sprintf("<li><strong>促销价：</strong><font>￥%d.00</font>", 20+n)
			}
			return text + "</ul>"
		},
		"del and ins": func(n int, sale bool) string {
			if sale {
				return fmt.Sprintf("<p class=price><del>￥%d.00</del> <span>Was ￥%[1]d.00</span><ins>￥%d.00</ins></p>", 22+n, 20+n)
			}
			return fmt.Sprintf("<p class=price><span>￥%d.00</span></p>", 20+n)
		},
		"struck": func(n int, sale bool) string {
			if sale {
				return fmt.Sprintf("<p class=price><s>￥%d.00</s> ￥%d.00</p>", 22+n, 20+n)
			}
			return fmt.Sprintf("<p class=price>￥%d.00</p>", 20+n)
		},
		"a label for sales only": func(n int, sale bool) string {
			tag := ""
			if sale {
				tag = "<i>到手价</i>"
			}
			return fmt.Sprintf("<div class=x1>%s<em class=x2>￥%d.00</em></div>", tag, 20+n)
		},
	} {
		t.Run(name, func(t *testing.T) {
			pages, shop := offers(t, offer), load(t, "shop")
			found := field.Analyze(shop, pages)
			x, err := field.NewExtractor(shop, found)
			if err != nil {
				t.Fatal(err)
			}
			for n, p := range pages {
				price := x.Extract(p)["price"]
				if price.Amount == nil || *price.Amount != float64(20+n) {
					t.Errorf("page %d: price %q, want %d", n, price.Text, 20+n)
				}
				for _, f := range found {
					if f.Name == "price" && len(htmlquery.Find(p.Root, f.XPath)) == 0 {
						t.Errorf("page %d: another program finds nothing at %s", n, f.XPath)
					}
				}
			}
		})
	}
}

// What a product cost before a sale is at the path to the prices of the others, or at a label
// that these have for the current price.
func TestPriceBefore(t *testing.T) {
	for name, offer := range map[string]func(n int, sale bool) string{
		"the first price": func(n int, sale bool) string {
			text := fmt.Sprintf("<dl><dt>价格<dd>￥%d.00</dl>", 20+2*sign(sale)+n)
			if sale {
				text += fmt.Sprintf("<dl><dt>促销价<dd>￥%d.00</dl>", 20+n)
			}
			return text
		},
		"a label of both": func(n int, sale bool) string {
			if sale {
				return fmt.Sprintf("<p><b>Sale price</b> <i>$%d.00</i> <b>Regular price</b> <s>$%d.00</s></p>", 20+n, 22+n)
			}
			return fmt.Sprintf("<p><b>Regular price</b> <i>$%d.00</i></p>", 20+n)
		},
	} {
		t.Run(name, func(t *testing.T) {
			pages, shop := offers(t, offer), load(t, "shop")
			x, err := field.NewExtractor(shop, field.Analyze(shop, pages))
			if err != nil {
				t.Fatal(err)
			}
			for n, p := range pages {
				v := x.Extract(p)
				old, sale := v["list_price"]
				if price := v["price"].Amount; price == nil || *price != float64(20+n) || sale != (n%3 == 0) || sale && *old.Amount != float64(22+n) {
					t.Errorf("page %d: price %q, before %q", n, v["price"].Text, old.Text)
				}
			}
		})
	}
}

func sign(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What is beside a price is no part of it, and a chip in front of it is no label.
func TestPriceOfRecord(t *testing.T) {
	const record = `<div class=k1 itemscope><a class=k2 itemprop=url href=/p/%[1]d><h3>Pear %[1]d</h3><div><span>退货包运费</span></div>
<div class=k3><span>¥</span><span class=k4>%[2]d</span><span>.80</span><span>77%[1]d+人付款</span></div><p>已售 5%[1]d0+</p><p>评价 2%[1]d</p></a></div>`
	var records []field.Page
	for n := range 4 {
		root := pageOf(t, fmt.Sprintf(record, n, 20+n)).Root
		records = append(records, field.Page{Root: htmlquery.FindOne(root, "//div[1]"), Base: base})
	}
	shop := load(t, "shop")
	x, err := field.NewExtractor(shop, field.Analyze(shop, records))
	if err != nil {
		t.Fatal(err)
	}
	for n, r := range records {
		v := x.Extract(r)
		if price := v["price"].Amount; price == nil || *price != float64(20+n)+0.8 || v["link"].Text != fmt.Sprintf("https://shop.test/p/%d", n) {
			t.Errorf("record %d is %+v", n, v)
		}
		if sales, reviews := v["sales"], v["reviews"]; sales.Text != fmt.Sprintf("5%d0", n) || reviews.Text != fmt.Sprintf("2%d", n) {
			t.Errorf("record %d has sales %q and reviews %q", n, sales.Text, reviews.Text)
		}
		if old, ok := v["list_price"]; ok {
			t.Errorf("record %d has the old price %q", n, old.Text)
		}
	}
}

// The path to a price leads to the element around it, so that it does for a product on sale
// if none was seen.
func TestPriceAround(t *testing.T) {
	page := func(n int, price string) field.Page {
		return pageOf(t, fmt.Sprintf("<title>Pear %d</title><h1>Pear %[1]d</h1><p class=price>%s</p><ul><li><span class=price-now>￥%[1]d.90</span></ul>", n, price))
	}
	var pages []field.Page
	for n := range 4 {
		pages = append(pages, page(n, fmt.Sprintf("<span class=price-now>￥%d.00</span>", 20+n)))
	}
	shop := load(t, "shop")
	x, err := field.NewExtractor(shop, field.Analyze(shop, pages))
	if err != nil {
		t.Fatal(err)
	}
	sale := page(9, "<del><span class=price-now>￥30.00</span></del><ins><span class=price-now>￥29.00</span></ins>")
	if price := x.Extract(sale)["price"].Amount; price == nil || *price != 29 {
		t.Errorf("the price is %v, want 29", price)
	}
}
