package sitelists

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/evaldata"
)

// The main list of saved pages has exactly the records that the XPath of its site
// selects.
func TestGold(t *testing.T) {
	t.Parallel()
	r, err := Judge(evaldata.Path(t, "data/shop/list_gold.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		if row.Got != row.Want {
			t.Errorf("%s: %d records, want %d", row.Page, row.Got, row.Want)
		}
	}
	t.Logf("precision %.3f and recall %.3f of %d records", r.Records.Precision(), r.Records.Recall(), r.Records.Wanted)
	if len(r.Rows) != 8 || r.Records.Recall() < .95 {
		t.Errorf("%d pages with recall %.3f of their records, want 8 with .95", len(r.Rows), r.Records.Recall())
	}
}

func TestJudge(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var list strings.Builder
	for i := range 10 {
		fmt.Fprintf(&list, "<li><a href=/%d>Harvest %d of the northern orchards begins early</a> <span>2024-05-%02d</span></li>", i, i, i+1)
	}
	write("list.html", "<title>t</title><ul id=news>"+list.String()+"</ul>")
	write("article.html", "<title>t</title><h1>Harvest</h1><p>"+strings.Repeat("The harvest of the northern orchards begins a week early. ", 20)+"</p>")
	table := write("gold.tsv", "site\tpath\tencoding\trecord_xpath\tn_records\nA\tlist.html\tutf-8\t//ul[@id='news']/li\t10\nB\tlist.html\t\t//ul[@id='news']/li[position()<9]\t8\nC\tarticle.html\t\t\t0\n")
	r, err := Judge(table)
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{"list.html", 10, 10, 10}, {"list.html", 8, 10, 8}, {"article.html", 0, 0, 0}}
	if diff := cmp.Diff(want, r.Rows); diff != "" || r.Exact != 2 {
		t.Errorf("%d exact, want 2; (-want +got)\n%s", r.Exact, diff)
	}
	for problem, table := range map[string]string{
		"no column n_records":  "path\tencoding\trecord_xpath\nlist.html\t\t//li\n",
		"it has no page":       "path\tencoding\trecord_xpath\tn_records\n",
		"no number of records": "path\tencoding\trecord_xpath\tn_records\nlist.html\t\t//li\tten\n",
		"selects 10 records":   "path\tencoding\trecord_xpath\tn_records\nlist.html\t\t//li\t9\n",
		"page none.html":       "path\tencoding\trecord_xpath\tn_records\nnone.html\t\t//li\t9\n",
		"XPath":                "path\tencoding\trecord_xpath\tn_records\nlist.html\t\t//li[\t9\n",
	} {
		if _, err := Judge(write("bad.tsv", table)); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("error %v, want %q", err, problem)
		}
	}
}
