// Package corpustest is the conformance suite of corpus.Store, for adapters and
// decorators.
package corpustest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/state/corpus"
)

// Fixture is a fresh, empty store with the means to look behind it.
type Fixture struct {
	Store corpus.Store

	// Restart takes the store's process away without any goodbye and returns
	// another store on the same data. The old one is not used again.
	Restart func(t *testing.T) corpus.Store

	// Documents and Rejects return all records, in any order.
	Documents func(t *testing.T) []corpus.Document
	Rejects   func(t *testing.T) []corpus.Reject

	// Records returns the records of all WARC files.
	Records func(t *testing.T) []*corpus.Record

	// TargetURI returns the target URI of the one response record at loc.
	TargetURI func(t *testing.T, loc corpus.Location) string
}

// Run runs the suite; open returns a new Fixture for each check.
func Run(t *testing.T, open func(t *testing.T) *Fixture) {
	for _, check := range []struct {
		name string
		why  string
		run  func(t *testing.T, f *Fixture)
	}{
		{"put", "a document leads to its exchange", put},
		{"put again", "delivery is at least once", putAgain},
		{"put after restart", "a killed process did not note its success", putAfterRestart},
		{"put concurrently", "two deliveries of a page may overlap", putConcurrently},
		{"reject again", "delivery is at least once", rejectAgain},
		{"reject after restart", "a killed process did not note its success", rejectAfterRestart},
		{"reject with exchange", "a page may be judged again", rejectWithExchange},
		{"reject with exchange again", "delivery is at least once", rejectWithExchangeAgain},
		{"reject with exchange concurrently", "two deliveries of a page may overlap", rejectWithExchangeConcurrently},
		{"outlinks", "a strategy may order by the graph of links", outlinks},
		{"kinds apart", "a page may be refused after a document of its URL is stored", kindsApart},
		{"malformed", "bad input is distinguished from failures", malformed},
		{"canceled", "nothing is started after the deadline", canceled},
		{"hostile URL", "a URL is not more than a URL", hostileURL},
		{"arguments", "they belong to the caller", arguments},
	} {
		t.Run(check.name, func(t *testing.T) { check.run(t, open(t)) })
	}
}

// Page returns the exchange and document of a page; equal i, equal pages.
func Page(i int) (*corpus.Exchange, *corpus.Document) {
	url := "http://www.news.test/" + strconv.Itoa(i) + ".html"
	body := fmt.Appendf(nil, "<html><title>第%d条</title><p>正文 %d</p></html>", i, i)
	x := &corpus.Exchange{
		URL:          url,
		Date:         time.Date(2026, 11, 21, 8, 0, i, 0, time.UTC),
		IP:           "192.0.2.1",
		RequestHead:  fmt.Appendf(nil, "GET /%d.html HTTP/1.1\r\nHost: www.news.test\r\n\r\n", i),
		ResponseHead: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n", len(body)),
		Body:         body,
		Metadata:     []byte(`{"depth":1}`),
	}
	d := &corpus.Document{
		URL: url, FinalURL: url, Title: fmt.Sprintf("第%d条", i), Text: fmt.Sprintf("正文 %d\n", i),
		DateFetched: corpus.Date{Time: x.Date}, Language: "zh", Topic: "finance",
	}
	return x, d
}

func mustPut(t *testing.T, s corpus.Store, i int) corpus.Location {
	t.Helper()
	x, d := Page(i)
	loc, err := s.Put(t.Context(), x, d)
	if err != nil {
		t.Fatalf("put page %d: %v", i, err)
	}
	if d.WARC != loc {
		t.Errorf("put page %d: d.WARC is %+v, returned was %+v", i, d.WARC, loc)
	}
	mustSync(t, s)
	return loc
}

func mustReject(t *testing.T, s corpus.Store, url, rule string) {
	t.Helper()
	if err := s.Reject(t.Context(), &corpus.Reject{URL: url, Rule: rule}); err != nil {
		t.Fatalf("reject %s: %v", url, err)
	}
	mustSync(t, s)
}

func mustSync(t *testing.T, s corpus.Store) {
	t.Helper()
	if err := s.Sync(t.Context()); err != nil {
		t.Fatalf("sync: %v", err)
	}
}

// wantDocuments checks that exactly the pages 0 to n-1 are stored, once each,
// and lead to their exchanges.
func wantDocuments(t *testing.T, f *Fixture, n int) {
	t.Helper()
	times := map[string]int{}
	for _, d := range f.Documents(t) {
		times[d.FinalURL]++
		if got := f.TargetURI(t, d.WARC); got != d.FinalURL {
			t.Errorf("document of %s leads to an exchange of %s", d.FinalURL, got)
		}
	}
	want := map[string]int{}
	for i := range n {
		_, d := Page(i)
		want[d.FinalURL] = 1
	}
	if diff := cmp.Diff(want, times); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

func wantRejects(t *testing.T, f *Fixture, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, r := range f.Rejects(t) {
		if _, twice := got[r.URL]; twice {
			t.Errorf("%s was rejected twice", r.URL)
		}
		got[r.URL] = r.Rule
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
}

func put(t *testing.T, f *Fixture) {
	for i := range 5 {
		mustPut(t, f.Store, i)
	}
	wantDocuments(t, f, 5)
}

func putAgain(t *testing.T, f *Fixture) {
	first := mustPut(t, f.Store, 0)
	mustPut(t, f.Store, 1)
	if again := mustPut(t, f.Store, 0); again != first {
		t.Errorf("second put returned %+v, the first %+v", again, first)
	}
	wantDocuments(t, f, 2)
}

func putAfterRestart(t *testing.T, f *Fixture) {
	first := mustPut(t, f.Store, 0)
	f.Store = f.Restart(t)
	if again := mustPut(t, f.Store, 0); again != first {
		t.Errorf("put after restart returned %+v, the first %+v", again, first)
	}
	mustPut(t, f.Store, 1)
	wantDocuments(t, f, 2)
}

func putConcurrently(t *testing.T, f *Fixture) {
	const pages, deliveries = 8, 6
	var locs [pages][deliveries]corpus.Location
	var wg sync.WaitGroup
	for i := range pages {
		for j := range deliveries {
			wg.Go(func() {
				x, d := Page(i)
				loc, err := f.Store.Put(t.Context(), x, d)
				if err != nil {
					t.Errorf("put page %d: %v", i, err)
				}
				locs[i][j] = loc
				if err := f.Store.Sync(t.Context()); err != nil {
					t.Errorf("sync after page %d: %v", i, err)
				}
			})
		}
	}
	wg.Wait()
	for i := range locs {
		for _, loc := range locs[i][1:] {
			if loc != locs[i][0] {
				t.Errorf("page %d is at %+v and at %+v", i, locs[i][0], loc)
			}
		}
	}
	wantDocuments(t, f, pages)
}

func rejectAgain(t *testing.T, f *Fixture) {
	mustReject(t, f.Store, "http://a.test/", "http_404")
	mustReject(t, f.Store, "http://b.test/", "robots")
	mustReject(t, f.Store, "http://a.test/", "timeout")
	wantRejects(t, f, map[string]string{"http://a.test/": "http_404", "http://b.test/": "robots"})
}

func rejectAfterRestart(t *testing.T, f *Fixture) {
	mustReject(t, f.Store, "http://a.test/", "http_404")
	f.Store = f.Restart(t)
	mustReject(t, f.Store, "http://a.test/", "http_404")
	mustReject(t, f.Store, "http://b.test/", "robots")
	wantRejects(t, f, map[string]string{"http://a.test/": "http_404", "http://b.test/": "robots"})
}

// mustRejectPage rejects page i with its exchange.
func mustRejectPage(t *testing.T, s corpus.Store, i int) corpus.Location {
	t.Helper()
	x, d := Page(i)
	r := &corpus.Reject{URL: "http://asked.test/" + strconv.Itoa(i), FinalURL: d.FinalURL, Rule: "body", Exchange: x}
	if err := s.Reject(t.Context(), r); err != nil {
		t.Fatalf("reject page %d: %v", i, err)
	}
	mustSync(t, s)
	if r.Segment != r.WARC.File || r.WARC.Length == 0 {
		t.Errorf("reject of page %d is in %q, its response at %+v", i, r.Segment, r.WARC)
	}
	return r.WARC
}

// wantRejectedPages checks that the pages 0 to n-1 are rejects, once each, that
// lead to the only response of their page. Others lead to none.
func wantRejectedPages(t *testing.T, f *Fixture, n int) {
	t.Helper()
	got := map[string]string{}
	for _, r := range f.Rejects(t) {
		if r.FinalURL == "" {
			if r.WARC != (corpus.Location{}) {
				t.Errorf("reject of %s without exchange leads to %+v", r.URL, r.WARC)
			}
			continue
		}
		if _, twice := got[r.URL]; twice {
			t.Errorf("%s was rejected twice", r.URL)
		}
		got[r.URL] = f.TargetURI(t, r.WARC)
	}
	want, responses := map[string]string{}, map[string]int{}
	for i := range n {
		_, d := Page(i)
		want["http://asked.test/"+strconv.Itoa(i)] = d.FinalURL
		responses[d.FinalURL] = 1
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("responses of rejects (-want +got):\n%s", diff)
	}
	for _, rec := range f.Records(t) {
		if rec.Type == "response" {
			responses[rec.TargetURI]--
		}
	}
	for url, n := range responses {
		if n != 0 {
			t.Errorf("%s has %d responses", url, 1-n)
		}
	}
}

func rejectWithExchange(t *testing.T, f *Fixture) {
	for i := range 3 {
		mustRejectPage(t, f.Store, i)
		mustReject(t, f.Store, "http://b.test/"+strconv.Itoa(i), "robots")
	}
	wantRejectedPages(t, f, 3)
	wantDocuments(t, f, 0)
}

func rejectWithExchangeAgain(t *testing.T, f *Fixture) {
	first := mustRejectPage(t, f.Store, 0)
	again := func(when string) {
		if at := mustRejectPage(t, f.Store, 0); at != first {
			t.Errorf("%s the place is %+v, the first %+v", when, at, first)
		}
	}
	again("at once")
	f.Store = f.Restart(t)
	again("after a restart")
	mustRejectPage(t, f.Store, 1)
	wantRejectedPages(t, f, 2)
}

func rejectWithExchangeConcurrently(t *testing.T, f *Fixture) {
	const pages, deliveries = 4, 6
	var wg sync.WaitGroup
	for i := range pages * deliveries {
		wg.Go(func() {
			x, d := Page(i % pages)
			r := &corpus.Reject{URL: "http://asked.test/" + strconv.Itoa(i%pages), FinalURL: d.FinalURL, Rule: "body", Exchange: x}
			if err := f.Store.Reject(t.Context(), r); err != nil {
				t.Errorf("reject page %d: %v", i%pages, err)
			}
			if err := f.Store.Sync(t.Context()); err != nil {
				t.Errorf("sync after page %d: %v", i%pages, err)
			}
		})
	}
	wg.Wait()
	wantRejectedPages(t, f, pages)
}

func outlinks(t *testing.T, f *Fixture) {
	const refused = "http://refused.test/"
	for range 2 {
		x, d := Page(0)
		x.Outlinks = []string{"http://a.test/1", "http://a.test/a b\r\noutlink: x", "http://a.test/1"}
		if _, err := f.Store.Put(t.Context(), x, d); err != nil {
			t.Fatal(err)
		}
		r := &corpus.Reject{URL: "http://asked.test/", FinalURL: refused, Rule: "body", Outlinks: []string{"http://b.test/"}}
		if err := f.Store.Reject(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		mustSync(t, f.Store)
		f.Store = f.Restart(t)
	}
	mustPut(t, f.Store, 1)
	mustReject(t, f.Store, "http://other.test/", "http_404")
	_, d := Page(0)
	got := map[string][]string{}
	for _, rec := range f.Records(t) {
		if links := rec.Outlinks(); links != nil {
			got[rec.TargetURI] = links
		}
	}
	want := map[string][]string{
		d.FinalURL: {"http://a.test/1", "http://a.test/a%20b%0D%0Aoutlink:%20x", "http://a.test/1"},
		refused:    {"http://b.test/"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outlinks (-want +got):\n%s", diff)
	}
	wantDocuments(t, f, 2)
	wantRejects(t, f, map[string]string{"http://asked.test/": "body", "http://other.test/": "http_404"})
}

func kindsApart(t *testing.T, f *Fixture) {
	_, d := Page(0)
	mustReject(t, f.Store, d.FinalURL, "http_503")
	mustPut(t, f.Store, 0)
	wantDocuments(t, f, 1)
	wantRejects(t, f, map[string]string{d.FinalURL: "http_503"})

	mustPut(t, f.Store, 1)
	mustRejectPage(t, f.Store, 1)
	mustRejectPage(t, f.Store, 2)
	mustPut(t, f.Store, 2)
	wantDocuments(t, f, 3)
	for _, r := range f.Rejects(t) {
		if r.FinalURL != "" && f.TargetURI(t, r.WARC) != r.FinalURL {
			t.Errorf("reject of %s leads to %s", r.FinalURL, f.TargetURI(t, r.WARC))
		}
	}
}

func malformed(t *testing.T, f *Fixture) {
	x, d := Page(0)
	d.FinalURL += "?other"
	if _, err := f.Store.Put(t.Context(), x, d); fault.Of(err) == nil || fault.Of(err).Class != fault.Poison {
		t.Errorf("put of unlike URLs: %v, want poison", err)
	}
	if err := f.Store.Reject(t.Context(), &corpus.Reject{URL: x.URL}); fault.Of(err) == nil || fault.Of(err).Class != fault.Poison {
		t.Errorf("reject without rule: %v, want poison", err)
	}
	if err := f.Store.Reject(t.Context(), &corpus.Reject{URL: x.URL, FinalURL: d.FinalURL, Rule: "x", Exchange: x}); fault.Of(err) == nil || fault.Of(err).Class != fault.Poison {
		t.Errorf("reject of unlike URLs: %v, want poison", err)
	}
	wantDocuments(t, f, 0)
	wantRejects(t, f, map[string]string{})
}

func canceled(t *testing.T, f *Fixture) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x, d := Page(0)
	if _, err := f.Store.Put(ctx, x, d); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v, want canceled", err)
	}
	if err := f.Store.Reject(ctx, &corpus.Reject{URL: x.URL, Rule: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("reject: %v, want canceled", err)
	}
	if err := f.Store.Sync(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("sync: %v, want canceled", err)
	}
	wantDocuments(t, f, 0)
	wantRejects(t, f, map[string]string{})
}

func hostileURL(t *testing.T, f *Fixture) {
	const url = "http://a.test/\r\nWARC-Target-URI: http://b.test/\x00 上\xff\n{\"v\":1}"
	const safe = "http://a.test/%0D%0AWARC-Target-URI:%20http://b.test/%00%20%E4%B8%8A%FF%0A{\"v\":1}"
	for range 2 {
		x, d := Page(0)
		x.URL, d.FinalURL = url, url
		if _, err := f.Store.Put(t.Context(), x, d); err != nil {
			t.Fatal(err)
		}
		mustSync(t, f.Store)
		mustReject(t, f.Store, url, "trap")
		f.Store = f.Restart(t)
	}
	docs := f.Documents(t)
	if len(docs) != 1 || docs[0].FinalURL != safe {
		t.Fatalf("documents are %+v", docs)
	}
	if got := f.TargetURI(t, docs[0].WARC); got != safe {
		t.Errorf("target URI is %q, want %q", got, safe)
	}
	wantRejects(t, f, map[string]string{safe: "trap"})
}

func arguments(t *testing.T, f *Fixture) {
	x, d := Page(0)
	if _, err := f.Store.Put(t.Context(), x, d); err != nil {
		t.Fatal(err)
	}
	rx, rd := Page(1)
	if err := f.Store.Reject(t.Context(), &corpus.Reject{URL: "http://asked.test/1", FinalURL: rd.FinalURL, Rule: "body", Exchange: rx}); err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{x.Body, x.RequestHead, x.ResponseHead, x.Metadata, rx.Body, rx.RequestHead, rx.ResponseHead, rx.Metadata} {
		clear(b)
	}
	mustSync(t, f.Store)
	wantDocuments(t, f, 1)
	for _, r := range f.Rejects(t) {
		if got := f.TargetURI(t, r.WARC); got != rd.FinalURL {
			t.Errorf("reject of %s leads to %s", rd.FinalURL, got)
		}
	}
	wantX, wantD := Page(0)
	wantD.WARC = d.WARC
	if diff := cmp.Diff(wantD, d); diff != "" {
		t.Errorf("document after put (-want +got):\n%s", diff)
	}
	if x.URL != wantX.URL {
		t.Errorf("URL of the exchange is %q", x.URL)
	}
}
