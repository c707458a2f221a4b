package wholecrawl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/wholecrawl"
)

// ring has two domains of ten pages, each of which links to the next page of its
// domain, and a page of each that leads nowhere else. Every third page has the label.
func ring(t *testing.T) *frozenweb.Web {
	t.Helper()
	var b strings.Builder
	for _, host := range []string{"www.a.test", "www.b.test"} {
		for i := range 10 {
			label := "none"
			if i%3 == 2 {
				label = "money"
			}
			fmt.Fprintf(&b, "{\"url\": \"http://%s/%d\", \"label\": %q, \"text\": \"<a href=/%d>next</a>\"}\n", host, i, label, (i+1)%10)
		}
		fmt.Fprintf(&b, "{\"url\": \"http://%s/dead\", \"label\": \"none\", \"text\": \"<a href=/dead>dead</a>\"}\n", host)
		fmt.Fprintf(&b, "{\"url\": \"http://%s/empty\", \"label\": \"none\", \"text\": \"empty\"}\n", host)
	}
	web, err := frozenweb.Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return web
}

func TestDraws(t *testing.T) {
	web := ring(t)
	links := wholecrawl.ReadLinks(web)
	first := []string{"http://www.a.test/0", "http://www.b.test/0"}
	draws, err := wholecrawl.Draws(web, links, first, []string{"money"}, 20)
	if err != nil {
		t.Fatal(err)
	}
	if len(draws) != 20 || !slices.Equal(draws[0], first) {
		t.Fatalf("%d draws, the first %v", len(draws), draws[0])
	}
	different := map[string]bool{}
	for _, seeds := range draws {
		different[strings.Join(seeds, " ")] = true
		if len(seeds) != 2 || !strings.HasPrefix(seeds[0], "http://www.a.test/") || !strings.HasPrefix(seeds[1], "http://www.b.test/") {
			t.Errorf("seeds %v: want one of each domain", seeds)
		}
		for _, seed := range seeds {
			if p := web.Page(seed); p == nil || p.Label == "money" || strings.HasSuffix(seed, "/dead") || strings.HasSuffix(seed, "/empty") {
				t.Errorf("drew %s", seed)
			}
		}
	}
	if len(different) < 10 {
		t.Errorf("only %d different draws", len(different))
	}
	again, err := wholecrawl.Draws(web, links, first, []string{"money"}, 20)
	if diff := cmp.Diff(draws, again); diff != "" || err != nil {
		t.Errorf("the second time (-first +second, %v):\n%s", err, diff)
	}

	if _, err := wholecrawl.Draws(web, links, first, []string{"money", "none"}, 2); err != nil {
		t.Errorf("a seed without a substitute does not stay: %v", err)
	}
	small, err := frozenweb.Read(strings.NewReader(`{"url": "http://a.test/0", "label": "money", "text": "<a href=/1>next</a>"}
{"url": "http://a.test/1", "text": "<a href=/1>next</a>"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wholecrawl.Draws(small, wholecrawl.ReadLinks(small), []string{"http://a.test/0"}, []string{"money"}, 2); err == nil {
		t.Error("drew seeds that reach half of the web")
	}
}
