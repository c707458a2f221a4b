package structure_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// A record leads where the records of the list all do, and else where its longest text does
// that no other record has.
func TestRecordLinks(t *testing.T) {
	t.Parallel()
	records := entries(t, `<ul>
		<li><a href="/p/1"><img src="1.jpg"></a><a href="/p/1#top">Red pear, 500 g</a><a href="/cart?add=1">Buy</a><a href="/brand/orchard">The orchard of the north</a></li>
		<li><a href="/cart?add=2">Buy</a><a href="/p/2">Green pear</a><a href="/brand/orchard">The orchard of the north</a></li>
		<li><a href="javascript:void(0)">Sold out</a> Yellow pear</li>
		<li><a href="/p/3">Plum</a><a href="/cart?add=3">Buy</a></li>
		<li><a href="/p/3">Plum</a><a href="/cart?add=3">Buy</a></li>
	</ul>`)
	const host = "https://www.example.com"
	want := []string{host + "/p/1", host + "/p/2", "", host + "/p/3", host + "/p/3"}
	got := structure.RecordLinks(records, &url.URL{Scheme: "https", Host: "www.example.com", Path: "/c/"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// All records of a list lead on by links at one place.
func TestRecordLinksAgree(t *testing.T) {
	t.Parallel()
	jobs := []string{"Driver", "Accountant", "Nurse", "Cook"}
	firms := []string{"Northern Orchard Foods Limited", "Harbour Logistics Limited"}
	for _, tt := range []struct {
		name   string
		record func(i int) string
	}{
		{"a longer text of another page", func(i int) string {
			return fmt.Sprintf(`<a href="/to/%d">%s</a> <a href="/firm/%d">%s</a>`, i, jobs[i], i%2, firms[i%2])
		}},
		{"in a heading, other texts are longer", func(i int) string {
			return fmt.Sprintf(`<p><a href="/firm/%d">%s %d</a></p><h3><a href="/to/%d">%s</a></h3>`, i, firms[0], i, i, jobs[i])
		}},
		{"an action with a longer text", func(i int) string {
			return fmt.Sprintf(`<a href="/to/%d"><img src="%d.jpg"></a><p><a href="/to/%d">%s</a></p><a href="/order/%d">Put this into the cart</a>`, i, i, i, jobs[i], i)
		}},
		{"a cart", func(i int) string {
			return fmt.Sprintf(`<b>%s</b> <a href="/cart?add=%d">Buy</a> <a href="/to/%d">Details</a>`, jobs[i], i, i)
		}},
		{"a seller, and details", func(i int) string {
			return fmt.Sprintf(`<h4>%s</h4> by <a href="/seller/%d">%s %d</a> <a href="/to/%d">View details »</a>`, jobs[i], i, firms[0], i, i)
		}},
		{"details without a page", func(i int) string {
			return fmt.Sprintf(`<a href="/to/%d">%s</a> <a href="#">Show details</a>`, i, jobs[i])
		}},
		{"not to be followed", func(i int) string {
			return fmt.Sprintf(`<a rel="nofollow" href="/go/%d">The best price for a %s</a> <a href="/to/%d">%s</a>`, i, jobs[i], i, jobs[i])
		}},
		{"more than one of a kind", func(i int) string {
			return fmt.Sprintf(`<a href="/to/%d">%s</a> <a href="/tag/a">%s</a>`, i, jobs[i], firms[0]) + strings.Repeat(` <a href="/tag/b">Permanent position</a>`, i%2)
		}},
		{"by people with pictures", func(i int) string {
			return fmt.Sprintf(`<a href="/user/%d"><img class=avatar src="%d.jpg"></a> <b><a href="/to/%d">%s</a></b> <i><a href="/user/%d">Al %d</a></i>`, i, i, i, jobs[i], i, i)
		}},
		{"who wrote first and last", func(i int) string {
			return fmt.Sprintf(`<p><a href="/user/%d">Al %d</a></p><div><a href="/to/%d">%s</a></div><div><a href="/user/%d">Al %d</a></div>`, i, i, i, jobs[i], i+i%2, i+i%2)
		}},
		{"cells", func(i int) string {
			return fmt.Sprintf(`<table><tr><td><a href="/to/%d"><img src="new.gif"></a></td><td><a href="/to/%d">%s</a></td><td><a href="/user/%d">%s %d</a></td></tr></table>`, i, i, jobs[i], i, firms[1], i)
		}},
		{"a company first, in a heading, with a picture", func(i int) string {
			return fmt.Sprintf(`<h3><a href="/companies/%d"><img src="%d.png"> %s %d</a></h3><p><a href="/to/%d">%s</a></p>`, i, i, firms[0], i, i, jobs[i])
		}},
		{"a company by its number", func(i int) string {
			return fmt.Sprintf(`<h3><a href="/co/%d.html">%s %d</a></h3><p><a href="/to/%d">%s</a></p>`, i, firms[0], i, i, jobs[i])
		}},
	} {
		var page strings.Builder
		want := make([]string, len(jobs))
		for i := range jobs {
			page.WriteString("<li>" + tt.record(i) + "</li>")
			want[i] = fmt.Sprintf("https://www.example.com/to/%d", i)
		}
		records := entries(t, "<ul>"+page.String()+"</ul>")
		if diff := cmp.Diff(want, structure.RecordLinks(records, &url.URL{Scheme: "https", Host: "www.example.com"})); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

// A section of news may have the name of those who are behind records elsewhere.
func TestRecordLinksOfSections(t *testing.T) {
	t.Parallel()
	for _, section := range []string{"business", "co", "corp", "enterprise", "organizations", "qy"} {
		for _, beside := range []string{`<a href="/comments/%d">What do you say of it?</a>`, `<a href="/tag/t%d">Trade of the north</a>`} {
			var page strings.Builder
			var want []string
			for i := range 4 {
				article := fmt.Sprintf("/%s/rates-%d", section, i)
				fmt.Fprintf(&page, `<li><h3><a href="%s">Rates %d</a></h3>`+beside+`</li>`, article, i, i)
				want = append(want, "https://www.example.com"+article)
			}
			got := structure.RecordLinks(entries(t, "<ul>"+page.String()+"</ul>"), &url.URL{Scheme: "https", Host: "www.example.com"})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("beside %s (-want +got)\n%s", beside, diff)
			}
		}
	}
}

func TestIsAction(t *testing.T) {
	t.Parallel()
	for href, want := range map[string]bool{
		"/cart?add=5": true, "/cart/add/5": true, "/index.php?route=checkout/cart/add": true, "/flow.php?step=add_to_cart": true,
		"/shop?add-to-cart=5": true, "/login.php?next=/p/5": true,
		"/p/laundry-basket": false, "/p/basket.html": false, "/basket/5": false, "/blog/shopping-cart-design": false, "/p/5?from=list": false,
	} {
		if got := structure.IsAction(href); got != want {
			t.Errorf("%s is an action: %t, want %t", href, got, want)
		}
	}
}

// entries are the items of a list as records.
func entries(t *testing.T, markup string) (records []structure.Record) {
	t.Helper()
	for n := range parsed(t, markup).Descendants() {
		if n.Data == "li" {
			records = append(records, structure.Record{n})
		}
	}
	return records
}

func parsed(t *testing.T, markup string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	return root
}
