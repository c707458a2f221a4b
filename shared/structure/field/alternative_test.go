package field_test

import (
	"fmt"
	"strings"
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

// The old prices of few products on sale are not at the path to the prices of the others,
// and no others have them, in records as on pages.
func TestFewSales(t *testing.T) {
	for name, forms := range map[string]struct{ full, sale string }{
		"del and ins":        {"<p class='price x'><span class=amount>$%d.00</span></p>", "<p class='price x'><del><span class=amount>$%[2]d.00</span></del> <ins><span class=amount>$%[1]d.00</span></ins></p>"},
		"and for readers":    {"<p class='price x'><span class=amount>$%d.00</span></p>", "<p class='price x'><del><span class=amount>$%[2]d.00</span></del> <span>Original price was: $%[2]d.00.</span><ins><span class=amount>$%[1]d.00</span></ins></p>"},
		"a label in front":   {"<div class=box><span class=price-container><span class=price-wrapper><span class=price>$%d.00</span></span></span></div>", "<div class=box><span><span class=price-container><span>Special Price</span><span class=price-wrapper><span class=price>$%d.00</span></span></span></span> <span class=old-price><span>Regular Price</span> <span class=price>$%d.00</span></span></div>"},
		"called old":         {"<div class=pricing><span>$%d.00</span></div>", "<div class=pricing><span class=old>$%[2]d.00</span> <span class=new>$%[1]d.00</span></div>"},
		"old in front":       {"<div class=price-box><span class=regular-price><span class=price>$%d.00</span></span></div>", "<div class=price-box><p class=old-price><span>Regular Price:</span> <span class=price>$%[2]d.00</span></p><p><span>Special Price</span> <span class=price>$%[1]d.00</span></p></div>"},
		"regular":            {"<div class=offer><span class=price>$%d.00</span></div>", "<div class=offer><span class=price>$%d.00</span> <span class=regular-price>$%d.00</span></div>"},
		"was in one's place": {"<div class=pricing><span class=now>$%d.00</span></div>", "<div class=pricing><span class=was>$%[2]d.00</span> <span class=now>$%[1]d.00</span></div>"},
	} {
		t.Run(name, func(t *testing.T) {
			offer := func(n int) string {
				if n%9 == 4 {
					return fmt.Sprintf(forms.sale, 20+7*n, 50+7*n)
				}
				return fmt.Sprintf(forms.full, 20+7*n)
			}
			card := func(n int) string {
				return fmt.Sprintf("<li class=item><a href=/p%d><h3>Pear %[1]d</h3></a>%s</li>", n, strings.NewReplacer("<p ", "<div ", "</p>", "</div>").Replace(offer(n)))
			}
			var pages, records []field.Page
			for n := range 18 {
				more := card((n+15)%18) + card((n+16)%18) + card((n+17)%18)
				pages = append(pages, pageOf(t, fmt.Sprintf("<title>Pear %d</title><h1>Pear %[1]d</h1><div class=summary>%s<p>Fresh</p></div><ul>%s</ul>", n, offer(n), more)))
				root := pageOf(t, fmt.Sprintf("<div><a href=/p%d><img src=/%[1]d.jpg></a>%s<a href=/p%[1]d>Pear %[1]d</a></div>", n, offer(n))).Root
				records = append(records, field.Page{Root: htmlquery.FindOne(root, "//div[1]"), Base: base})
			}
			shop := load(t, "shop")
			for kind, all := range map[string][]field.Page{"page": pages, "record": records} {
				x, err := field.NewExtractor(shop, field.Analyze(shop, all))
				if err != nil {
					t.Fatal(err)
				}
				for n, p := range all {
					v := x.Extract(p)
					old, sale := v["list_price"]
					if price := v["price"].Amount; price == nil || *price != float64(20+7*n) || sale != (n%9 == 4) || sale && *old.Amount != float64(50+7*n) {
						t.Errorf("%s %d: price %q, before %q", kind, n, v["price"].Text, old.Text)
					}
				}
			}
		})
	}
}
