package freeze

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/crawl/step"
	"sluice/shared/demo"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/topics"
)

// crawl crawls a web for finance into a folder, reproducibly with a random seed.
func crawl(t *testing.T, dir string, web http.Handler, seeds []string, randomSeed uint64) *local.Summary {
	t.Helper()
	compiled, err := topic.Read("finance.yaml", topics.Finance)
	if err != nil {
		t.Fatal(err)
	}
	c, err := local.Open(t.Context(), local.Spec{
		Dir: dir, Topic: compiled, Source: topics.Finance, Seeds: seeds, Contact: "https://eval.invalid/", Version: "test",
		Transport: frozenweb.Transport{Handler: web}, RandomSeed: randomSeed,
	})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Run(t.Context(), t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return sum
}

// verdicts are how the pages of a crawl ended.
func verdicts(t *testing.T, dir string) map[string]ledger.Verdict {
	t.Helper()
	folder, err := local.OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	of := map[string]ledger.Verdict{}
	for ends, err := range folder.Ends(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, end := range ends {
			of[end.URL] = end.Entry.Verdict
			if end.Entry.Verdict == ledger.Passed {
				of[end.URL] = ledger.Rejected // a page without text is refused for that
			}
		}
	}
	return of
}

// A crawl of the demo web and one of what was frozen of it end with the same
// documents, and meet the same redirects, sitemaps, missing and forbidden pages.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	web := demo.New()
	crawl(t, first, web, web.Seeds(), 1)
	var file bytes.Buffer
	result, err := Folder(t.Context(), first, &file)
	if err != nil {
		t.Fatal(err)
	}
	frozen, err := frozenweb.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if result.Web != "finance" || result.Pages != len(frozen.Pages) || result.Redirects == 0 || result.Sources == 0 || result.Missing == 0 {
		t.Errorf("result is %+v", result)
	}
	if diff := cmp.Diff(web.Seeds(), frozen.Seeds); diff != "" {
		t.Errorf("seeds (-want +got):\n%s", diff)
	}

	crawl(t, second, frozen, frozen.Seeds, 1)
	kept, err := wholecrawl.Kept(first)
	if err != nil {
		t.Fatal(err)
	}
	again, err := wholecrawl.Kept(second)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(kept)
	slices.Sort(again)
	if diff := cmp.Diff(kept, again); diff != "" {
		t.Errorf("documents (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(verdicts(t, first), verdicts(t, second)); diff != "" {
		t.Errorf("ends (-first +second):\n%s", diff)
	}
	if len(kept) != result.Documents || len(kept) == 0 {
		t.Errorf("%d documents are labelled, %d were kept", result.Documents, len(kept))
	}
	types := map[string]int{}
	for i := range frozen.Pages {
		if p := &frozen.Pages[i]; p.Label == "finance" {
			_, charset, _ := strings.Cut(strings.ToLower(p.Type), "charset=")
			types[charset]++
		}
	}
	if len(types) < 2 {
		t.Errorf("the documents have the charsets %v: pages were changed", types)
	}

	var twice bytes.Buffer
	if _, err := Folder(t.Context(), first, &twice); err != nil || !bytes.Equal(file.Bytes(), twice.Bytes()) {
		t.Errorf("the second time is another file, error %v", err)
	}
}

// Pages that the crawl held are in the web as they were served, too.
func TestHeldPages(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		dir, web := filepath.Join(t.TempDir(), "crawl"), demo.New()
		crawl(t, dir, web, web.Seeds(), 0)
		var file bytes.Buffer
		result, err := Folder(t.Context(), dir, &file)
		if err != nil {
			t.Fatal(err)
		}
		frozen, err := frozenweb.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		served := 0
		for i := range frozen.Pages {
			p := &frozen.Pages[i]
			if p.Label != frozenweb.None || p.Redirect != "" {
				continue
			}
			rec := httptest.NewRecorder()
			web.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, p.URL, nil))
			if rec.Code == http.StatusOK && bytes.Equal(p.Body, rec.Body.Bytes()) {
				served++
			}
		}
		if result.Held == 0 || served < result.Held || result.Held >= result.Others {
			t.Errorf("%d of the pages that were not kept are as they were served; result is %+v", served, result)
		}
	})
}

// Redirects to nowhere are missing, like pages that could not be fetched.
func TestRedirects(t *testing.T) {
	for to, want := range map[string]string{
		"/b?x=1":           "http://a.test/b?x=1",
		"https://b.test":   "https://b.test/",
		"":                 "",
		"mailto:x@a.test":  "",
		"http://[broken/":  "",
		"ftp://a.test/pub": "",
	} {
		var file bytes.Buffer
		out, err := frozenweb.NewWriter(&file, "x", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		f := freezer{out: out}
		if err := f.write("http://a.test/a", &ledger.Entry{Verdict: ledger.Rejected, Rule: "redirect_url"}, &step.Trace{Status: 301, Target: to}); err != nil {
			t.Fatal(err)
		}
		if err := f.add(&frozenweb.Page{URL: "http://a.test/"}, new(int)); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		web, err := frozenweb.Read(&file)
		if err != nil {
			t.Fatalf("redirect to %q: %v", to, err)
		}
		p := web.Page("http://a.test/a")
		if (p == nil) != (want == "") || p != nil && p.Redirect != want || f.result.Missing+f.result.Redirects != 1 {
			t.Errorf("redirect to %q: page %+v, result %+v", to, p, f.result)
		}
	}
}
