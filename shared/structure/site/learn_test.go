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
	var pages []Sample
	for range 2 {
		pages = append(pages, sampleOf(t, `<div id="home"><ul>`+rows(`<li><a href="/n/%d">Notice about the %s of the cit…</a> <i>%02d</i></li>`, 0, 14)+`</ul></div>`),
			sampleOf(t, `<table id="all"><tr><th>Title</th><th>Department</th><th>Date</th></tr>`+
				rows(`<tr><td><a href="/n/%d">Notice about the %s of the city of the north</a></td><td>Office of works</td><td>2024-05-%02d</td></tr>`, 0, 8)+`</table>`))
	}
	wantList(t, pages, "all")
}

// The list that is learned is not one that all pages have with the same links.
func TestLearnHotList(t *testing.T) {
	t.Parallel()
	var pages []Sample
	for i := range 3 {
		pages = append(pages, sampleOf(t, `<div class="most"><ul>`+rows(`<li><a href="/n/%d">Notice about the %s of the city of the north, %d</a></li>`, 0, 14)+`</ul></div>`+
			`<div class="all"><ul>`+rows(`<li><a href="/n/%d">Notice about the %s</a> <i>%d</i></li>`, 10*i, 10)+`</ul></div>`))
		if first := pages[i].Lists[0].RecordXPath; !strings.Contains(first, "most") {
			t.Fatalf("the first list is at %s", first)
		}
	}
	wantList(t, pages, "all")
	wantList(t, pages[:2], "most") // two pages may be one
	for i := range 2 {
		pages[i].Lists = append(pages[i].Lists, pages[i].Lists[0])
	}
	wantList(t, pages[:2], "most") // whatever they have twice
}

// Lists without links are not the same for that.
func TestLearnTables(t *testing.T) {
	t.Parallel()
	var pages []Sample
	for i := range 3 {
		pages = append(pages, sampleOf(t, `<table id="all"><tr><th>Title</th><th>Department</th><th>Date</th></tr>`+
			rows(`<tr><td>Notice %d about the %s of the city of the north</td><td>Office of works</td><td>2024-05-%02d</td></tr>`, 10*i, 10)+`</table>`+
			`<div class="side"><ul>`+rows(`<li><a href="/n/%d">Report on the %s of the south</a> <i>%d</i></li>`, 10*i, 10)+`</ul></div>`))
		if l := pages[i].Lists; len(l) < 2 || !strings.Contains(l[0].RecordXPath, "all") {
			t.Fatalf("%d lists, the first at %s", len(l), l[0].RecordXPath)
		}
	}
	wantList(t, pages, "all")
}

// rows are a list of the given records, each with its number, a word and a day.
func rows(row string, first, count int) string {
	var b strings.Builder
	for i := first; i < first+count; i++ {
		fmt.Fprintf(&b, row, i, strings.Repeat("abcdefgh"[i%8:i%8+1], 4+i%14), 1+i)
	}
	return b.String()
}

var base = &url.URL{Scheme: "http", Host: "www.example.com", Path: "/"}

func sampleOf(t *testing.T, markup string) Sample {
	t.Helper()
	root, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	lists := structure.Analyze(root, nil).Lists
	if len(lists) == 0 {
		t.Fatal("the page has no list")
	}
	return Sample{Page: field.Page{Root: root, Base: base}, Layer: structure.ListLayer, Lists: Lists(nil, lists, base)}
}

// wantList checks that the list learned of pages is at a path with a word.
func wantList(t *testing.T, pages []Sample, word string) {
	t.Helper()
	notice, err := template.Load("notice")
	if err != nil {
		t.Fatal(err)
	}
	got := Learn("www.example.com", notice, notice.Name, pages, nil).Layers[structure.ListLayer]
	if !strings.Contains(got.Region+got.Record, word) {
		t.Errorf("the list is at %s, want %q in it", got.Record, word)
	}
}

// The fields of a page are found by the first records of its lists: of the others nothing is
// looked at.
func TestFieldsOfFirstRecords(t *testing.T) {
	t.Parallel()
	shop, err := template.Load("shop")
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader("<h1>Phones</h1><ul>" + rows(`<li><a href="/p/%d">Phone for the %s</a> <b class="price">$%d.00</b></li>`, 0, 2*maxOnPage) + "</ul>"))
	if err != nil {
		t.Fatal(err)
	}
	lists := Lists(nil, structure.Analyze(root, nil).Lists, nil)
	if len(lists) != 1 || len(lists[0].Records) != 2*maxOnPage {
		t.Fatalf("lists %+v", lists)
	}
	for i, r := range lists[0].Records {
		if of := Fields(shop, []Sample{{Page: field.Page{Root: root}, Lists: lists}}); len(of) == 0 {
			t.Fatal("no fields")
		}
		if behind := repeats(lists)[r[0]]; behind != (i >= maxOnPage) {
			t.Errorf("record %d: behind %v", i, behind)
		}
	}
	all := map[*html.Node]bool{}
	for _, r := range lists[0].Records {
		all[r[0]] = true
	}
	for _, f := range field.Analyze(shop, []field.Page{{Root: root, Repeats: all}}) {
		if f.Name == "price" {
			t.Errorf("price %+v in records that are not looked at", f)
		}
	}
}
