package textfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
)

func open(t *testing.T, o Options, paths ...string) *Source {
	t.Helper()
	s, err := Open(paths, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drain runs one pass.
func drain(t *testing.T, s *Source) (docs []Document, errs []error) {
	t.Helper()
	for doc, err := range s.Documents(t.Context()) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		docs = append(docs, doc)
	}
	return docs, errs
}

func texts(docs []Document) []string {
	var all []string
	for _, d := range docs {
		all = append(all, d.Text)
	}
	return all
}

func TestFolders(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{
			name:  "all files below, in the order of names",
			files: map[string]string{"b.txt": "乙", "a/2.txt": "丁", "a/1.txt": "丙", "c": "甲"},
			want:  []string{"丙", "丁", "乙", "甲"},
		},
		{
			name:  "hidden ones do not count",
			files: map[string]string{".git/config": "x", ".DS_Store": "x", "a.txt": "甲"},
			want:  []string{"甲"},
		},
		{
			name: "of a crawl its documents alone",
			files: map[string]string{
				"corpus/00002.jsonl": `{"text":"二"}`, "corpus/00001.jsonl": `{"text":"一"}`,
				"corpus/README": "none", "rejects/00001.jsonl": `{"url":"x"}`, "state.db": "\x00\x01",
			},
			want: []string{"一", "二"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			docs, errs := drain(t, open(t, Options{}, fixture.Folder(t, tc.files)))
			if diff := cmp.Diff(tc.want, texts(docs)); diff != "" || errs != nil {
				t.Errorf("errors %v; documents (-want +got):\n%s", errs, diff)
			}
		})
	}
}

func TestFolderNameIsNoPattern(t *testing.T) {
	dir := filepath.Join(fixture.Folder(t, map[string]string{"a[b]*/corpus/1.jsonl": `{"text":"甲"}`, "a[b]*/x.txt": "乙"}), "a[b]*")
	docs, _ := drain(t, open(t, Options{}, dir))
	if diff := cmp.Diff([]string{"甲"}, texts(docs)); diff != "" {
		t.Error(diff)
	}
}

func TestOpenNamesEveryProblem(t *testing.T) {
	dir := fixture.Folder(t, map[string]string{"good.txt": "x", "empty/.keep": ""})
	_, err := Open([]string{
		filepath.Join(dir, "good.txt"), filepath.Join(dir, "missing-1"), filepath.Join(dir, "empty"),
		"-", filepath.Join(dir, "missing-2"), "-",
	}, Options{})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"missing-1", "missing-2", "empty has no files", "- is named twice"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error does not say %q: %v", want, err)
		}
	}
	if _, err := Open(nil, Options{}); err == nil {
		t.Error("no error without paths")
	}
}

func TestSeveralPassesAndProgress(t *testing.T) {
	line := strings.Repeat("字", 1000) + "\n"
	dir := fixture.Folder(t, map[string]string{
		"a.txt": strings.Repeat(line, 200), "b.gz": packed(t, gzipped, strings.Repeat(line, 300)),
		"c.gz": packed(t, gzipped, line)[:30], // damaged
	})
	s := open(t, Options{}, dir)
	if read, total := s.Progress(); read != 0 || total <= int64(200*len(line)) {
		t.Errorf("progress before the pass is %d of %d", read, total)
	}
	for pass := range 2 {
		n, failed := 0, 0
		var last int64
		for _, err := range s.Documents(t.Context()) {
			if err != nil {
				failed++
				continue
			}
			n++
			read, total := s.Progress()
			if read < last || read > total {
				t.Fatalf("pass %d: progress went from %d to %d of %d", pass, last, read, total)
			}
			last = read
		}
		if n != 500 || failed != 1 {
			t.Errorf("pass %d: %d documents, %d errors", pass, n, failed)
		}
		if read, total := s.Progress(); read != total {
			t.Errorf("pass %d ended at %d of %d", pass, read, total)
		}
	}
}

func TestStdinIsReadOnce(t *testing.T) {
	s := open(t, Options{Stdin: strings.NewReader(`{"text":"甲"}` + "\n" + `{"text":"乙"}`)}, "-")
	docs, errs := drain(t, s)
	want := []Document{{ID: "-:1", Text: "甲"}, {ID: "-:2", Text: "乙"}}
	if diff := cmp.Diff(want, docs); diff != "" || errs != nil {
		t.Errorf("errors %v; documents (-want +got):\n%s", errs, diff)
	}
	if _, total := s.Progress(); total != -1 {
		t.Errorf("total is %d, want -1 for unknown", total)
	}
	if docs, errs = drain(t, s); docs != nil || len(errs) != 1 || !strings.Contains(errs[0].Error(), "only once") {
		t.Errorf("second pass: %v, %v", docs, errs)
	}
}

// A context that ends is the last value, also inside a line that never ends.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := open(t, Options{Stdin: &endless{after: 100 << 20, do: cancel}}, "-")
	var errs []error
	for _, err := range s.Documents(ctx) {
		errs = append(errs, err)
	}
	if len(errs) != 1 || !errors.Is(errs[0], context.Canceled) {
		t.Errorf("values are %v, want the context's error alone", errs)
	}

	dir := fixture.Folder(t, map[string]string{"a.txt": "一\n二\n三\n", "b.txt": "四"})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	n := 0
	for _, err := range open(t, Options{}, dir).Documents(ctx) {
		if n++; n == 1 {
			stop()
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("value %d has error %v", n, err)
		}
	}
	if n != 2 {
		t.Errorf("%d values, want a document and the context's error", n)
	}
}

// endless is text without lines; after some bytes it does something, once.
type endless struct {
	after int
	do    func()
}

func (e *endless) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte("a"), len(p)))
	if e.after -= len(p); e.after < 0 {
		e.do()
	}
	return len(p), nil
}

// A file may be left in the middle; its decompressors go with it.
func TestBreak(t *testing.T) {
	s := open(t, Options{}, fixture.Folder(t, map[string]string{"a.zst": packed(t, zstandard, "一\n二\n"), "b": "三"}))
	for doc, err := range s.Documents(t.Context()) {
		if doc.Text != "一" || err != nil {
			t.Errorf("first value is %v, %v", doc, err)
		}
		break
	}
	if docs, _ := drain(t, s); len(docs) != 3 {
		t.Errorf("the pass after it has %v", texts(docs))
	}
}

// Only a line over the limit is lost.
func TestTooLarge(t *testing.T) {
	huge := strings.Repeat("长", MaxDocument/3+1)
	for _, tc := range []struct {
		name, content string
	}{
		{"plain", "一\n" + huge + "\n二\n" + huge},
		{"json", `{"text":"一"}` + "\n" + `{"text":"` + huge + `"}` + "\n" + `{"text":"二"}` + "\n" + `{"text":"` + huge},
		{"dump", dumpOf(onePage("a", "一"), onePage("b", huge), onePage("c", "二"), onePage("d", huge))},
		{"warc", warcOf(textRecord("一"), textRecord(huge), textRecord("二"), textRecord(huge))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			docs, errs := drain(t, open(t, Options{Stdin: strings.NewReader(tc.content)}, "-"))
			if diff := cmp.Diff([]string{"一", "二"}, texts(docs)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
			if len(errs) != 2 {
				t.Fatalf("errors are %v, want two", errs)
			}
			for _, err := range errs {
				if !isTooLarge(err) {
					t.Errorf("error is %v", err)
				}
			}
		})
	}
}

func TestLineOfExactlyTheLimit(t *testing.T) {
	s := open(t, Options{Stdin: io.MultiReader(strings.NewReader(strings.Repeat("a", MaxDocument)), strings.NewReader("\nb"))}, "-")
	docs, errs := drain(t, s)
	if len(docs) != 2 || errs != nil {
		t.Errorf("%d documents, errors %v", len(docs), errs)
	}
}
