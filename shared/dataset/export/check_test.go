package export

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/shared/short"
	"sluice/shared/state/corpus"
)

// A bit that flips anywhere is found, in any file.
func TestCheckFindsFlippedBits(t *testing.T) {
	formats := Formats()
	for _, format := range formats[:short.Of(t, len(formats), 1)] {
		t.Run(string(format), func(t *testing.T) {
			f := crawlOf(t, someDocuments(30)...)
			out := filepath.Join(f.Dir, FolderName, string(format))
			mustRun(t, []*Folder{f}, out, options(format), Tools{})
			for name, data := range tree(t, out) {
				for _, at := range []int{0, len(data) / 2, -1} {
					flip(t, out, name, at)
					if problems := problemsOf(t, out); len(problems) == 0 {
						t.Errorf("the check does not find that byte %d of %s has changed", at, name)
					}
					flip(t, out, name, at)
				}
				if err := os.Truncate(filepath.Join(out, name), int64(len(data)-1)); err != nil {
					t.Fatal(err)
				}
				if problems := problemsOf(t, out); len(problems) == 0 {
					t.Errorf("the check does not find that %s is cut off", name)
				}
				remove(t, out, name)
				if problems := problemsOf(t, out); len(problems) == 0 {
					t.Errorf("the check does not find that %s is gone", name)
				}
				if err := os.WriteFile(filepath.Join(out, name), []byte(data), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if problems := problemsOf(t, out); len(problems) > 0 {
				t.Errorf("all is mended, but %q", problems)
			}
		})
	}
}

// A manifest with other counts is found by counting.
func TestCheckCounts(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(m *Manifest)
		want   string
	}{
		{"records", func(m *Manifest) { m.Shards[0].Records++; m.Totals.Records++ }, "manifest.json says"},
		{"characters", func(m *Manifest) { m.Shards[0].Characters--; m.Totals.Characters-- }, "manifest.json says"},
		{"totals", func(m *Manifest) { m.Totals.Records-- }, "the totals say"},
		{"a shard less", func(m *Manifest) { m.Shards = m.Shards[:len(m.Shards)-1] }, "is not in manifest.json"},
		{"a shard elsewhere", func(m *Manifest) { m.Shards[0].Name = "../../../corpus/00001.jsonl" }, "is not the name of a file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := crawlOf(t, someDocuments(30)...)
			out := filepath.Join(f.Dir, FolderName, "parquet")
			mustRun(t, []*Folder{f}, out, options(Parquet), Tools{})
			m, err := readManifest(out)
			if err != nil {
				t.Fatal(err)
			}
			test.change(m)
			data, err := m.encode()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(out, ManifestFile), data, 0o644); err != nil {
				t.Fatal(err)
			}
			if problems := strings.Join(problemsOf(t, out), "\n"); !strings.Contains(problems, test.want) {
				t.Errorf("problems %q, want %q", problems, test.want)
			}
		})
	}
}

// The place that a record names holds the response of its URL.
func TestCheckLooksUpPlaces(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(t *testing.T, docs []*corpus.Document, f *Folder)
		want   string // in a problem; "" for a note
	}{
		{"the place of another", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC = d[0].WARC }, "is the response of http://host0.test/a/0.html"},
		{"beside it", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC.Offset++ }, "record 2 (http://host1.test/a/1.html)"},
		{"a length too short", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC.Length-- }, "record 2"},
		{"a length too long", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC.Length += 10 }, "bytes, not"},
		{"the request", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC.Offset += d[1].WARC.Length }, "record 2"},
		{"below nothing", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC.Offset = -5 }, "are not a place"},
		{"out of the folder", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC.File = "../crawl/warc/00001.warc.gz" }, "is not a file of the archives"},
		{"no place", func(_ *testing.T, d []*corpus.Document, _ *Folder) { d[1].WARC = corpus.Location{} }, "is not a file of the archives"},
		{"archive gone", func(t *testing.T, _ []*corpus.Document, f *Folder) { remove(t, f.Dir, "warc/00001.warc.gz") }, "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			docs := someDocuments(4)
			f := crawlOf(t, docs...)
			out := filepath.Join(f.Dir, FolderName, "jsonl")
			gone := test.name == "archive gone"
			if !gone {
				test.change(t, docs, f)
				remove(t, f.Dir, "corpus/00001.jsonl")
				for _, d := range docs {
					writeLine(t, f, "corpus/00001.jsonl", d)
				}
			}
			if _, err := Run(t.Context(), []*Folder{f}, out, options(JSONL), Tools{}); err != nil {
				t.Fatal(err)
			}
			if gone {
				test.change(t, docs, f)
			}
			if problems := strings.Join(problemsOf(t, out), "\n"); !strings.Contains(problems, test.want) {
				t.Errorf("problems %q, want %q", problems, test.want)
			}
		})
	}
}

// An archive that is not what it was when the index was made.
func TestCheckMakesTheIndexAgain(t *testing.T) {
	f, g := crawlOf(t, someDocuments(4)...), crawlOf(t, newDocument(7, 10))
	out := filepath.Join(f.Dir, FolderName, "text")
	mustRun(t, []*Folder{f}, out, options(Text), Tools{})
	data, err := os.ReadFile(filepath.Join(g.Dir, "warc", "00001.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.Dir, "warc", "00001.warc.gz"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if problems := problemsOf(t, out); len(problems) != 1 || !strings.Contains(problems[0], "index.cdxj is not what the archives come to: line 1") {
		t.Errorf("%q", problems)
	}
}

// The result names what cannot be checked.
func TestCheckNotes(t *testing.T) {
	for name, removed := range map[string]string{"kept no archives": "warc", "is missing": "."} {
		f, at := crawlOf(t, someDocuments(4)...), filepath.Join(t.TempDir(), "far", "o")
		remove := func() {
			if err := os.RemoveAll(filepath.Join(f.Dir, removed)); err != nil {
				t.Fatal(err)
			}
		}
		if removed == "warc" {
			remove() // before there is an export
		}
		mustRun(t, []*Folder{f}, at, options(JSONL), Tools{})
		remove()
		list, err := Check(t.Context(), at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c := list[0]; len(c.Problems) > 0 || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], name) || c.Records != 4 || c.Located != 0 {
			t.Errorf("%+v, want a note that it %s", c, name)
		}
	}
}

// All exports of a crawl's folder are checked, and one has to be there.
func TestCheckFindsExports(t *testing.T) {
	f := crawlOf(t, someDocuments(4)...)
	if _, err := Check(t.Context(), f.Dir, nil); !errors.Is(err, ErrNoExport) {
		t.Errorf("without exports: %v", err)
	}
	for _, format := range []Format{JSONL, Text} {
		mustRun(t, []*Folder{f}, filepath.Join(f.Dir, FolderName, string(format)), options(format), Tools{})
	}
	list, err := Check(t.Context(), f.Dir, nil)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d exports, error %v", len(list), err)
	}
	writeBytes(t, &Folder{Dir: filepath.Join(f.Dir, FolderName)}, "jsonl/data/train-00007.jsonl.zst", "x")
	if problems := problemsOf(t, f.Dir); len(problems) != 1 || !strings.Contains(problems[0], "train-00007.jsonl.zst is not in manifest.json") {
		t.Errorf("%q", problems)
	}
}

// Of many problems the first ones are named.
func TestCheckNamesSomeProblems(t *testing.T) {
	docs := someDocuments(80)
	f := crawlOf(t, docs...)
	out := filepath.Join(f.Dir, FolderName, "jsonl")
	mustRun(t, []*Folder{f}, out, options(JSONL), Tools{})
	archives, err := filepath.Glob(filepath.Join(f.Dir, "warc", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range archives {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if problems := problemsOf(t, out); len(problems) != maxProblems+1 || problems[maxProblems] != "and 31 more" {
		t.Errorf("%d problems, the last %q", len(problems), problems[len(problems)-1])
	}
}
