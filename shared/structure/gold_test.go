package structure

import (
	"os"
	"testing"

	"golang.org/x/net/html"

	"sluice/shared/evaldata"
	"sluice/shared/web/page"
)

func parseFile(tb testing.TB, name string) *html.Node {
	tb.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	text, _ := page.Decode(body, "")
	tree, err := page.Tree(text)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return tree
}

// Pages of the shop that are no list.
func TestGoldNone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"login", "register", "detailPage", "shoppingCart"} {
		tree := parseFile(t, evaldata.Path(t, "data/shop/jiuxian__1352689815/page/"+name+".html"))
		if lists := Analyze(tree, nil).Lists; len(lists) > 0 {
			t.Errorf("%s has %d lists, the first at %s", name, len(lists), lists[0].RecordXPath)
		}
	}
}
