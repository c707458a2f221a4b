package structure

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sluice/shared/evaldata"
	"sluice/shared/web/page"
)

// The main list of saved pages has exactly the records that the XPath of its
// site selects.
func TestGold(t *testing.T) {
	t.Parallel()
	root := evaldata.Path(t, "data/shop")
	list, err := os.Open(filepath.Join(root, "list_gold.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = list.Close() }() // it was only read
	r := csv.NewReader(list)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		path, want := row[0], row[len(row)-1]
		got := 0
		if lists := Analyze(parseFile(t, findPage(t, root, path))).Lists; len(lists) > 0 {
			got = len(lists[0].Records)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %d records, want %s", path, got, want)
		}
	}
}

// findPage returns the file of a gold row: its folders may be spelt in another
// way, and a file may be deeper.
func findPage(t *testing.T, root, path string) string {
	t.Helper()
	first, _, _ := strings.Cut(path, "/")
	var found string
	err := filepath.WalkDir(root, func(p string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(p) == filepath.Base(path) && strings.Contains(strings.ToLower(p), strings.ToLower(first)) {
			found = p
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatalf("no page %s: %v", path, err)
	}
	return found
}

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
		if lists := Analyze(tree).Lists; len(lists) > 0 {
			t.Errorf("%s has %d lists, the first at %s", name, len(lists), lists[0].RecordXPath)
		}
	}
}
