package local_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/dataset/export"
	"sluice/shared/local"
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
	wantRules := []export.Count{{Name: "http_404", N: 2}, {Name: "description_threshold", N: 1}, {Name: "robots", N: 1}}
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
	if res.Records != sum.Kept || res.Left != (export.Left{}) || res.State != export.StateStopped || res.Indexed != sum.Kept+1 {
		t.Errorf("%+v, want the %d documents, and a reject in the index", res, sum.Kept)
	}
}

// What the ledger points at is what is in the corpus, of each generation the
// newest that it has, and a check finds it whole.
func TestCurrent(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	sum := run(t, s)
	s.Refresh = true
	run(t, s)
	f := folder(t, s.Dir)
	urls := map[string]int{}
	for list, err := range f.Current(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			urls[p.URL]++
			if p.WARC.File == "" || p.WARC.Length == 0 {
				t.Errorf("%s is nowhere: %+v", p.URL, p.WARC)
			}
		}
	}
	if int64(len(urls)) != sum.Kept || f.Generation() != 2 {
		t.Errorf("%v, want the %d documents of generation 2", urls, sum.Kept)
	}
	dataset, err := f.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	res, err := export.CheckFolder(t.Context(), dataset, nil)
	if err != nil || len(res.Problems) > 0 || res.Records != sum.Kept || res.Located != sum.Kept {
		t.Errorf("%+v, %v", res, err)
	}
}

// A damaged page of the state is found by every reader.
func TestVerify(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	run(t, s)
	if err := folder(t, s.Dir).Verify(t.Context()); err != nil {
		t.Error(err)
	}
	path := filepath.Join(s.Dir, local.StateFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear(data[len(data)-4096:])
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := folder(t, s.Dir).Verify(t.Context()); err == nil {
		t.Error("the empty last page is not reported")
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
