package field_test

import (
	"strings"
	"testing"

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
