package filecorpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

// putNumbered puts documents whose texts are their numbers.
func putNumbered(t *testing.T, c *Corpus, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		x, d := corpustest.Page(i)
		d.Text = fmt.Sprintf("text %d.", i)
		if _, err := c.Put(t.Context(), x, d); err != nil {
			t.Fatal(err)
		}
	}
}

// texts returns the numbers of the documents in a folder, and how many files
// there are.
func texts(t *testing.T, dir string) (found []string, files int) {
	t.Helper()
	for _, b := range fixture.Files(t, dir, "corpus", "*") {
		files++
		for line := range bytes.Lines(b) {
			_, rest, _ := bytes.Cut(line, []byte(`"text":"text `))
			n, _, _ := bytes.Cut(rest, []byte(`."`))
			found = append(found, string(n))
		}
	}
	return found, files
}

// small files hold two or three documents each.
func smallFiles(t *testing.T) (dir string, c *Corpus) {
	t.Helper()
	dir = t.TempDir()
	c, err := Open(dir, Options{CorpusSize: 4 << 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return dir, c
}

func number(line []byte, n int) bool { return bytes.Contains(line, fmt.Appendf(nil, "text %d.", n)) }

// Documents are changed and taken away; the corpus continues where it was.
func TestRevise(t *testing.T) {
	dir, c := smallFiles(t)
	putNumbered(t, c, 0, 10)
	err := c.Revise(t.Context(), func(line []byte) ([]byte, error) {
		switch {
		case number(line, 1), number(line, 9):
			return nil, nil
		case number(line, 4):
			return bytes.ReplaceAll(line, []byte("text 4."), []byte("text four, revised.")), nil
		}
		return line, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	putNumbered(t, c, 8, 12) // two stay, one was removed by the corpus itself
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	want := strings.Fields("0 2 3 _ 5 6 7 8 10 11")
	got, files := texts(t, dir)
	for i := range got {
		if strings.HasPrefix(got[i], "four") {
			got[i] = "_"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if files < 3 {
		t.Errorf("%d files: nothing was sealed", files)
	}
	again, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// Files in which nothing changes are not written.
func TestReviseNothing(t *testing.T) {
	dir, c := smallFiles(t)
	putNumbered(t, c, 0, 6)
	stat := func() (out []os.FileInfo) {
		names, _ := filepath.Glob(filepath.Join(dir, "corpus", "*"))
		for _, name := range names {
			fi, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fi)
		}
		return out
	}
	before := stat()
	if err := c.Revise(t.Context(), func(line []byte) ([]byte, error) { return line, nil }); err != nil {
		t.Fatal(err)
	}
	after := stat()
	if len(before) != len(after) {
		t.Fatalf("%d files, then %d", len(before), len(after))
	}
	for i := range before {
		if !os.SameFile(before[i], after[i]) {
			t.Errorf("%s was replaced", before[i].Name())
		}
	}
}

// After an error the current file is as it was, and no part of it is left.
func TestReviseFails(t *testing.T) {
	dir, c := smallFiles(t)
	putNumbered(t, c, 0, 10)
	boom := errors.New("boom")
	err := c.Revise(t.Context(), func(line []byte) ([]byte, error) {
		if number(line, 9) {
			return nil, boom
		}
		return nil, nil
	})
	if !errors.Is(err, boom) {
		t.Fatalf("Revise = %v, want boom", err)
	}
	got, _ := texts(t, dir)
	if len(got) == 0 || got[len(got)-1] != "9" || got[0] == "0" {
		t.Errorf("left %v: the last file should be whole, the first revised", got)
	}
	putNumbered(t, c, 10, 11)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Revise(ctx, func(line []byte) ([]byte, error) { return line, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Revise with an ended context = %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Revise(t.Context(), nil); !errors.Is(err, corpus.ErrClosed) {
		t.Errorf("Revise of a closed corpus = %v", err)
	}
}

// What a killed revision leaves does no harm.
func TestRevisionKilled(t *testing.T) {
	dir, c := smallFiles(t)
	putNumbered(t, c, 0, 4)
	part := filepath.Join(dir, "corpus", "00001.jsonl"+PartSuffix)
	if err := os.WriteFile(part, []byte("half a li"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := os.Stat(part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", part, err)
	}
	if got, _ := texts(t, dir); len(got) != 4 {
		t.Errorf("documents %v", got)
	}
}

// A document that Revise has removed comes back by Add, once, and not by Put.
func TestAdd(t *testing.T) {
	dir, c := smallFiles(t)
	putNumbered(t, c, 0, 3)
	var removed corpus.Document
	err := c.Revise(t.Context(), func(line []byte) ([]byte, error) {
		if !number(line, 1) {
			return line, nil
		}
		return nil, json.Unmarshal(line, &removed)
	})
	if err != nil {
		t.Fatal(err)
	}
	putNumbered(t, c, 1, 2)
	if got, _ := texts(t, dir); len(got) != 2 {
		t.Errorf("documents are %v", got)
	}
	for range 2 {
		if err := c.Add(t.Context(), &removed); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := texts(t, dir); !slices.Equal(got, []string{"0", "2", "1"}) {
		t.Errorf("documents are %v", got)
	}
	if err := c.Add(t.Context(), &removed); !errors.Is(err, corpus.ErrClosed) {
		t.Errorf("Add: %v", err)
	}
}

// Rejects that a revision removes may be recorded again.
func TestReviseRejects(t *testing.T) {
	dir, c := smallFiles(t)
	x, _ := corpustest.Page(1)
	reject := func() {
		t.Helper()
		if err := c.Reject(t.Context(), &corpus.Reject{URL: x.URL, FinalURL: x.URL, Rule: "body_threshold", Exchange: x}); err != nil {
			t.Fatal(err)
		}
	}
	reject()
	err := c.ReviseRejects(t.Context(), 0, func([]byte) ([]byte, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	if left := fixture.Lines[corpus.Reject](t, dir, "rejects", "*"); len(left) > 0 {
		t.Errorf("left are %+v", left)
	}
	reject()
	if lines := fixture.Lines[corpus.Reject](t, dir, "rejects", "*"); len(lines) != 1 {
		t.Errorf("%d rejects", len(lines))
	}
}
