package field_test

import (
	"testing"

	"github.com/antchfx/htmlquery"

	"sluice/shared/structure/field"
)

// The records of a table have the labels of their fields above them.
func TestTableHeads(t *testing.T) {
	const cells = "<tr><td>Emma<td>12<td>7<td>Ann Lee<td>3<td>Orchard Press<td>9.90"
	want := map[string]string{"title": "Emma", "author": "Ann Lee", "publisher": "Orchard Press", "price": "9.90"}
	for name, table := range map[string]string{
		"a first row":      "<tr><th>Title<th>Row<th>Shelf<th>Author<th>Copies<th>Publisher<th>Price" + cells + cells,
		"a thead":          "<thead><tr><th colspan=7>New books<tr><th>Title<th>Row<th>Shelf<th>Author<th>Copies<th>Publisher<th>Price<tbody>" + cells + cells,
		"cells over two":   "<tr><th>Title<th colspan=2>Place<th>Author<th>Copies<th>Publisher<th>Price" + cells + cells,
		"plain cells":      "<tr><td>Title<td>Row<td>Shelf<td>Author<td>Copies<td>Publisher<td>Price" + cells + cells,
		"labels with tags": "<tr><th><b>Title</b><th>Row<th>Shelf<th><a href=?by=a>Author</a><th>Copies<th>Publisher<th>Price" + cells + cells,
	} {
		t.Run(name, func(t *testing.T) {
			var records []field.Page
			rows := htmlquery.Find(pageOf(t, "<table>"+table+"</table>").Root, "//tr")
			for _, n := range rows[len(rows)-2:] {
				records = append(records, field.Page{Root: n, Base: base})
			}
			subset(t, texts(field.Analyze(load(t, "book"), records)), want)
		})
	}
}
