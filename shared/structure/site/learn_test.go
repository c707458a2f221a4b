package site

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// The list that is learned is not the digest of it that as many pages have, with more
// records of fewer fields.
func TestLearnList(t *testing.T) {
	t.Parallel()
	notice, err := template.Load("notice")
	if err != nil {
		t.Fatal(err)
	}
	base, err := url.Parse("http://www.example.com/")
	if err != nil {
		t.Fatal(err)
	}
	var pages []Sample
	add := func(region, row string, count int) {
		rows := ""
		for i := range count {
			rows += fmt.Sprintf(row, i, strings.Repeat("abcdefgh"[i%8:i%8+1], 4+i), 1+i)
		}
		root, err := html.Parse(strings.NewReader(fmt.Sprintf(region, rows)))
		if err != nil {
			t.Fatal(err)
		}
		lists := structure.Analyze(root).Lists
		if len(lists) == 0 || len(lists[0].Records) != count {
			t.Fatalf("the page has %d lists, want one of %d records first", len(lists), count)
		}
		pages = append(pages, Sample{Page: field.Page{Root: root, Base: base}, Layer: structure.ListLayer, Lists: Lists(nil, lists, base)})
	}
	for range 2 {
		add(`<div id="home"><ul>%s</ul></div>`, `<li><a href="/n/%d">Notice about the %s of the cit…</a> <i>%02d</i></li>`, 14)
		add(`<table id="all"><tr><th>Title</th><th>Department</th><th>Date</th></tr>%s</table>`,
			`<tr><td><a href="/n/%d">Notice about the %s of the city of the north</a></td><td>Office of works</td><td>2024-05-%02d</td></tr>`, 8)
	}
	got := Learn("www.example.com", notice, notice.Name, pages, nil).Layers[structure.ListLayer]
	if !strings.Contains(got.Region+got.Record, "all") {
		t.Errorf("the list is at %s, want that of the table", got.Record)
	}
}
