package export

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of a crawl that has ended nothing is exported where a document is missing, and
// nothing is left behind. Mended, it is.
func TestMissing(t *testing.T) {
	docs := someDocuments(12)
	f := crawlOf(t, docs...)
	f.Ledger = doneWith(docs)
	out := filepath.Join(f.Dir, FolderName, "jsonl")
	name := filepath.Join(f.Dir, "corpus", "00001.jsonl")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{"emptied", "removed"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if change == "removed" {
			remove(t, f.Dir, "corpus/00001.jsonl")
		}
		_, err = Run(t.Context(), []*Folder{f}, out, options(JSONL), Tools{})
		if !errors.Is(err, errMissing) || !strings.Contains(err.Error(), "sluice export --check "+f.Dir) {
			t.Errorf("%s: %v", change, err)
		}
		if _, err := os.Stat(filepath.Dir(out)); err == nil {
			t.Errorf("%s: something is left of it", change)
		}
	}
	if err := os.WriteFile(name, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if res := mustRun(t, []*Folder{f}, out, options(JSONL), Tools{}); res.Records != 12 || res.Missing != 0 {
		t.Errorf("%d records, %d missing", res.Records, res.Missing)
	}
}

// What a running crawl does while it is exported is not missing.
func TestMissingWhileRunning(t *testing.T) {
	docs := someDocuments(6)
	f := crawlOf(t, docs...)
	lines := corpusLines(t, f.Dir)
	cut := strings.LastIndex(strings.TrimSuffix(lines, "\n"), "\n") + 1
	if err := os.WriteFile(filepath.Join(f.Dir, "corpus", "00001.jsonl"), []byte(lines[:cut]), 0o644); err != nil {
		t.Fatal(err)
	}
	f.Open = true
	f.Ledger = &lateLedger{books: doneWith(docs), before: func() { writeBytes(t, f, "corpus/00001.jsonl", lines[cut:]) }}
	res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
	if res.Records != 5 || res.Missing != 0 {
		t.Errorf("%d records, %d missing, want 5 and none", res.Records, res.Missing)
	}
}

// lateLedger has something happen before it is asked.
type lateLedger struct {
	books
	before func()
}

func (l *lateLedger) Current(ctx context.Context) iter.Seq2[[]Pointed, error] {
	if l.before != nil {
		l.before()
		l.before = nil
	}
	return l.books.Current(ctx)
}

// A record that is there twice counts once.
func TestAgain(t *testing.T) {
	for _, test := range []struct {
		name   string
		ledger bool
	}{{"a crawl", true}, {"a folder without a ledger", false}} {
		t.Run(test.name, func(t *testing.T) {
			docs := someDocuments(5)
			f := crawlOf(t, docs...)
			if test.ledger {
				f.Ledger = doneWith(docs)
			}
			writeLine(t, f, "corpus/00001.jsonl", docs[2])
			writeLine(t, f, "corpus/00002.jsonl", docs[2])
			res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
			diff(t, urlsOf(docs), urlsOf(readLines(t, res)))
			if res.Left.Again != 2 {
				t.Errorf("%d come earlier in the folder, want 2", res.Left.Again)
			}
		})
	}
}

// Records whose archives are gone are exported; the result says so, also when
// it is there already.
func TestArchivesGone(t *testing.T) {
	f := crawlOf(t, someDocuments(5)...)
	if err := os.RemoveAll(filepath.Join(f.Dir, "warc")); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	for range 2 {
		res := mustRun(t, []*Folder{f}, out, options(JSONL), Tools{})
		diff(t, []string{f.Dir + ": 5 records name archives that are not there"}, res.Notes)
	}
}
