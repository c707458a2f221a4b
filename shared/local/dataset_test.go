package local_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/export"
)

// An export of a crawl has what the crawl kept, and says what it counted.
func TestDataset(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	sum := run(t, s)
	f := folder(t, s.Dir)
	dataset, err := f.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := dataset.Crawl; dataset.Open || c.Name != "money" || c.Fetched != sum.Fetched || c.Kept != sum.Kept {
		t.Errorf("%+v: %+v, want what the summary says: %+v", dataset, c, sum)
	}
	wantRules := []export.Count{{Name: "description_threshold", N: 1}, {Name: "http_404", N: 1}, {Name: "robots", N: 1}}
	if diff := cmp.Diff(wantRules, dataset.Crawl.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	parameters := map[string]string{}
	for _, p := range dataset.Crawl.Parameters {
		parameters[p.Name] = p.Value
	}
	for _, name := range []string{"topic_version", "seeds", "delay", "scope.mode", "budgets.max_pages", "thresholds.description"} {
		if parameters[name] == "" {
			t.Errorf("parameter %s is missing: %v", name, parameters)
		}
	}
	res, err := export.Run(t.Context(), []*export.Folder{dataset}, filepath.Join(t.TempDir(), "out"), export.Options{Format: export.JSONL}, export.Tools{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Records != sum.Kept || res.Left != (export.Left{}) || res.State != export.StateStopped || res.Indexed != sum.Kept {
		t.Errorf("%+v, want the %d documents", res, sum.Kept)
	}
}

// Entries are those of the pages, as they were asked for.
func TestFolderEntries(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	run(t, s)
	f := folder(t, s.Dir)
	entries, err := f.Entries(t.Context(), []string{web.URL + "/gone", "http://no.test/", web.URL + "/on"})
	if err != nil {
		t.Fatal(err)
	}
	if entries[0].Rule != "http_404" || entries[1] != nil || entries[2].Segment == "" {
		t.Errorf("%+v", entries)
	}
}
