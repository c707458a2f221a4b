package export

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"sluice/shared/short"
)

// failing is a disk that dies with write number last: half of it is there.
type failing struct {
	writes, last int
}

var errDisk = errors.New("the process was killed")

func (d *failing) open(path string, flag int) (file, error) {
	if d.writes >= d.last {
		return nil, errDisk
	}
	f, err := osDisk{}.open(path, flag)
	if err != nil {
		return nil, err
	}
	return &failingFile{f, d}, nil
}

type failingFile struct {
	file
	d *failing
}

func (f *failingFile) Write(p []byte) (int, error) {
	if f.d.writes++; f.d.writes < f.d.last {
		return f.file.Write(p)
	}
	n, err := f.file.Write(p[:len(p)/2])
	return n, errors.Join(errDisk, err)
}

func (f *failingFile) WriteAt(p []byte, at int64) (int, error) {
	if f.d.writes++; f.d.writes < f.d.last {
		return f.file.WriteAt(p, at)
	}
	return 0, errDisk
}

func (f *failingFile) Sync() error {
	if f.d.writes >= f.d.last {
		return errDisk
	}
	return f.file.Sync()
}

// After an export is killed anywhere, the next one ends with the same bytes; and one
// that is killed again and again gets there, too.
func TestResume(t *testing.T) {
	for _, format := range []Format{JSONL, Text, HF} { // Parquet is as HF, but for the card
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			f := crawlOf(t, someDocuments(30)...)
			opts := options(format)
			opts.Split = Split{0.7, 0.2, 0.1}
			tools := Tools{Duplicates: pairs}
			folder := func(name string) string { return filepath.Join(f.Dir, FolderName, name) }

			healthy := &failing{last: 1 << 30}
			if _, err := run(t.Context(), []*Folder{f}, folder("whole"), opts, tools, healthy); err != nil {
				t.Fatal(err)
			}
			want := tree(t, folder("whole"))

			every := short.Every(t, 29)
			for last := 1; last <= healthy.writes; last += every {
				out := folder("killed")
				if _, err := run(t.Context(), []*Folder{f}, out, opts, tools, &failing{last: last}); !errors.Is(err, errDisk) {
					t.Fatalf("write %d of %d: %v", last, healthy.writes, err)
				}
				noHalfFiles(t, out, want)
				res, err := Run(t.Context(), []*Folder{f}, out, opts, tools)
				if err != nil {
					t.Fatalf("after write %d: %v", last, err)
				}
				if res.Unchanged {
					t.Errorf("after write %d: it was complete", last)
				}
				sameTrees(t, want, tree(t, out))
				if err := os.RemoveAll(out); err != nil {
					t.Fatal(err)
				}
			}
			tries := 0
			for room := 1; ; tries++ {
				_, err := run(t.Context(), []*Folder{f}, folder("again"), opts, tools, &failing{last: room})
				if err == nil {
					break
				}
				if tries%2 == 1 {
					room++
				}
			}
			sameTrees(t, want, tree(t, folder("again")))
			if len(want) < 10 || tries < 5 {
				t.Errorf("%d files in %d tries: the test shows nothing", len(want), tries)
			}
		})
	}
}

// Of an export that was killed after its last write the work folder is left.
func TestLeftWorkFolder(t *testing.T) {
	f := crawlOf(t, someDocuments(4)...)
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, []*Folder{f}, out, options(JSONL), Tools{})
	want := tree(t, out)
	if err := os.MkdirAll(filepath.Join(out, workFolder, "duplicates"), 0o755); err != nil {
		t.Fatal(err)
	}
	if res := mustRun(t, []*Folder{f}, out, options(JSONL), Tools{}); !res.Unchanged {
		t.Error("it was made again")
	}
	sameTrees(t, want, tree(t, out))
	if _, err := os.Stat(filepath.Join(out, workFolder)); err == nil {
		t.Error("the work folder is still there")
	}
}

// noHalfFiles checks that what has its name is whole.
func noHalfFiles(t *testing.T, out string, want map[string]string) {
	t.Helper()
	for name, data := range tree(t, out) {
		if whole, ok := want[name]; ok && data != whole {
			t.Errorf("%s has its name and is not whole", name)
		}
	}
}

// An interrupted export is continued with the same options and folders only.
func TestResumeOfAnother(t *testing.T) {
	f := crawlOf(t, someDocuments(30)...)
	out := filepath.Join(t.TempDir(), "out")
	if _, err := run(t.Context(), []*Folder{f}, out, options(JSONL), Tools{}, &failing{last: 8}); !errors.Is(err, errDisk) {
		t.Fatal(err)
	}
	if got := problemsOf(t, out); len(got) != 1 {
		t.Errorf("check of an export that is not complete: %q", got)
	}
	opts := options(JSONL)
	opts.MinRelevance = 0.3
	if _, err := Run(t.Context(), []*Folder{f}, out, opts, Tools{}); !errors.Is(err, ErrOther) {
		t.Errorf("with other options: %v", err)
	}
	writeLine(t, f, "corpus/00001.jsonl", newDocument(50, 20))
	if _, err := Run(t.Context(), []*Folder{f}, out, options(JSONL), Tools{}); !errors.Is(err, ErrOther) {
		t.Errorf("with another corpus: %v", err)
	}
}

// An interrupted export continues while its crawl does, and ends as it was
// begun.
func TestResumeWhileCrawling(t *testing.T) {
	docs := someDocuments(40)
	f := crawlOf(t, docs...)
	f.Open, f.Ledger, f.Crawl = true, doneWith(docs), &Crawl{Fetched: 40}
	writeBytes(t, f, "corpus/00001.jsonl", `{"v":1,"id":"torn`)
	writeBytes(t, f, "warc/00001.warc.gz", "\x1f\x8b\x08\x00torn")
	out := filepath.Join(f.Dir, FolderName, "jsonl")
	if _, err := run(t.Context(), []*Folder{f}, out, options(JSONL), Tools{}, &failing{last: 14}); !errors.Is(err, errDisk) {
		t.Fatal(err)
	}
	f.Crawl = &Crawl{Fetched: 50}
	writeLine(t, f, "corpus/88888.jsonl", newDocument(41, 30))
	res := mustRun(t, []*Folder{f}, out, options(JSONL), Tools{})
	if res.State != StateRunning || res.Records != 40 || res.Left.Torn != 1 {
		t.Errorf("%+v: want 40 records of a running crawl, a torn line", res)
	}
	if _, err := Run(t.Context(), []*Folder{f}, out, options(JSONL), Tools{}); !errors.Is(err, ErrOther) {
		t.Errorf("the crawl has gone on: %v", err)
	}
}

// A torn line of a crawl that has ended is an error.
func TestTornLine(t *testing.T) {
	f := crawlOf(t, someDocuments(4)...)
	writeBytes(t, f, "corpus/00001.jsonl", `{"v":1,"id":"torn`)
	_, err := Run(t.Context(), []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
	wantError(t, err, "00001.jsonl: line 5 is half", "sluice crawl --resume mends")
}

func TestBadInput(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"no JSON", "corpus/00001.jsonl", "no\n", "00001.jsonl: line 5 is not a document"},
		{"a list", "corpus/00001.jsonl", "[1]\n", "line 5 is not a document"},
		{"another type", "corpus/00001.jsonl", `{"text":7}` + "\n", "line 5 is not a document"},
		{"a version to come", "corpus/00001.jsonl", `{"v":2}` + "\n", "record of version 2"},
		{"no archive", "warc/00001.warc.gz", "garbage", "read archive"},
		{"no reject", "rejects/00001.jsonl", "{\n{}\n", "line 2 is not a reject"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := crawlOf(t, someDocuments(4)...)
			writeBytes(t, f, test.file, test.text)
			_, err := Run(t.Context(), []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
			wantError(t, err, test.want)
		})
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := crawlOf(t, someDocuments(4)...)
	if _, err := Run(ctx, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// One export at a time works in a folder.
func TestLock(t *testing.T) {
	f := crawlOf(t, someDocuments(4)...)
	busy := errors.New("busy")
	tools := Tools{Lock: func(string) (io.Closer, error) { return nil, busy }}
	if _, err := Run(t.Context(), []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), tools); !errors.Is(err, busy) {
		t.Error(err)
	}
}
