package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/structure/field"
)

func TestScripted(t *testing.T) {
	const page = "<title>Pear</title><h1>Pear</h1><p class=brand>Orchard</p>"
	for name, test := range map[string]struct {
		fetched, shown string
		want           []string
	}{
		"nothing":             {"<b class=price>￥5.00</b>", "<b class=price>￥5.00</b><i>cart: 0</i>", nil},
		"the price":           {"<b class=price></b><i>￥8.00</i>", "<b class=price>￥5.00</b><i>￥8.00</i>", []string{"price"}},
		"a price by its form": {"<p class=cost></p>", "<p class=cost><b>€115.00</b></p>", []string{"price"}},
		"a price beside one":  {"<p>€115.00</p>", "<p>€115.00</p><p>€20.00</p>", nil},
		"another form of it":  {"<meta itemprop=price content=5.00><b class=price></b>", "<meta itemprop=price content=5.00><b class=price>￥5</b>", nil},
		"an element before":   {"<b class=price>￥5.00</b>", "<div>Welcome</div><b class=price>￥5.00</b>", nil},
		"the stock as well":   {"<b class=price></b>", "<b class=price>￥5.00</b><p><span>库存：</span><em>7 件</em></p>", []string{"price", "stock"}},
		"prices of a list":    {list(""), list("￥5.00"), []string{"price"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := field.Scripted(load(t, "shop"), pageOf(t, page+test.fetched), pageOf(t, page+test.shown))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("fields that scripts add (-want +got):\n%s", diff)
			}
		})
	}
}

// list is one of three products of a price.
func list(price string) string {
	item := func(n string) string {
		return "<li><a href=/p/" + n + "><img src=/i/" + n + "></a><h3>Pear " + n + "</h3><p class=price>" + price + "</p></li>"
	}
	return "<ul>" + item("1") + item("2") + item("3") + "</ul>"
}
