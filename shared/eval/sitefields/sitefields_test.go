package sitefields_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/eval/sitefields"
	"sluice/shared/evaldata"
	"sluice/shared/fixture"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

const (
	bookPage = "<base href=http://shop.test/>\n<h1>%T</h1><dl><dt>Author:<dd>%A<dt>Published:<dd>%D</dl>"
	heading  = "\uFEFFbook\tshop\tfield\r\n3\t3\t3\t3\r\n"
)

func page(title, author, date string) string {
	return strings.NewReplacer("%T", title, "%A", author, "%D", date).Replace(bookPage)
}

func TestJudge(t *testing.T) {
	sites, err := sitefields.Load(fixture.Folder(t, map[string]string{
		"html/book-shop/0.htm": page("Emma", "Jane Austen", "May 25, 2010"),
		"html/book-shop/1.htm": page("Persuasion", "J. Austen", "June 2, 2011"),
		"html/book-shop/2.htm": page("Walden", "Thoreau", ""),
		"html/note.txt":        "no site",

		"groundtruth/book-shop-title.txt":            heading + "0\t1\tEmma\r\n1\t1\tPersuasion &amp; more\r\n2\t1\tWalden\r\n",
		"groundtruth/book-shop-author.txt":           heading + "0\t2\tSomeone\tJane Austen\n1\t2\tJ.\tAusten\n2\t0\t<NULL>\n",
		"groundtruth/book-shop-publication_date.txt": heading + "0\t1\tTest Press (25 May 2010)\n1\t1\tJune 2, 2011\n2\t1\tJuly 4, 1854\n",
		"groundtruth/book-shop-weight.txt":           heading + "0\t1\t5 lbs\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := sitefields.Judge(sites)
	if err != nil {
		t.Fatal(err)
	}
	want := []sitefields.Row{
		{Site: "book-shop", Field: "author", Tally: sitefields.Tally{Wanted: 2, Right: 2, Extra: 1}},
		{Site: "book-shop", Field: "publication_date", Tally: sitefields.Tally{Wanted: 3, Right: 2, Empty: 1}},
		{Site: "book-shop", Field: "title", Tally: sitefields.Tally{Wanted: 3, Right: 2, Wrong: 1}},
		{Site: "book-shop", Field: "weight", Tally: sitefields.Tally{Wanted: 1, Empty: 1}},
	}
	if diff := cmp.Diff(want, got.Rows, cmpopts.IgnoreFields(sitefields.Row{}, "XPath")); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(sitefields.Tally{Wanted: 9, Right: 6, Empty: 2, Wrong: 1, Extra: 1}, got.All); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	if c := got.All.Count(); c.Right != 6 || c.Taken != 8 || c.Wanted != 9 {
		t.Errorf("count is %+v", c)
	}
}

func TestRight(t *testing.T) {
	tm, err := template.Load("auto")
	if err != nil {
		t.Fatal(err)
	}
	value := func(f *template.Field, text string) field.Value {
		v, _ := field.Clean(f, text, nil)
		return v
	}
	price := &tm.Fields[1]
	for text, truth := range map[string]string{"$9,970": "9970 USD", "from $9,970": ": $9970.00"} {
		if !sitefields.Right(price, value(price, text), []string{truth}) {
			t.Errorf("%q is not %q", text, truth)
		}
	}
	if sitefields.Right(price, value(price, "$9,970"), []string{"$9,979", "none"}) {
		t.Error("another price is right")
	}
	text := &template.Field{Type: template.Text}
	if !sitefields.Right(text, value(text, "10 Main St, Las Vegas"), []string{"10 Main St", "Las Vegas"}) {
		t.Error("all values together are not right")
	}
	if sitefields.Right(text, value(text, "10 Main St, Reno"), []string{"10 Main St", "Las Vegas"}) {
		t.Error("a part of the value is right")
	}
}

func TestLoadErrors(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no folder":   {map[string]string{"note.txt": ""}, "read sites"},
		"no site":     {map[string]string{"html/note.txt": ""}, "has no folder of a site"},
		"no template": {map[string]string{"html/castle-shop/0.htm": "", "groundtruth/castle-shop-name.txt": ""}, "site castle-shop: open template"},
		"no pages":    {map[string]string{"html/book-shop/note.txt": ""}, "site book-shop has no pages"},
		"no truth":    {map[string]string{"html/book-shop/0.htm": ""}, "site book-shop has no file groundtruth/book-shop-FIELD.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := sitefields.Load(fixture.Folder(t, test.files)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

// Templates are written for a vertical, not for a site: nothing of these sites
// is in them.
func TestSWDE(t *testing.T) {
	sites, err := sitefields.Load(evaldata.Path(t, "data/swde"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := sitefields.Judge(sites)
	if err != nil {
		t.Fatal(err)
	}
	all := r.All.Count()
	t.Logf("%d sites: F1 %.4f, analysis %v, extraction %v", len(sites), all.F1(), r.Analysis, r.Extraction)
	if len(sites) != 8 || all.F1() < 0.85 {
		t.Errorf("F1 is %.4f on %d sites, want 0.85 on 8", all.F1(), len(sites))
	}
}
