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

// Labels and values in turn, in rows of one kind of cell, have nothing above them.
func TestTableOfFacts(t *testing.T) {
	for name, test := range map[string]struct {
		table string
		want  map[string]string
	}{
		"without digits in the first row": {
			"<tr><td>职位名称<td>软件工程师<td>工作地点<td>北京市海淀区<tr><td>招聘人数<td>3人<td>学历要求<td>本科及以上<tr><td>工作经验<td>三年以上<td>月薪<td>15000元<tr><td>发布日期<td>2026-05-12<td>截止日期<td>2026-06-30",
			map[string]string{"location": "北京市海淀区", "education": "本科及以上", "experience": "三年以上", "date_posted": "2026-05-12"},
		},
		"with digits in it": {
			"<tr><td>Location<td>Berlin<td>Salary<td>€60,000<tr><td>Type<td>Full time<td>Posted<td>May 12, 2026<tr><td>Company<td>Acme GmbH<td>Reference<td>A-1234",
			map[string]string{"location": "Berlin", "salary": "€60,000", "company": "Acme GmbH", "type": "Full time"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf(t, "<h1>软件工程师</h1><table>"+test.table+"</table>")
			subset(t, texts(field.Analyze(load(t, "job"), []field.Page{p})), test.want)
		})
	}
}
