package sitecmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sluice/cmd/sluice/cli"
	"sluice/shared/structure"
)

// The last page of a list, with one record, is known by an earlier analysis of its host.
func TestLastPageAlone(t *testing.T) {
	dir := t.TempDir()
	page := func(name string, current, records int) string {
		var b bytes.Buffer
		b.WriteString("<title>Chairs</title><h1>Chairs</h1><div class=grid>")
		for i := range records {
			fmt.Fprintf(&b, "<div class=card><h3><a href=/p/%d>Garden chair %[1]d</a></h3><p>Folding chair of beech wood, number %[1]d, weatherproof.</p></div>", 10*current+i)
		}
		b.WriteString("</div><p class=pager>")
		for n := 1; n <= 4; n++ {
			if n == current {
				fmt.Fprintf(&b, "<b>%d</b> ", n)
			} else {
				fmt.Fprintf(&b, "<a href='/chairs?page=%d'>%[1]d</a> ", n)
			}
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	page("first.html", 1, 12)
	last := page("last.html", 4, 1)
	if layer, records := analyzeFile(t, filepath.Join(dir, "unknown"), last); layer != structure.DetailLayer || records != 0 {
		t.Errorf("the page of an unknown host is a %s with %d records", layer, records)
	}
	sites := filepath.Join(dir, "sites")
	analyzeFile(t, sites, filepath.Join(dir, "first.html"))
	if layer, records := analyzeFile(t, sites, last); layer != structure.ListLayer || records != 1 {
		t.Errorf("the last page is a %s with %d records, want a list with one", layer, records)
	}
}

// analyzeFile returns the layer of a page of chairs.test and the records of its main list.
func analyzeFile(t *testing.T, sites, file string) (layer string, records int) {
	t.Helper()
	var got struct {
		Layer string
		Lists []struct{ Count int }
	}
	analyze(t, &got, "--host", "chairs.test", "--sites", sites, file)
	if len(got.Lists) > 0 {
		records = got.Lists[0].Count
	}
	return got.Layer, records
}

// analyze runs site analyze and decodes what it prints.
func analyze(t *testing.T, got any, args ...string) {
	t.Helper()
	var out, logs bytes.Buffer
	cmd := New(cli.Streams{Out: &out, Err: &logs}, func(string) string { return "" })
	cmd.SetArgs(append([]string{"analyze", "--json"}, args...))
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v; %s", err, &logs)
	}
	if err := json.Unmarshal(out.Bytes(), got); err != nil {
		t.Fatal(err)
	}
}
