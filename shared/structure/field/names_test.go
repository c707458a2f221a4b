package field_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antchfx/htmlquery"

	"sluice/shared/structure/field"
)

// The names of elements in HTML need not be names in XPath: all paths lead to what was found.
func TestNamesOfElements(t *testing.T) {
	shop := load(t, "shop")
	for _, tag := range []string{"li'", "li\x00", "li:x", "li\"", "b[", "li(", "商品"} {
		if tag == "商品" {
			tag = "p商品"
		}
		for name, form := range map[string]string{
			"around": "<h1>Pear</h1><div><TAG>a</TAG><TAG><i>售价：</i><b>￥9</b></TAG></div>",
			"value":  "<h1>Pear</h1><div><i>售价：</i><TAG>￥9</TAG></div>",
			"label":  "<h1>Pear</h1><div><p><TAG>售价：</TAG></p><b>￥9</b></div>",
			"class":  "<TAG class=product-name>Pear</TAG><TAG class=price id=price itemprop=price>￥9</TAG>",
			"text":   "<h1>Pear</h1><div><TAG>售价：￥9</TAG><p>text</p></div>",
		} {
			p := pageOf(t, "<title>Pear</title>"+strings.ReplaceAll(form, "TAG", tag))
			found := field.Analyze(shop, []field.Page{p})
			x, err := field.NewExtractor(shop, found)
			if err != nil {
				t.Errorf("%s %q: %v", name, tag, err)
				continue
			}
			for _, f := range found {
				if got := x.Extract(p)[f.Name]; got.Text != f.Text {
					t.Errorf("%s %q: %s is %q at %s, found %q", name, tag, f.Name, got.Text, f.XPath, f.Text)
				}
			}
			if texts(found)["price"] != "￥9" {
				t.Errorf("%s %q: found %v", name, tag, texts(found))
			}
		}
	}
}

// A record is named by its heading, be it h3 or h5, even if that is no link, or by what is
// called name. A link whose text all records have does not name them.
func TestNameOfRecord(t *testing.T) {
	for _, name := range []string{"<h5 class=card-title>%s</h5>", "<h5>%s</h5>", "<h3>%s</h3>", "<h4><b>%s</b></h4>", "<p class=name>%s</p>"} {
		for _, link := range []string{"<a href=/%d class='btn btn-sm'>View</a>", "<a href=/%d>View</a>"} {
			var cards strings.Builder
			for i, of := range []string{"Linen Apron", "Walnut Bowl", "Oak Stool"} {
				fmt.Fprintf(&cards, "<li><img src=/%d.jpg>"+name+"<p>Made by hand, item %d.</p>"+link+"<small>$%d.50</small>", i, of, i, i, i+12)
			}
			var records []field.Page
			for _, n := range htmlquery.Find(pageOf(t, "<ul>"+cards.String()+"</ul>").Root, "//li") {
				records = append(records, field.Page{Root: n, Base: base})
			}
			if got := texts(field.Analyze(load(t, "shop"), records))["name"]; got != "Linen Apron" {
				t.Errorf("%s %s: name %q", name, link, got)
			}
		}
	}
}

// Labels are in simplified characters, pages in either.
func TestTraditionalLabels(t *testing.T) {
	p := pageOf(t, "<h1>紅茶</h1><ul><li>品牌：山水<li>庫存狀態：缺貨<li>售價：NT$ 120<li>商品編號：A17</ul><p>產自高山。</p>")
	subset(t, texts(field.Analyze(load(t, "shop"), []field.Page{p})), map[string]string{"brand": "山水", "stock": "缺貨", "price": "NT$ 120", "sku": "A17"})
}
