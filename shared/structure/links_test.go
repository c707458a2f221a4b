package structure_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// A record leads where its longest text does that no other record has.
func TestRecordLinks(t *testing.T) {
	t.Parallel()
	root, err := html.Parse(strings.NewReader(`<ul>
		<li><a href="/p/1"><img src="1.jpg"></a><a href="/p/1#top">Red pear, 500 g</a><a href="/cart?add=1">Buy</a><a href="/brand/orchard">The orchard of the north</a></li>
		<li><a href="/cart?add=2">Buy</a><a href="/p/2">Green pear</a><a href="/brand/orchard">The orchard of the north</a></li>
		<li><a href="javascript:void(0)">Sold out</a> Yellow pear</li>
		<li><a href="/p/3">Plum</a><a href="/cart?add=3">Buy</a></li>
		<li><a href="/p/3">Plum</a><a href="/cart?add=3">Buy</a></li>
	</ul>`))
	if err != nil {
		t.Fatal(err)
	}
	var records []structure.Record
	for n := range root.Descendants() {
		if n.Data == "li" {
			records = append(records, structure.Record{n})
		}
	}
	const host = "https://www.example.com"
	want := []string{host + "/p/1", host + "/p/2", "", host + "/p/3", host + "/p/3"}
	got := structure.RecordLinks(records, &url.URL{Scheme: "https", Host: "www.example.com", Path: "/c/"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
