package field_test

import (
	"strings"
	"testing"

	"sluice/shared/short"
	"sluice/shared/structure/field"
)

// The work on any page that a tree is built of is bounded, and its fields are read as
// they were found.
func TestAnalyzeHostile(t *testing.T) {
	short.Skip(t, "pages of the largest size")
	shop := load(t, "shop")
	for name, text := range map[string]string{
		"prices":     strings.Repeat("<p class=price><b>价格：</b><i>￥9</i></p>", 13_000),
		"rows":       "<table>" + strings.Repeat("<tr><td>价格<td>￥9<td>品牌", 9_000) + "</table>",
		"deep":       strings.Repeat("<div class=price>￥9", 500),
		"deep rows":  strings.Repeat("<div class='price name brand'>", 400) + strings.Repeat("<span class=price>￥9</span>", 20_000),
		"one text":   "<p class=price>" + strings.Repeat("￥9 ", 1_000_000),
		"labels":     strings.Repeat("价格：", 10_000) + strings.Repeat("<b>品牌：</b>", 20_000),
		"attributes": strings.Repeat("<p class='"+strings.Repeat("price ", 200)+"'>￥9</p>", 2_000),
		"data":       "<script type=application/ld+json>" + strings.Repeat(`[{"offers":`, 5_000) + "</script>",
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf(t, text)
			found := field.Analyze(shop, []field.Page{p})
			x, err := field.NewExtractor(shop, found)
			if err != nil {
				t.Fatal(err)
			}
			values := x.Extract(p)
			for _, f := range found {
				if got := values[f.Name]; got.Text != f.Text {
					t.Errorf("%s is %.60q at %s, found %.60q", f.Name, got.Text, f.XPath, f.Text)
				}
			}
		})
	}
}
