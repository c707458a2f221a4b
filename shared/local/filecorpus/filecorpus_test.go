package filecorpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

func mustOpen(t testing.TB, dir string, opts Options) *Corpus {
	t.Helper()
	c, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// kill ends c as a SIGKILL would: what it holds open is closed, and nothing
// is written that Put and Reject did not write.
func kill(c *Corpus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, a := range []*appender{&c.warc, &c.docs, &c.rejects} {
		if a.file != nil {
			_ = a.file.Close()
		}
	}
	_ = c.lock.Close()
}

func readLines[T any](t testing.TB, dir string, k kind) []T {
	t.Helper()
	return fixture.Lines[T](t, dir, k.dir, "*")
}

// readRecords returns type and target URI of each WARC record of a file, by
// the standard library's gzip reader.
func readRecords(t testing.TB, path string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(b)
	for r.Len() > 0 {
		zip, err := gzip.NewReader(r)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		zip.Multistream(false)
		plain, err := io.ReadAll(zip)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, headerOf(plain, "WARC-Type")+" "+headerOf(plain, "WARC-Target-URI"))
	}
	return all
}

func headerOf(record []byte, name string) string {
	for line := range strings.SplitSeq(string(record), "\r\n") {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return value
		}
	}
	return ""
}

func targetURI(t testing.TB, dir string, loc corpus.Location) string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, loc.File))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	section := bufio.NewReader(io.NewSectionReader(f, loc.Offset, loc.Length))
	zip, err := gzip.NewReader(section)
	if err != nil {
		t.Fatalf("%+v: %v", loc, err)
	}
	zip.Multistream(false)
	plain, err := io.ReadAll(zip)
	if err != nil {
		t.Fatalf("%+v: %v", loc, err)
	}
	if section.Buffered() != 0 {
		t.Errorf("%+v holds more than one record", loc)
	}
	if got := headerOf(plain, "WARC-Type"); got != "response" {
		t.Errorf("%+v is of type %q", loc, got)
	}
	return headerOf(plain, "WARC-Target-URI")
}

func storeWith(opts Options) func(t *testing.T) *corpustest.Fixture {
	return func(t *testing.T) *corpustest.Fixture {
		dir := t.TempDir()
		c := mustOpen(t, dir, opts)
		return &corpustest.Fixture{
			Store: c,
			Restart: func(t *testing.T) corpus.Store {
				kill(c)
				c = mustOpen(t, dir, opts)
				return c
			},
			Documents: func(t *testing.T) []corpus.Document { return readLines[corpus.Document](t, dir, docKind) },
			Rejects:   func(t *testing.T) []corpus.Reject { return readLines[corpus.Reject](t, dir, rejectKind) },
			Records:   func(t *testing.T) []*corpus.Record { return corpustest.Archived(t, dir, "warc", "*") },
			TargetURI: func(t *testing.T, loc corpus.Location) string { return targetURI(t, dir, loc) },
		}
	}
}

func TestConformance(t *testing.T) {
	corpustest.Run(t, storeWith(Options{}))
}

// The WARC files change with every page, the documents stay in the window.
func TestConformanceRotatingWARC(t *testing.T) {
	corpustest.Run(t, storeWith(Options{WARCSize: 1}))
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	c := mustOpen(t, dir, Options{
		WARCSize: 4000, CorpusSize: 2000, RejectSize: 500,
	})
	for i := range 20 {
		x, d := corpustest.Page(i)
		if _, err := c.Put(t.Context(), x, d); err != nil {
			t.Fatal(err)
		}
		if err := c.Reject(t.Context(), &corpus.Reject{URL: x.URL, Rule: "r"}); err != nil {
			t.Fatal(err)
		}
		if i%7 == 6 { // a file continues after a restart
			kill(c)
			c = mustOpen(t, dir, Options{WARCSize: 4000, CorpusSize: 2000, RejectSize: 500})
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind  kind
		limit int64
	}{{warcKind, 4000}, {docKind, 2000}, {rejectKind, 500}} {
		names, _ := filepath.Glob(filepath.Join(dir, tt.kind.dir, "*"))
		if len(names) < 3 {
			t.Errorf("%s: got %d files, want some", tt.kind.dir, len(names))
		}
		for i, name := range names {
			if want := filepath.Join(dir, tt.kind.path(i+1)); name != want {
				t.Errorf("file is %s, want %s", name, want)
			}
			if info, err := os.Stat(name); err != nil || info.Size() > tt.limit || info.Size() == 0 {
				t.Errorf("%s: %d bytes, limit %d, error %v", name, info.Size(), tt.limit, err)
			}
			if tt.kind == warcKind && !strings.HasPrefix(readRecords(t, name)[0], "warcinfo") {
				t.Errorf("%s does not begin with a warcinfo record", name)
			}
		}
	}
	docs := readLines[corpus.Document](t, dir, docKind)
	if len(docs) != 20 {
		t.Errorf("got %d documents, want 20", len(docs))
	}
	for _, d := range docs {
		if got := targetURI(t, dir, d.WARC); got != d.FinalURL {
			t.Errorf("document of %s leads to %s", d.FinalURL, got)
		}
	}
}

// A key is known while its file is the current or the previous one, before
// and after a restart.
func TestWindow(t *testing.T) {
	for _, restart := range []bool{false, true} {
		dir := t.TempDir()
		c := mustOpen(t, dir, Options{CorpusSize: 1}) // a document a file
		for i := range 3 {
			x, d := corpustest.Page(i)
			if _, err := c.Put(t.Context(), x, d); err != nil {
				t.Fatal(err)
			}
		}
		if restart {
			kill(c)
			c = mustOpen(t, dir, Options{CorpusSize: 1})
		}
		var known []bool
		for i := range 3 {
			_, d := corpustest.Page(i)
			_, ok := c.find(keyOf(d.Key()))
			known = append(known, ok)
		}
		if diff := cmp.Diff([]bool{false, true, true}, known); diff != "" {
			t.Errorf("restart %v: known keys (-want +got):\n%s", restart, diff)
		}
	}
}

func TestOpenIsExclusive(t *testing.T) {
	dir := t.TempDir()
	c := mustOpen(t, dir, Options{})
	if second, err := Open(dir, Options{}); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("second Open: %v, %v", second, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, dir, Options{})
}

func TestClosed(t *testing.T) {
	c := mustOpen(t, t.TempDir(), Options{})
	x, d := corpustest.Page(0)
	if _, err := c.Put(t.Context(), x, d); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Put(t.Context(), x, d); !errors.Is(err, corpus.ErrClosed) {
		t.Errorf("Put: %v", err)
	}
	if err := c.Reject(t.Context(), &corpus.Reject{URL: x.URL, Rule: "r"}); !errors.Is(err, corpus.ErrClosed) {
		t.Errorf("Reject: %v", err)
	}
}

// Nothing was written, so there is nothing to load.
func TestEmptyCorpusHasNoFiles(t *testing.T) {
	dir := t.TempDir()
	if err := mustOpen(t, dir, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(names) > 0 {
		t.Errorf("files are %v", names)
	}
}
