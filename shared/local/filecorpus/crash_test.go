package filecorpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/short"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

// write makes a corpus of the pages from 0 to n-1, each kept and rejected.
func write(t testing.TB, dir string, n int) {
	t.Helper()
	c := mustOpen(t, dir, Options{})
	for i := range n {
		putBoth(t, c, i)
	}
	kill(c)
}

func putBoth(t testing.TB, c *Corpus, i int) {
	t.Helper()
	x, d := corpustest.Page(i)
	if _, err := c.Put(context.Background(), x, d); err != nil {
		t.Fatal(err)
	}
	if err := c.Reject(context.Background(), rejectOf(x)); err != nil {
		t.Fatal(err)
	}
}

// rejectOf rejects a page and has its exchange.
func rejectOf(x *corpus.Exchange) *corpus.Reject {
	return &corpus.Reject{URL: x.URL, FinalURL: x.URL, Rule: "r", Exchange: x}
}

func copyTree(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

func sizes(t testing.TB, dir string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for _, k := range []kind{warcKind, docKind, rejectKind} {
		info, err := os.Stat(filepath.Join(dir, k.path(1)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all[k.dir] = info.Size()
	}
	return all
}

// verify checks that the pages 0 to n-1 are there once each as documents and as
// rejects, that they lead to their exchange and that no record is torn.
func verify(t testing.TB, dir string, n int) {
	t.Helper()
	want, docs, rejects := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range n {
		_, d := corpustest.Page(i)
		want[d.FinalURL] = 1
	}
	for _, d := range readLines[corpus.Document](t, dir, docKind) {
		docs[d.FinalURL]++
		if got := targetURI(t, dir, d.WARC); got != d.FinalURL {
			t.Errorf("document of %s leads to %s", d.FinalURL, got)
		}
	}
	for _, r := range readLines[corpus.Reject](t, dir, rejectKind) {
		rejects[r.URL]++
		if got := targetURI(t, dir, r.WARC); got != r.FinalURL {
			t.Errorf("reject of %s leads to %s", r.FinalURL, got)
		}
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, rejects); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "warc", "*"))
	for _, name := range names {
		readRecords(t, name)
	}
}

// A kill during the write of the last record leaves any part of it.
func TestTornAtEveryByte(t *testing.T) {
	const n = 3
	long := t.TempDir()
	write(t, long, n-1)
	before := sizes(t, long)
	write(t, long, n) // adds the last page: the others are there already
	after := sizes(t, long)
	dir := t.TempDir() // one for all, since making folders is what takes the time
	every := int64(short.Every(t, 7))
	for _, k := range []kind{warcKind, docKind, rejectKind} {
		for size := after[k.dir]; size >= before[k.dir]; size -= every {
			// Lines come after exchanges: a torn exchange has none.
			take := map[string]int64{"warc": after["warc"], "corpus": after["corpus"], "rejects": after["rejects"], k.dir: size}
			if k == warcKind {
				take["corpus"], take["rejects"] = before["corpus"], before["rejects"]
			}
			for _, k := range []kind{warcKind, docKind, rejectKind} {
				copyPart(t, long, dir, k.path(1), take[k.dir])
			}
			c := mustOpen(t, dir, Options{})
			left := sizes(t, dir)[k.dir]
			if left < before[k.dir] || left > size || k != warcKind && left != before[k.dir] && left != after[k.dir] {
				t.Errorf("%d bytes were left", left)
			}
			if goesOn := size%8 == 0 || size == after[k.dir]; goesOn {
				for i := range n {
					putBoth(t, c, i)
				}
				verify(t, dir, n)
			}
			readRecords(t, filepath.Join(dir, warcKind.path(1)))
			kill(c)
			if t.Failed() {
				t.Fatalf("%s cut at %d of %d to %d bytes", k.dir, size, before[k.dir], after[k.dir])
			}
		}
	}
}

func copyPart(t testing.TB, from, to, name string, size int64) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(to, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path) // to write over a file is slow: ext4 takes care of its blocks
	if err := os.WriteFile(path, b[:size], 0o644); err != nil {
		t.Fatal(err)
	}
}

// The very first record of a file may be torn too, down to the empty file
// that was made for it.
func TestTornFirstRecord(t *testing.T) {
	whole := t.TempDir()
	write(t, whole, 1)
	for _, size := range []int64{0, 1, 2, 10, 100} {
		dir := t.TempDir()
		for _, k := range []kind{warcKind, docKind, rejectKind} {
			copyPart(t, whole, dir, k.path(1), 0)
		}
		copyPart(t, whole, dir, warcKind.path(1), size)
		c := mustOpen(t, dir, Options{})
		putBoth(t, c, 0)
		kill(c)
		verify(t, dir, 1)
		if got := readRecords(t, filepath.Join(dir, warcKind.path(1)))[0]; got != "warcinfo " {
			t.Errorf("cut at %d: first record is %q", size, got)
		}
	}
}

// A copy of a folder in use catches each file at another moment: the WARC
// file, say, before the documents and rejects that point into it.
func TestCopyOfFolderInUse(t *testing.T) {
	live, stages := t.TempDir(), []string{}
	c := mustOpen(t, live, Options{})
	const n = 4
	for i := range n {
		putBoth(t, c, i)
		stages = append(stages, copyTree(t, live))
	}
	for w, warcFrom := range stages {
		for d, docsFrom := range stages {
			dir := copyTree(t, stages[0])
			copyPart(t, warcFrom, dir, warcKind.path(1), sizes(t, warcFrom)["warc"])
			copyPart(t, docsFrom, dir, docKind.path(1), sizes(t, docsFrom)["corpus"])
			copyPart(t, docsFrom, dir, rejectKind.path(1), sizes(t, docsFrom)["rejects"])
			c := mustOpen(t, dir, Options{})
			if got, want := len(readLines[corpus.Reject](t, dir, rejectKind)), min(w, d)+1; got != want {
				t.Errorf("copy of WARC %d and rejects %d: %d rejects are left, want %d", w, d, got, want)
			}
			if got, want := len(readLines[corpus.Document](t, dir, docKind)), min(w, d)+1; got != want {
				t.Errorf("copy of WARC %d and documents %d: %d documents are left, want %d", w, d, got, want)
			}
			for i := range n {
				putBoth(t, c, i)
			}
			kill(c)
			verify(t, dir, n)
		}
	}
}

// Copies taken while others write, at no chosen moment.
func TestCopyDuringWrites(t *testing.T) {
	live := t.TempDir()
	c := mustOpen(t, live, Options{})
	putBoth(t, c, 0)
	const n = 60
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 1; i < n; i++ {
			x, d := corpustest.Page(i)
			_, err := c.Put(context.Background(), x, d)
			if err = errors.Join(err, c.Reject(context.Background(), rejectOf(x))); err != nil {
				t.Errorf("page %d: %v", i, err)
			}
		}
	}()
	var copies []string
	for running := true; running && len(copies) < 8; {
		select {
		case <-done:
			running = false
		default:
		}
		copies = append(copies, copyTree(t, live))
	}
	<-done
	for _, dir := range copies {
		c := mustOpen(t, dir, Options{})
		for i := range n {
			putBoth(t, c, i)
		}
		kill(c)
		verify(t, dir, n)
	}
}

func TestOpenRefusesWhatIsNotOurs(t *testing.T) {
	for _, tt := range []struct {
		name, file, content, want string
	}{
		{"documents of another program", "corpus/00001.jsonl", "{\"text\":\"a\"}\n", "line 1: is not a record of version 1"},
		{"no JSON", "corpus/00001.jsonl", "a\nb\n", "line 1: is not a JSON record"},
		{"document without place", "corpus/00001.jsonl", "{\"v\":1,\"final_url\":\"http://a.test/\"}\n", "line 1: names no WARC record"},
		{"document of a lost WARC file", "corpus/00001.jsonl", `{"v":1,"final_url":"http://a.test/","warc":{"file":"warc/00001.warc.gz","offset":0,"length":9}}` + "\n", "restore it"},
		{"place outside", "corpus/00001.jsonl", `{"v":1,"final_url":"http://a.test/","warc":{"file":"../warc/00001.warc.gz","offset":0,"length":9}}` + "\n", "names no WARC record"},
		{"damaged reject", "rejects/00001.jsonl", "{\"v\":1,\"url\":\"http://a.test/\"}\n{\"v\":1\n{\"v\":1,\"url\":\"http://b.test/\"}\n", "line 2: is not a JSON record"},
		{"plain WARC", "warc/00001.warc.gz", "WARC/1.0\r\n", "is not gzip"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, tt.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.content), 0o644); err != nil {
				t.Fatal(err)
			}
			c, err := Open(dir, Options{})
			if err == nil {
				kill(c)
				t.Fatal("Open took it")
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.file) {
				t.Errorf("error is %q, want %q and %q in it", err, tt.file, tt.want)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != tt.content {
				t.Errorf("file now holds %q, error %v", b, err)
			}
			if err := os.Remove(path); err != nil { // and the lock is free again
				t.Fatal(err)
			}
			mustOpen(t, dir, Options{})
		})
	}
}

// A sealed file is not mended and not touched.
func TestTornSealedFile(t *testing.T) {
	dir := t.TempDir()
	c := mustOpen(t, dir, Options{CorpusSize: 1})
	putBoth(t, c, 0)
	putBoth(t, c, 1)
	kill(c)
	path := filepath.Join(dir, docKind.path(1))
	if err := os.Truncate(path, 50); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), docKind.path(1)) {
		t.Errorf("Open: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 50 {
		t.Errorf("sealed file: %v, error %v", info.Size(), err)
	}
}

// badFile fails its next writes after it took a part of them, as a full disk
// does.
type badFile struct {
	file
	failures  int
	stuck     bool // cannot be truncated either
	truncated int
}

var errFull = errors.New("no space left")

func (f *badFile) WriteAt(p []byte, off int64) (int, error) {
	if f.failures == 0 {
		return f.file.WriteAt(p, off)
	}
	f.failures--
	n, _ := f.file.WriteAt(p[:len(p)/2], off)
	return n, errFull
}

func (f *badFile) Truncate(size int64) error {
	if f.stuck {
		return errFull
	}
	f.truncated++
	return f.file.Truncate(size)
}

func TestFullDisk(t *testing.T) {
	for _, tt := range []struct {
		name string
		at   func(*Corpus) *appender
	}{
		{"WARC", func(c *Corpus) *appender { return &c.warc }},
		{"documents", func(c *Corpus) *appender { return &c.docs }},
		{"rejects", func(c *Corpus) *appender { return &c.rejects }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			c := mustOpen(t, dir, Options{})
			putBoth(t, c, 0)
			bad := &badFile{file: tt.at(c).file, failures: 1}
			tt.at(c).file = bad
			x, d := corpustest.Page(1)
			_, err := c.Put(t.Context(), x, d)
			if err == nil {
				err = c.Reject(t.Context(), rejectOf(x))
			}
			if !errors.Is(err, errFull) || fault.Of(err).Class != fault.Broken {
				t.Fatalf("error is %v, want a retryable one", err)
			}
			if bad.truncated != 1 {
				t.Error("the torn record was left")
			}
			putBoth(t, c, 1) // there is space again
			kill(c)
			verify(t, dir, 2)
		})
	}
}

// If the torn record cannot be removed, nothing may follow it; the
// next start mends the file.
func TestFullDiskThatSticks(t *testing.T) {
	dir := t.TempDir()
	c := mustOpen(t, dir, Options{})
	putBoth(t, c, 0)
	c.docs.file = &badFile{file: c.docs.file, failures: 1, stuck: true}
	for range 2 {
		x, d := corpustest.Page(1)
		if _, err := c.Put(t.Context(), x, d); !errors.Is(err, errFull) {
			t.Errorf("Put: %v", err)
		}
	}
	kill(c)
	c = mustOpen(t, dir, Options{})
	putBoth(t, c, 1)
	kill(c)
	verify(t, dir, 2)
}
