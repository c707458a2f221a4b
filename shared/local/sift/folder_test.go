package sift

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
	"sluice/shared/local/filecorpus"
	"sluice/shared/rank"
)

// tree is the contents of a folder, by path.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".corpus.lock" {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// articles is a file of JSON lines.
func articles(t testing.TB, first, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		b.WriteString(object1(t, map[string]any{"text": article("银行", first+i)}))
	}
	return b.String()
}

// A folder goes on by the strategy that it was begun with; an old program noted none.
func TestGoesOnByStrategy(t *testing.T) {
	for noted, kept := range map[string]int64{`"strategy": "best-first",`: 1, "": 0} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		sifted(t, out, write(t, dir, "a.jsonl", articles(t, 0, 3)))
		state := filepath.Join(out, StateFile)
		data, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		own := fmt.Sprintf("\"strategy\": %q,", rank.Default)
		if !strings.Contains(string(data), own) {
			t.Fatalf("the state does not have %s:\n%s", own, data)
		}
		if err := os.WriteFile(state, []byte(strings.Replace(string(data), own, noted, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		page := object1(t, map[string]any{"html": html("天气", article("银行", 1)), "url": "http://a.test/"})
		if r := sifted(t, out, write(t, dir, "b.jsonl", page)); r.Total.Kept != kept {
			t.Errorf("%q: %+v", noted, r.Total)
		}
	}
}

// A second call leaves alone what is done, and does what is not.
func TestGoesOn(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	a, b := write(t, dir, "a.jsonl", articles(t, 0, 3)), write(t, dir, "b.jsonl.gz", gz(t, articles(t, 10, 2)))
	first := sifted(t, out, a)
	before := tree(t, out)
	if before["topic.yaml"] != topicFile || before["corpus/a.jsonl"] == "" || before["sift.json"] == "" || len(before) != 4 {
		t.Errorf("the folder holds %v", before)
	}
	again := sifted(t, out, a)
	if diff := cmp.Diff(before, tree(t, out)); diff != "" {
		t.Errorf("sifting again changed the folder:\n%s", diff)
	}
	if !again.Inputs[0].Before || first.Inputs[0].Before {
		t.Error("it is not told what was done before")
	}
	if diff := cmp.Diff(first.Total, again.Total); diff != "" {
		t.Errorf("total (-first +second):\n%s", diff)
	}
	both := sifted(t, out, b, a)
	if both.Total.Kept != 5 || both.Inputs[0].Before || !both.Inputs[1].Before {
		t.Errorf("report is %+v", both)
	}
	if err := os.Remove(a); err != nil {
		t.Fatal(err)
	}
	if gone := sifted(t, out, a); gone.Failed != 0 || gone.Total.Kept != 3 {
		t.Errorf("an input that is done and gone is %+v", gone.Inputs[0])
	}
}

// A sift that was interrupted, or killed anywhere, ends like an uninterrupted
// one.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	a, b := write(t, dir, "a.jsonl", articles(t, 0, 3)), write(t, dir, "b.jsonl", articles(t, 10, 40))
	whole := filepath.Join(dir, "whole")
	sifted(t, whole, a, b)
	want := tree(t, whole)

	out := filepath.Join(dir, "out")
	c, source := parseTopic(t, topicFile)
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s, err := Open(Spec{Dir: out, Topic: c, Source: source, Files: []string{a, b}, Done: func(*Result, time.Duration) { cancel(reason) }})
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Run(ctx)
	if !errors.Is(err, reason) || len(report.Inputs) != 1 || report.Total.Kept != 3 {
		t.Errorf("report is %+v, error %v", report, err)
	}
	if _, err := Open(Spec{Dir: out, Topic: c, Source: source, Files: []string{a}}); !errors.Is(err, filecorpus.ErrBusy) {
		t.Errorf("a second sift into the folder: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	stopped := tree(t, out)[StateFile]
	for _, left := range []map[string]string{
		{}, // nothing more
		{"corpus/b.jsonl.part": "{", "rejects/b.jsonl.part": "", "sift.json.part": "{"},        // while it was written
		{"rejects/b.jsonl": "{}\n", "corpus/b.jsonl.part": "half"},                             // between its names
		{"corpus/b.jsonl": want["corpus/b.jsonl"], "rejects/b.jsonl": want["rejects/b.jsonl"]}, // before it was noted
	} {
		for name, content := range left {
			write(t, out, name, content)
		}
		sifted(t, out, a, b)
		got := tree(t, out)
		delete(got, "sift.json.part")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %v (-want +got):\n%s", left, diff)
		}
		write(t, out, StateFile, stopped)
	}
}

// An interrupt in the midst of an input leaves nothing of it.
func TestInterruptedAmid(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	path := write(t, dir, "a.jsonl", articles(t, 0, 400))
	c, source := parseTopic(t, topicFile)
	s, err := Open(Spec{Dir: out, Topic: c, Source: source, Files: []string{path}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for s.Progress().Pages == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if report, err := s.Run(ctx); !errors.Is(err, context.Canceled) || len(report.Inputs) != 0 {
		t.Errorf("report is %+v, error %v", report, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got := tree(t, out)
	delete(got, StateFile)
	if diff := cmp.Diff(map[string]string{"topic.yaml": topicFile}, got); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
}

// What would mix two corpora is refused, before anything is changed.
func TestRefusedFolders(t *testing.T) {
	const other = "name: finance\nlanguage: zh\nwords: [股市]\n"
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, dir, out string)
		files   []string
		want    error
	}{
		{"another topic", func(t *testing.T, dir, out string) {
			if _, err := trySift(t, out, other, write(t, dir, "z.jsonl", articles(t, 0, 1))); err != nil {
				t.Fatal(err)
			}
		}, []string{"a.jsonl"}, ErrOther},
		{"a crawl", func(t *testing.T, _, out string) { write(t, out, local.StateFile, "x") }, []string{"a.jsonl"}, ErrForeign},
		{"a foreign topic", func(t *testing.T, _, out string) { write(t, out, local.TopicFile, other) }, []string{"a.jsonl"}, ErrForeign},
		{"a foreign corpus", func(t *testing.T, _, out string) { write(t, out, "corpus/1.jsonl", "{}") }, []string{"a.jsonl"}, ErrForeign},
		{"its own topic", func(t *testing.T, _, out string) { write(t, out, local.TopicFile, topicFile) }, []string{"a.jsonl"}, nil},
		{"one input twice", func(*testing.T, string, string) {}, []string{"a.jsonl", "a.jsonl"}, ErrClash},
		{"one input by two paths", func(*testing.T, string, string) {}, []string{"a.jsonl", "../DIR/a.jsonl"}, ErrClash},
		{"a file that was changed", func(t *testing.T, dir, out string) {
			sifted(t, out, write(t, dir, "a.jsonl", articles(t, 0, 1)))
			write(t, dir, "a.jsonl", articles(t, 0, 2))
		}, []string{"a.jsonl"}, ErrClash},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			write(t, dir, "a.jsonl", articles(t, 0, 2))
			tt.prepare(t, dir, out)
			var before map[string]string
			if _, err := os.Stat(out); err == nil {
				before = tree(t, out)
			}
			var files []string
			for _, name := range tt.files {
				files = append(files, dir+"/"+strings.ReplaceAll(name, "DIR", filepath.Base(dir)))
			}
			_, err := trySift(t, out, topicFile, files...)
			if !errors.Is(err, tt.want) {
				t.Errorf("error is %v, want %v", err, tt.want)
			}
			if tt.want == nil || before == nil {
				return
			}
			if diff := cmp.Diff(before, tree(t, out)); diff != "" {
				t.Errorf("the folder was changed:\n%s", diff)
			}
		})
	}
}

// Files of one name are inputs of their own, in one run or in several, and one that has
// moved is done.
func TestOneName(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	var files []string
	for i, name := range []string{"a.jsonl", "b/a.jsonl", "c/A.ndjson", "d/a.jsonl"} {
		files = append(files, write(t, dir, name, articles(t, i, 1)))
	}
	names := func(r *Report) (all []string) {
		for _, in := range r.Inputs {
			all = append(all, fmt.Sprintf("%s %s %d %t", in.Name, in.Corpus, in.Kept, in.Before))
		}
		return all
	}
	want := []string{"a.jsonl corpus/a.jsonl 1 false", "a-2.jsonl corpus/a-2.jsonl 1 false", "A-3.ndjson corpus/A-3.jsonl 1 false"}
	if diff := cmp.Diff(want, names(sifted(t, out, files[:3]...))); diff != "" {
		t.Error(diff)
	}
	moved := filepath.Join(dir, "e", "a.jsonl")
	if err := os.Mkdir(filepath.Dir(moved), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(files[1], moved); err != nil {
		t.Fatal(err)
	}
	want = []string{"a-4.jsonl corpus/a-4.jsonl 1 false", "a-2.jsonl corpus/a-2.jsonl 1 true", "a.jsonl corpus/a.jsonl 1 true"}
	if diff := cmp.Diff(want, names(sifted(t, out, files[3], moved, files[0]))); diff != "" {
		t.Error(diff)
	}
	for i, name := range []string{"a.jsonl", "a-2.jsonl", "A-3.ndjson", "a-4.jsonl"} {
		docs := documents(t, out, outName(name))
		if first, _, _ := strings.Cut(article("银行", i), "。"); len(docs) != 1 || docs[0].URL != name+"#1" || !strings.HasPrefix(docs[0].Text, first) {
			t.Errorf("%s has %d documents: %+v", name, len(docs), docs)
		}
	}
}

// A file that is missing is not one of its name that is there, and of two that have moved
// one is that which was sifted.
func TestNotThatOne(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	first := write(t, dir, "a.jsonl", articles(t, 0, 1))
	sifted(t, out, first)
	missing := filepath.Join(dir, "b", "a.jsonl")
	r, err := trySift(t, out, topicFile, first, missing)
	if err != nil || r.Failed != 1 || !r.Inputs[0].Before || r.Inputs[1].Error == "" {
		t.Errorf("report is %+v, error %v", r, err)
	}
	one, two := write(t, dir, "c/a.jsonl", articles(t, 0, 1)), write(t, dir, "d/a.jsonl", articles(t, 0, 1))
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	if r := sifted(t, out, one, two); !r.Inputs[0].Before || r.Inputs[1].Before || r.Inputs[1].Name != "a-2.jsonl" {
		t.Errorf("report is %+v", r)
	}
}

// An invalid state is an error that names the folder.
func TestDamagedState(t *testing.T) {
	for _, damaged := range []string{"", "{", "[]", `{"inputs":[null]}`} {
		dir := t.TempDir()
		write(t, dir, StateFile, damaged)
		if _, err := trySift(t, dir, topicFile); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%q: error is %v", damaged, err)
		}
	}
}

func TestOutName(t *testing.T) {
	for name, want := range map[string]string{
		"CC-MAIN-1.warc.gz": "CC-MAIN-1", "CC-MAIN-1.warc.wet.gz": "CC-MAIN-1", "a.jsonl.zst": "a", "a.b.NDJSON": "a.b",
		"a": "a", ".jsonl": ".jsonl", "a.txt": "a.txt", "x.warc.part": "x.warc.part",
	} {
		if got := outName(name); got != want {
			t.Errorf("name of the outputs of %s is %s, want %s", name, got, want)
		}
	}
}
