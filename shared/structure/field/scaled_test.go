package field_test

import (
	"testing"

	"sluice/shared/structure/field"
)

// An amount in 万 is the price of a record that has no other.
func TestScaledPrice(t *testing.T) {
	for record, want := range map[string]string{
		"<table><tr><td><a href=/1>阳光花园</a><td><b>82</b>万</table>":              "82万",
		"<table><tr><td><a href=/1>阳光花园</a><td><b>82</b>万<td>￥9</table>":        "￥9",
		"<table><tr><td><a href=/1>阳光花园</a><td class=sales><b>82</b>万</table>":  "",
		"<table><tr><td><a href=/1>阳光花园</a><td>82万人</table>":                    "",
		"<table><tr><td><a href=/1>阳光花园</a><td><i>销量</i><td><b>82</b>万</table>": "",
	} {
		p := pageOf(t, record)
		row := p.Root.FirstChild.LastChild.FirstChild.FirstChild.FirstChild
		if got := texts(field.Analyze(load(t, "shop"), []field.Page{{Root: row, Base: base}}))["price"]; got != want {
			t.Errorf("%s: price %q, want %q", record, got, want)
		}
	}
}
