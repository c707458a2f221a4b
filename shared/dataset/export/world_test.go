package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"sluice/shared/fixture"
	"sluice/shared/local/filecorpus"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/neardup"
)

// newDocument is document n of a crawl, with so many characters of text that do
// not compress well.
func newDocument(n, characters int) *corpus.Document {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	var text strings.Builder
	for i := range characters {
		text.WriteRune(rune(0x4e00 + rng.IntN(5000)))
		if i%40 == 39 {
			text.WriteString("。\n")
		}
	}
	url := fmt.Sprintf("http://host%d.test/a/%d.html", n%3, n)
	return &corpus.Document{
		URL: url, FinalURL: url, Title: fmt.Sprintf("标题 %d", n), Text: text.String(), SimHash: simHash(text.String()), Site: "test", Language: "zh", LanguageScore: 0.9,
		Script: "simp", DatePublished: fmt.Sprintf("20%02d-03-04T00:00:00.000+08:00", 10+n%12),
		DateFetched: corpus.Date{Time: time.Date(2026, 11, 21, 8, n%60, 0, 0, time.UTC)}, Topic: "finance", TopicVersion: "1",
		Relevance: corpus.Relevance{Description: corpus.Real(n%10) / 10, TopWords: []string{"股票", "基金"}[:n%3]},
	}
}

func simHash(text string) string {
	return fmt.Sprintf("%016x", neardup.SimHash(neardup.Normalise(text)))
}

// newExchange is what went over the wire for a document.
func newExchange(d *corpus.Document) *corpus.Exchange {
	return &corpus.Exchange{
		URL: d.FinalURL, Date: d.DateFetched.Time,
		RequestHead:  []byte("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"),
		ResponseHead: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"),
		Body:         []byte("<p>" + d.Title),
	}
}

// crawlOf makes the folder of a crawl that kept documents. Files are of few
// records, so that there are several.
func crawlOf(t testing.TB, docs ...*corpus.Document) *Folder {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "crawl")
	c, err := filecorpus.Open(dir, filecorpus.Options{WARCSize: 20_000, CorpusSize: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range docs {
		if _, err := c.Put(t.Context(), newExchange(d), d); err != nil {
			t.Fatal(err)
		}
		if i%4 == 0 {
			r := &corpus.Reject{URL: fmt.Sprintf("http://off.test/%d", i), Rule: "noai", Status: 200, Date: d.DateFetched}
			if err := c.Reject(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return &Folder{Dir: dir}
}

// someDocuments are n documents of 20 to 400 characters.
func someDocuments(n int) []*corpus.Document {
	docs := make([]*corpus.Document, n)
	for i := range docs {
		docs[i] = newDocument(i, 20+(i*37)%380)
	}
	return docs
}

func options(f Format) Options { return Options{Format: f, ShardSize: 8_000, Sluice: "test"} }

// mustRun exports, and checks the outcome.
func mustRun(t testing.TB, folders []*Folder, out string, opts Options, tools Tools) *Result {
	t.Helper()
	res, err := Run(t.Context(), folders, out, opts, tools)
	if err != nil {
		t.Fatal(err)
	}
	if problems := problemsOf(t, out); len(problems) > 0 {
		t.Fatalf("check: %q", problems)
	}
	return res
}

func problemsOf(t testing.TB, out string) []string {
	t.Helper()
	list, err := Check(t.Context(), out, nil)
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, c := range list {
		problems = append(problems, c.Problems...)
	}
	return problems
}

// tree reads all files below a folder.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameTrees(t testing.TB, want, have map[string]string) {
	t.Helper()
	for name := range want {
		if _, ok := have[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if have[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is too many", name)
		}
	}
}

// unpack undoes the compression of a file.
func unpack(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	plain, err := z.DecodeAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// readLines returns the records of an export of JSON lines, in order.
func readLines(t testing.TB, res *Result) []*corpus.Document {
	t.Helper()
	var docs []*corpus.Document
	for _, s := range res.Shards {
		for l := range strings.Lines(unpack(t, filepath.Join(res.Out, s.Name))) {
			d := new(corpus.Document)
			if err := json.Unmarshal([]byte(l), d); err != nil {
				t.Fatal(err)
			}
			docs = append(docs, d)
		}
	}
	return docs
}

func urlsOf(docs []*corpus.Document) []string {
	var urls []string
	for _, d := range docs {
		urls = append(urls, d.FinalURL)
	}
	return urls
}

// books is a ledger.
type books map[string]*ledger.Entry

func (b books) Entries(_ context.Context, urls []string) ([]*ledger.Entry, error) {
	entries := make([]*ledger.Entry, len(urls))
	for i, u := range urls {
		entries[i] = b[u]
	}
	return entries, nil
}

// Current implements Ledger.
func (b books) Current(ctx context.Context) iter.Seq2[[]Pointed, error] {
	return func(yield func([]Pointed, error) bool) {
		for _, u := range slices.Sorted(maps.Keys(b)) {
			e := b[u]
			if e == nil || e.Verdict != ledger.Kept {
				continue
			}
			if !yield([]Pointed{{u, corpus.Location{File: e.Segment, Offset: e.Offset, Length: e.Length}}}, ctx.Err()) {
				return
			}
		}
	}
}

// doneWith returns the records of a folder as they are there.
func doneWith(docs []*corpus.Document) books {
	b := books{}
	for _, d := range docs {
		b[d.FinalURL] = &ledger.Entry{Verdict: ledger.Kept, Segment: d.WARC.File, Offset: d.WARC.Offset, Length: d.WARC.Length}
	}
	return b
}

// corpusLines are the lines of a folder's corpus.
func corpusLines(t testing.TB, dir string) string {
	t.Helper()
	var all bytes.Buffer
	for _, data := range fixture.Files(t, dir, "corpus", "*.jsonl") {
		all.Write(data)
	}
	return all.String()
}

func diff(t testing.TB, want, have any) {
	t.Helper()
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
