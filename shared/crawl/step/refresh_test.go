package step_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// refresh begins another generation of the crawl, on a web in which some pages
// are others.
func (w *world) refresh(t testing.TB, pages map[string]string) {
	t.Helper()
	g, _ := w.ports.Prior.(*ledger.Generations)
	crawls := []string{w.id}
	if g != nil {
		crawls = append([]string{w.id}, g.Crawls[1:]...)
	}
	w.id = fmt.Sprintf("%s@%d", crawlID, len(crawls)+1)
	w.ports.Prior = &ledger.Generations{Reader: w.store.Ledger(), Crawls: append([]string{w.id}, crawls...)}
	if _, err := w.corpus.Turn(); err != nil {
		t.Fatal(err)
	}
	for url, page := range pages {
		w.web.pages[url] = page
	}
	w.step = nil
}

// versions reads the corpus, by ID.
func (w *world) versions(t testing.TB) map[string]corpus.Document {
	t.Helper()
	return records(t, w.dir, "corpus", func(d corpus.Document) string { return d.ID })
}

// entry is how the page ended in this generation.
func (w *world) entry(t testing.TB) *ledger.Entry {
	t.Helper()
	e := w.trail(t, onePage).Entry
	if e == nil {
		t.Fatal("the page has not ended")
	}
	return e
}

const onePage = "http://a.test/on"

// page is an answer on the topic with header lines.
func page(header, text string) string {
	return "200\n" + header + "\n<title>股市 银行</title>" + text + "<a href=/next>银行</a>"
}

const (
	tagged  = "ETag: \"v1\"\n"
	weak    = "ETag: W/\"v1\"\n"
	dated   = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\n"
	newText = "<div><p>今天的消息与昨天完全不同，文章已经重写，正文比从前更长一些，讲述的也是另外的事情，读者看到的是新的内容。</p>" +
		"<p>第二段同样是新写的，仍然足够长，可以被当作正文提取出来，与旧的版本没有一句相同的话。</p></div>"
)

// What a refresh finds of a page that was kept, and what follows.
func TestRefresh(t *testing.T) {
	t.Parallel()
	type result struct {
		Fate      string
		Change    ledger.Change
		SameSpot  bool // the entry points at the record of the first crawl
		Documents int
		Followed  bool // a link of the page waits
	}
	tests := []struct {
		name, before, after string
		header              http.Header // of the second request
		want                result
	}{
		{
			name: "not modified by its tag", before: page(tagged, "$TEXT"), after: page(tagged, "$TEXT"),
			header: http.Header{"If-None-Match": {`"v1"`}}, want: result{"kept", ledger.Unchanged, true, 1, false},
		},
		{
			name: "not modified by its weak tag", before: page(weak, "$TEXT"), after: page(weak, "$TEXT"),
			header: http.Header{"If-None-Match": {`W/"v1"`}}, want: result{"kept", ledger.Unchanged, true, 1, false},
		},
		{
			name: "not modified by its date", before: page(dated, "$TEXT"), after: page(dated, "$TEXT"),
			header: http.Header{"If-Modified-Since": {"Sun, 06 Nov 1994 08:49:37 GMT"}}, want: result{"kept", ledger.Unchanged, true, 1, false},
		},
		{
			name: "the same text without validators", before: page("", "$TEXT"), after: page("", "<p>登录</p>$TEXT"),
			want: result{"kept", ledger.Unchanged, true, 1, true},
		},
		{
			name: "the same text under another tag", before: page(tagged, "$TEXT"), after: page("ETag: \"v2\"\n", "$TEXT"),
			header: http.Header{"If-None-Match": {`"v1"`}}, want: result{"kept", ledger.Unchanged, true, 1, true},
		},
		{
			name: "another text", before: page(tagged, "$TEXT"), after: page("ETag: \"v2\"\n", newText),
			header: http.Header{"If-None-Match": {`"v1"`}}, want: result{"kept", ledger.Changed, false, 2, true},
		},
		{
			name: "a hostile tag is not sent", before: page("ETag: \"v1\" , *\n", "$TEXT"), after: page("ETag: \"v1\" , *\n", "$TEXT"),
			want: result{"kept", ledger.Unchanged, true, 1, true},
		},
		{
			name: "off topic now", before: page("", "$TEXT"), after: "<title>晴朗的天气预报</title>" + newText,
			want: result{"passed description_threshold", ledger.Gone, false, 1, false},
		},
		{
			name: "the same text under another description stays", before: page("", "$TEXT"), after: "<title>股市 银行</title><meta name=description content=晴朗的天气预报说小雨转多云大风降温>$TEXT",
			want: result{"kept", ledger.Unchanged, true, 1, false},
		},
		{
			name: "opted out, with the same text", before: page("", "$TEXT"), after: page("X-Robots-Tag: noai\n", "$TEXT"),
			want: result{"rejected noai", ledger.Gone, false, 1, true},
		},
		{
			name: "opted out, not modified", before: page(tagged, "$TEXT"), after: page(tagged+"X-Robots-Tag: noindex\n", "$TEXT"),
			header: http.Header{"If-None-Match": {`"v1"`}}, want: result{"rejected noindex", ledger.Gone, false, 1, false},
		},
		{
			name: "not found", before: page(tagged, "$TEXT"), after: "404\n\n",
			header: http.Header{"If-None-Match": {`"v1"`}}, want: result{"rejected gone", ledger.Gone, false, 1, false},
		},
		{name: "gone", before: page("", "$TEXT"), after: "410\n\n", want: result{"rejected gone", ledger.Gone, false, 1, false}},
		{name: "forbidden", before: page("", "$TEXT"), after: "403\n\n", want: result{"rejected http_403", ledger.Gone, false, 1, false}},
		{name: "moved", before: page("", "$TEXT"), after: "301 /next\n\n", want: result{"rejected moved", ledger.Gone, false, 1, true}},
		{
			name: "moved by the page", before: page("", "$TEXT"), after: "<meta http-equiv=refresh content='0;url=/next'>",
			want: result{"rejected moved", ledger.Gone, false, 1, true},
		},
		{name: "no page now", before: page("", "$TEXT"), after: "200\nContent-Type: application/pdf\n\n%PDF", want: result{"rejected not_html", ledger.Gone, false, 1, false}},
		{name: "no name", before: page("", "$TEXT"), after: "fail permanent dns", want: result{"rejected dns", ledger.Unreached, false, 1, false}},
		{name: "too slow", before: page("", "$TEXT"), after: "fail permanent slow_body", want: result{"rejected slow_body", ledger.Unreached, false, 1, false}},
		{name: "unreadable", before: page("", "$TEXT"), after: "fail permanent bad_encoding", want: result{"rejected bad_encoding", ledger.Unreached, false, 1, false}},
		{name: "down", before: page("", "$TEXT"), after: "500\n\n", want: result{"dead http_500", ledger.Unreached, false, 1, false}},
		{
			name: "a 304 to an unconditional request", before: page("", "$TEXT"), after: "304\n\n",
			want: result{"rejected http_304", ledger.Unreached, false, 1, false},
		},
		{name: "new", before: "404\n\n", after: page("", "$TEXT"), want: result{"kept", ledger.New, false, 1, true}},
		{name: "never there", before: "404\n\n", after: "404\n\n", want: result{"rejected http_404", "", false, 0, false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "")
			w.web.pages[onePage] = tt.before
			w.run(t, link(onePage))
			first := w.entry(t)
			if first.Change != "" {
				t.Errorf("a first crawl finds the change %q", first.Change)
			}

			w.refresh(t, map[string]string{onePage: tt.after})
			again := link(onePage)
			if strings.HasPrefix(tt.want.Fate, "dead") {
				again.Attempts = 4
			}
			w.run(t, again)
			e := w.entry(t)
			got := result{
				w.fate(t, onePage), e.Change, e.Segment == first.Segment && e.Offset == first.Offset && e.Length == first.Length && e.Segment != "",
				len(w.versions(t)), w.fate(t, "http://a.test/next") == "waiting",
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("refresh (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.header, w.web.conditions(onePage)); diff != "" {
				t.Errorf("conditions of the request (-want +got):\n%s", diff)
			}
			if first.Verdict != ledger.Kept {
				return
			}
			previous := ""
			if e.Change == ledger.Gone {
				previous = corpus.DocumentID(onePage, 1)
			}
			if r := w.rejects(t)[onePage]; r.Previous != previous {
				t.Errorf("the reject marks %q as gone, want %q", r.Previous, previous)
			}
		})
	}
}

// A page that robots.txt forbids now is not requested, and its document is
// removed.
func TestRefreshForbidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.web.pages[onePage] = page("", "$TEXT")
	w.run(t, link(onePage))
	w.clock.advance(48 * time.Hour) // what is known of robots.txt is stale
	w.refresh(t, map[string]string{"http://a.test/robots.txt": "200\nContent-Type: text/plain\n\nUser-agent: *\nDisallow: /on\n"})
	w.run(t, link(onePage), link("http://a.test/on2"))
	if e := w.entry(t); e.Change != ledger.Gone || w.fate(t, onePage) != "rejected robots" {
		t.Errorf("the page is %s, change %q", w.fate(t, onePage), e.Change)
	}
	if got := w.fate(t, "http://a.test/on2"); got != "skipped robots" {
		t.Errorf("a page that was not kept is %s", got)
	}
	if n := w.web.requests()[onePage]; n != 1 {
		t.Errorf("the page was asked for %d times, want once", n)
	}
	if r := w.rejects(t)[onePage]; r.Previous != corpus.DocumentID(onePage, 1) || r.Rule != step.RuleRobots {
		t.Errorf("reject is %+v", r)
	}
}

// forgetfulPrior knows no digests of texts, as a crawl of an older program.
type forgetfulPrior struct{ step.Prior }

func (p forgetfulPrior) Past(ctx context.Context, urls []string) ([]ledger.Past, error) {
	past, err := p.Prior.Past(ctx, urls)
	for _, one := range past {
		if one.Kept == nil {
			continue
		}
		var trace step.Trace
		if err := json.Unmarshal(one.Kept.Trace, &trace); err != nil {
			return nil, err
		}
		trace.TextDigest = ""
		if one.Kept.Trace, err = json.Marshal(trace); err != nil {
			return nil, err
		}
	}
	return past, err
}

// archived is the digest of all that was kept.
type archived string

func (a archived) Digest(*ledger.Entry) string { return string(a) }

// Where no digest was noted, the archive decides what has changed.
func TestRefreshFromArchive(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, after, digest string // "same": that of what was kept
		archive             bool
		want                ledger.Change
	}{
		{"the same text", "$TEXT", "same", true, ledger.Unchanged},
		{"another text", newText, "same", true, ledger.Changed},
		{"cannot be read", "$TEXT", "", true, ledger.Changed},
		{"no archive", "$TEXT", "", false, ledger.Changed},
		{"no text, and cannot be read", "<p>登录</p>", "", true, ledger.Gone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "")
			w.web.pages[onePage] = page("", "$TEXT")
			w.run(t, link(onePage))
			digest := readTrace(t, w.entry(t)).TextDigest
			w.refresh(t, map[string]string{onePage: page("", tt.after)})
			w.ports.Prior = forgetfulPrior{w.ports.Prior}
			if tt.archive {
				w.ports.Archive = archived(strings.ReplaceAll(tt.digest, "same", digest))
			}
			w.run(t, link(onePage))
			e := w.entry(t)
			if e.Change != tt.want {
				t.Errorf("found %q, want %q", e.Change, tt.want)
			}
			if tt.want == ledger.Unchanged && readTrace(t, e).TextDigest != digest {
				t.Error("the digest is still not noted")
			}
		})
	}
}

func readTrace(t *testing.T, e *ledger.Entry) (trace step.Trace) {
	t.Helper()
	if err := json.Unmarshal(e.Trace, &trace); err != nil {
		t.Fatal(err)
	}
	return trace
}

// Versions follow each other over many refreshes, with anything between, and
// each names the one before.
func TestVersions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	text := func(n int) string {
		return page("", strings.ReplaceAll(newText, "今天", fmt.Sprintf("第%d天", n)))
	}
	w.web.pages[onePage] = text(1)
	w.run(t, link(onePage))
	for i, step := range []struct {
		page   string
		change ledger.Change
		ids    int
	}{
		{text(2), ledger.Changed, 2},
		{text(2), ledger.Unchanged, 2},
		{"500\n\n", ledger.Unreached, 2},
		{text(2), ledger.Unchanged, 2},
		{"404\n\n", ledger.Gone, 2},
		{"404\n\n", "", 2},
		{text(2), ledger.New, 2}, // it is back
		{text(3), ledger.Changed, 3},
		{text(1), ledger.Changed, 4}, // what it said once is a version all the same
	} {
		w.refresh(t, map[string]string{onePage: step.page})
		l := link(onePage)
		if step.page[0] == '5' {
			l.Attempts = 4
		}
		w.run(t, l)
		if e := w.entry(t); e.Change != step.change {
			t.Errorf("refresh %d finds %q, want %q", i+1, e.Change, step.change)
		}
		docs := w.versions(t)
		if len(docs) != step.ids {
			t.Errorf("after refresh %d there are %d versions, want %d", i+1, len(docs), step.ids)
		}
		for _, d := range docs {
			want := ""
			if d.Version > 1 {
				want = corpus.DocumentID(onePage, d.Version-1)
			}
			if d.ID != corpus.DocumentID(onePage, d.Version) || d.Previous != want {
				t.Errorf("version %d has ID %s and follows %q", d.Version, d.ID, d.Previous)
			}
		}
		if e := w.entry(t); e.Verdict == ledger.Kept {
			newest := docs[corpus.DocumentID(onePage, step.ids)]
			if newest.WARC.File != e.Segment || newest.WARC.Offset != e.Offset {
				t.Errorf("after refresh %d the ledger points at %s %d, the newest version is in %s %d", i+1, e.Segment, e.Offset, newest.WARC.File, newest.WARC.Offset)
			}
		}
	}
}

// A feed or sitemap that has not changed gives no links again.
func TestRefreshSource(t *testing.T) {
	t.Parallel()
	const feed = "http://a.test/feed.xml"
	answer := func(tag, path string) string {
		return "200\nContent-Type: application/rss+xml\nETag: \"" + tag + "\"\n\n" +
			"<rss><channel><item><title>股市 银行</title><link>http://a.test" + path + "</link></item></channel></rss>"
	}
	w := newWorld(t, "")
	w.web.pages[feed] = answer("1", "/old")
	w.run(t, seed(feed))
	for _, step := range []struct {
		page string
		want map[string]string
	}{
		{answer("1", "/old"), map[string]string{feed: "source", "http://a.test/old": "absent"}},
		{answer("2", "/fresh"), map[string]string{feed: "source", "http://a.test/fresh": "waiting"}},
		{answer("2", "/fresh"), map[string]string{feed: "source", "http://a.test/fresh": "absent"}},
	} {
		w.refresh(t, map[string]string{feed: step.page})
		w.run(t, seed(feed))
		if diff := cmp.Diff(step.want, w.fates(t, step.want)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", w.id, diff)
		}
	}
}

// A crash after every effect of a refresh, and a delivery again, leave one
// version and the same end.
func TestRefreshCrashes(t *testing.T) {
	t.Parallel()
	for after, change := range map[string]ledger.Change{
		page("ETag: \"v2\"\n", newText): ledger.Changed, page(tagged, "$TEXT"): ledger.Unchanged,
		"404\n\n": ledger.Gone, "301 /next\n\n": ledger.Gone,
	} {
		crashes := 0
		for at := 0; ; at++ {
			w := newWorld(t, "")
			w.web.pages[onePage] = page(tagged, "$TEXT")
			w.run(t, link(onePage))
			w.refresh(t, map[string]string{onePage: after})
			crash := errors.New("killed")
			n, crashed := 0, false
			w.watch(func(string, string) error {
				if n++; !crashed && n == at+1 {
					crashed = true
					return crash
				}
				return nil
			})
			task := w.task(t, link(onePage))
			if _, err := w.try(t, task); err == nil {
				break // there is no such effect
			}
			crashes++
			w.step = nil // another process has no caches
			w.clock.advance(time.Hour)
			for range 2 {
				if _, err := w.try(t, task); err != nil {
					t.Fatal(err)
				}
			}
			if e := w.entry(t); e.Change != change {
				t.Errorf("crash at effect %d: change %q, want %q", at, e.Change, change)
			}
			documents, rejects := 1, 0
			switch change {
			case ledger.Changed:
				documents = 2
			case ledger.Gone:
				rejects = 1
			}
			if d, r := w.versions(t), w.rejects(t); len(d) != documents || len(r) != rejects {
				t.Errorf("crash at effect %d: %d documents and %d rejects, want %d and %d", at, len(d), len(r), documents, rejects)
			}
		}
		if crashes < 4 {
			t.Errorf("only %d effects were seen", crashes)
		}
	}
}

// The store of another generation does not take a page for a redelivery of an
// orphan: a document that was put, and whose end was never written.
func TestOrphanOfABrokenRefresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.web.pages[onePage] = page("", "$TEXT")
	w.run(t, link(onePage))
	w.refresh(t, map[string]string{onePage: page("", newText)})
	ports := w.ports
	w.watch(func(effect, _ string) error {
		if effect == "Complete" {
			return errors.New("killed")
		}
		return nil
	})
	if _, err := w.try(t, w.task(t, link(onePage))); err == nil {
		t.Fatal("no error")
	}
	w.ports = ports
	w.clock.advance(time.Hour)
	w.refresh(t, map[string]string{onePage: page("", strings.ReplaceAll(newText, "今天", "明天"))})
	w.run(t, link(onePage))
	e := w.entry(t)
	var current []corpus.Document
	for _, d := range records(t, w.dir, "corpus", func(d corpus.Document) string { return fmt.Sprint(d.WARC) }) {
		if d.WARC.File == e.Segment && d.WARC.Offset == e.Offset {
			current = append(current, d)
		}
	}
	if len(current) != 1 || current[0].Version != 2 || !strings.Contains(current[0].Text, "明天") {
		t.Errorf("the ledger points at %+v", current)
	}
}

// A crawl that refreshes none asks for no conditions and finds no changes.
func TestNoRefresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.web.pages[onePage] = page(tagged+dated, "$TEXT")
	w.run(t, link(onePage))
	d := w.versions(t)[corpus.DocumentID(onePage, 1)]
	if d.Version != 1 || d.Previous != "" {
		t.Errorf("version %d, previous %q", d.Version, d.Previous)
	}
	if h := w.web.conditions(onePage); h != nil {
		t.Errorf("asked with %v", h)
	}
}

// What is not known of earlier crawls is an error of the port: without it a
// document would be stored twice.
func TestPriorFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, oneOfEach)
	w.ports.Prior = &ledger.Generations{Reader: w.store.Ledger(), Crawls: []string{w.id}}
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.try(t, w.task(t, link(onePage))); err == nil {
		t.Error("no error")
	}
}

// conditions are the conditional headers of the last request for a URL, nil for
// none.
func (w *web) conditions(url string) http.Header {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.headers[url]
}
