package filecorpus

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

// files returns the contents of all files of the three kinds, by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, k := range []kind{warcKind, docKind, rejectKind} {
		for name, b := range fixture.Files(t, dir, k.dir, "*") {
			all[k.dir+"/"+filepath.Base(name)] = string(b)
		}
	}
	return all
}

// Another crawl in a folder leaves the files of the first as they are, and takes
// its pages for new ones; opened again it remembers its own alone.
func TestTurn(t *testing.T) {
	dir := t.TempDir()
	c := mustOpen(t, dir, Options{})
	putBoth(t, c, 0)
	putBoth(t, c, 1)
	before := files(t, dir)
	start, err := c.Turn()
	if err != nil {
		t.Fatal(err)
	}
	if want := (Start{WARC: 2, Documents: 2, Rejects: 2}); start != want {
		t.Errorf("start is %+v, want %+v", start, want)
	}
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Errorf("the turn wrote something (-before +after):\n%s", diff)
	}
	x, d := corpustest.Page(0)
	loc, err := c.Put(context.Background(), x, d)
	if err != nil || loc.File != warcKind.path(2) {
		t.Errorf("the page is in %s, error %v", loc.File, err)
	}
	kill(c)

	for range 2 { // killed, and closed in good order
		c = mustOpen(t, dir, Options{Start: start})
		putBoth(t, c, 0)
		putBoth(t, c, 2)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	after := files(t, dir)
	for name, content := range before {
		if after[name] != content {
			t.Errorf("%s is changed", name)
		}
	}
	if len(after) != 6 {
		t.Errorf("there are %d files, want 6", len(after))
	}
	if n := len(readLines[corpus.Document](t, dir, docKind)); n != 4 {
		t.Errorf("%d documents, want 2 of each crawl", n)
	}
	if n := len(readLines[corpus.Reject](t, dir, rejectKind)); n != 4 {
		t.Errorf("%d rejects, want 2 of each crawl", n)
	}
}

// A turn in an empty folder, or two in a row, skip no file.
func TestTurnWithoutRecords(t *testing.T) {
	dir := t.TempDir()
	var start Start
	for range 3 {
		c := mustOpen(t, dir, Options{Start: start})
		for range 2 {
			var err error
			if start, err = c.Turn(); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Turn(); err == nil {
			t.Error("a closed corpus turns")
		}
	}
	if want := (Start{WARC: 1, Documents: 1, Rejects: 1}); start != want {
		t.Errorf("start is %+v, want %+v", start, want)
	}
	c := mustOpen(t, dir, Options{Start: start})
	putBoth(t, c, 0)
	kill(c)
	verify(t, dir, 1)
}

// What a kill tears in the files of the second crawl is mended; the first one's
// are not looked at.
func TestTornAfterTurn(t *testing.T) {
	whole := t.TempDir()
	c := mustOpen(t, whole, Options{})
	putBoth(t, c, 0)
	start, err := c.Turn()
	if err != nil {
		t.Fatal(err)
	}
	putBoth(t, c, 1)
	putBoth(t, c, 2)
	kill(c)
	for _, k := range []kind{warcKind, docKind, rejectKind} {
		t.Run(k.dir, func(t *testing.T) {
			dir := copyTree(t, whole)
			path := filepath.Join(dir, k.path(2))
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()-3); err != nil {
				t.Fatal(err)
			}
			c := mustOpen(t, dir, Options{Start: start})
			putBoth(t, c, 1)
			putBoth(t, c, 2)
			kill(c)
			verify(t, dir, 3)
		})
	}
}

// A revision reaches the files of earlier crawls, too.
func TestReviseAfterTurn(t *testing.T) {
	dir := t.TempDir()
	c := mustOpen(t, dir, Options{})
	putBoth(t, c, 0)
	if _, err := c.Turn(); err != nil {
		t.Fatal(err)
	}
	err := c.Revise(context.Background(), func(line []byte) ([]byte, error) {
		return append([]byte(" "), line...), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	putBoth(t, c, 1)
	kill(c)
	if n := len(readLines[corpus.Document](t, dir, docKind)); n != 2 {
		t.Errorf("%d documents, want 2", n)
	}
}
