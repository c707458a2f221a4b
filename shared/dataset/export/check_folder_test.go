package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sluice/shared/state/corpus"
)

func checkFolder(t testing.TB, f *Folder) *CheckedFolder {
	t.Helper()
	res, err := CheckFolder(t.Context(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// ledgered is a crawl of 12 documents in several files, and its documents.
func ledgered(t testing.TB) (*Folder, []*corpus.Document) {
	t.Helper()
	docs := someDocuments(12)
	f := crawlOf(t, docs...)
	f.Ledger, f.Crawl, f.Rejected = doneWith(docs), &Crawl{Kept: 12}, 3
	return f, docs
}

func TestCheckFolder(t *testing.T) {
	f, _ := ledgered(t)
	for _, test := range []struct {
		name   string
		folder Folder
		want   CheckedFolder
	}{
		{"stopped", *f, CheckedFolder{State: StateStopped, Records: 12, Located: 12}},
		{"running", Folder{Dir: f.Dir, Ledger: f.Ledger, Open: true}, CheckedFolder{State: StateRunning, Records: 12, Located: 12}},
		{"no ledger", Folder{Dir: f.Dir}, CheckedFolder{Records: 12, Located: 12}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.want.Dir, test.want.Rejects, test.want.Findings = f.Dir, 3, noFindings()
			if have := checkFolder(t, &test.folder); mustJSON(t, have) != mustJSON(t, &test.want) {
				t.Errorf("%s\nwant %s", mustJSON(t, have), mustJSON(t, &test.want))
			}
		})
	}
}

// edit changes a file of a folder.
func edit(t testing.TB, f *Folder, name string, change func(data []byte) []byte) {
	t.Helper()
	path := filepath.Join(f.Dir, filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every damage is found.
func TestCheckFolderDamage(t *testing.T) {
	const file = "corpus/00001.jsonl"
	firstLine := func(change func(line []byte) []byte) func(*testing.T, *Folder) {
		return func(t *testing.T, f *Folder) {
			edit(t, f, file, func(data []byte) []byte {
				end := bytes.IndexByte(data, '\n') + 1
				return append(change(slices.Clone(data[:end])), data[end:]...)
			})
		}
	}
	swap := func(old, by string) func(*testing.T, *Folder) {
		return firstLine(func(line []byte) []byte { return bytes.Replace(line, []byte(old), []byte(by), 1) })
	}
	for _, test := range []struct {
		name   string
		damage func(t *testing.T, f *Folder)
		want   string
	}{
		{"a file removed", func(t *testing.T, f *Folder) { remove(t, f.Dir, file) }, "http://host0.test/a/0.html is not in corpus"},
		{"all files removed", func(_ *testing.T, f *Folder) { _ = os.RemoveAll(filepath.Join(f.Dir, "corpus")) }, "http://host2.test/a/11.html is not in corpus"},
		{"a file emptied", func(t *testing.T, f *Folder) { edit(t, f, file, func([]byte) []byte { return nil }) }, "is not in corpus"},
		{"a file cut", func(t *testing.T, f *Folder) { edit(t, f, file, func(b []byte) []byte { return b[:len(b)-9] }) }, "line 10: no document"},
		{"a line removed", firstLine(func([]byte) []byte { return nil }), "http://host0.test/a/0.html is not in corpus"},
		{"a line twice", firstLine(func(b []byte) []byte { return append(b, b...) }), "corpus/00001.jsonl, line 2: http://host0.test/a/0.html is there already"},
		{"no JSON", firstLine(func([]byte) []byte { return []byte("{\n") }), "line 1: no document"},
		{"a longer text", swap(`"text":"`, `"text":"更`), "char_count is 20"},
		{"another text of this length", func(t *testing.T, f *Folder) {
			old := newDocument(0, 20).Text
			swap(old[:9], "另一些")(t, f)
		}, "corpus/00001.jsonl, line 1: simhash is"},
		{"another id", swap(`"id":"`, `"id":"f`), "line 1: id is"},
		{"another URL", swap(`"final_url":"http://host0.test/a/0.html"`, `"final_url":"http://host0.test/a/x.html"`), "http://host0.test/a/0.html is not in corpus"},
		{"another offset", swap(`"offset":`, `"offset":7`), "is not in corpus"},
		{"another length", swap(`"length":`, `"length":1`), "line 1 (http://host0.test/a/0.html)"},
		{"a version to come", swap(`"v":1`, `"v":9`), "record of version 9"},
		{"an archive removed", func(t *testing.T, f *Folder) { remove(t, f.Dir, "warc/00001.warc.gz") }, `"warc/00001.warc.gz" is missing: `},
		{"an archive flipped", func(t *testing.T, f *Folder) {
			flip(t, f.Dir, "warc/00001.warc.gz", firstOffset(t, f)+60)
		}, "line 1 (http://host0.test/a/0.html)"},
		{"an archive cut", func(t *testing.T, f *Folder) {
			edit(t, f, "warc/00001.warc.gz", func(b []byte) []byte { return b[:200] })
		}, "line 1 (http://host0.test/a/0.html)"},
		{"an archive cut behind the last response", func(t *testing.T, f *Folder) {
			edit(t, f, "warc/00001.warc.gz", func(b []byte) []byte { return b[:len(b)-9] })
		}, "warc/00001.warc.gz: warc_damaged: record at byte "},
		{"an archive with something behind", func(t *testing.T, f *Folder) {
			writeBytes(t, f, "warc/00001.warc.gz", "what is this")
		}, "warc/00001.warc.gz: warc_damaged: record at byte "},
		{"another payload", func(t *testing.T, f *Folder) { forge(t, f) }, "its payload has the digest sha1:"},
		{"rejects removed", func(_ *testing.T, f *Folder) { _ = os.RemoveAll(filepath.Join(f.Dir, "rejects")) }, "rejects has none of the 3 pages"},
		{"a reject of nothing", func(t *testing.T, f *Folder) { writeBytes(t, f, "rejects/00001.jsonl", "{}\n") }, "rejects/00001.jsonl, line 4: "},
		{"a reject torn", func(t *testing.T, f *Folder) { writeBytes(t, f, "rejects/00001.jsonl", `{"url":`) }, "rejects/00001.jsonl, line 4: no reject"},
		{"a count", func(_ *testing.T, f *Folder) { f.Crawl.Kept++ }, "the crawl says that it has kept 13 documents, its ledger points at 12"},
		{"a lost trace", func(_ *testing.T, f *Folder) { f.Ledger = forgetful{f.Ledger} }, "the ledger does not say how http://host0.test/a/0.html was found"},
		{"a ledger that fails", func(_ *testing.T, f *Folder) { f.Ledger = broken{f.Ledger} }, "list what the ledger points at: disk image is malformed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, _ := ledgered(t)
			test.damage(t, f)
			if problems := strings.Join(checkFolder(t, f).Problems, "\n"); !strings.Contains(problems, test.want) {
				t.Errorf("%q, want %q", problems, test.want)
			}
		})
	}
}

// The texts of records without a simhash are not checked, and the result says
// so.
func TestCheckFolderWithoutSimHash(t *testing.T) {
	docs := someDocuments(4)
	docs[1].SimHash, docs[3].SimHash = "", ""
	docs[2].Text, docs[2].SimHash = "\x01é\u2028", simHash("é\n") // without what a record cannot hold
	res := checkFolder(t, crawlOf(t, docs...))
	if res.Unknown != 2 || len(res.Problems) > 0 || len(res.Notes) != 1 || !strings.HasPrefix(res.Notes[0], "2 documents have no simhash") {
		t.Errorf("%s", mustJSON(t, res))
	}
}

// firstOffset is where the response of the first document lies.
func firstOffset(t testing.TB, f *Folder) int {
	t.Helper()
	entries, err := f.Ledger.Entries(t.Context(), []string{"http://host0.test/a/0.html"})
	if err != nil {
		t.Fatal(err)
	}
	return int(entries[0].Offset)
}

// forge writes the first archive anew: what a response says of its payload is
// that of another one of the same length.
func forge(t testing.TB, f *Folder) {
	t.Helper()
	d := newDocument(0, 20)
	var enc corpus.Encoder
	data, span := corpus.AppendExchange(nil, newExchange(d), &enc)
	var plain []byte
	for rec, err := range corpus.ReadWARC(bytes.NewReader(data[:span.Length])) {
		if err != nil {
			t.Fatal(err)
		}
		plain = append(plain, "WARC/1.1\r\n"...)
		for name, values := range rec.Header {
			plain = append(plain, fmt.Sprintf("%s: %s\r\n", name, values[0])...)
		}
		plain = append(append(append(plain, "\r\n"...), bytes.Replace(rec.Block, []byte("<p>"), []byte("<b>"), 1)...), "\r\n\r\n"...)
	}
	edit(t, f, "warc/00001.warc.gz", func([]byte) []byte { return plain })
	b, _ := f.Ledger.(books)
	e := b[d.FinalURL]
	e.Offset, e.Length = 0, int64(len(plain))
	edit(t, f, "corpus/00001.jsonl", func(data []byte) []byte {
		end := bytes.IndexByte(data, '\n') + 1
		first, err := readDocument(data[:end])
		if err != nil {
			t.Fatal(err)
		}
		first.WARC.Offset, first.WARC.Length = 0, int64(len(plain))
		line, err := first.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		return append(line, data[end:]...)
	})
}

// forgetful lists nothing.
type forgetful struct{ Ledger }

func (forgetful) Current(context.Context) iter.Seq2[[]Pointed, error] {
	return func(func([]Pointed, error) bool) {}
}

// broken cannot be read.
type broken struct{ Ledger }

func (broken) Current(context.Context) iter.Seq2[[]Pointed, error] {
	return func(yield func([]Pointed, error) bool) { yield(nil, errors.New("disk image is malformed")) }
}

// A crawl that is running may be about to write a line, and to end a page.
func TestCheckFolderWhileRunning(t *testing.T) {
	f, docs := ledgered(t)
	b, _ := f.Ledger.(books)
	delete(b, docs[11].FinalURL)
	f.Open = true
	writeBytes(t, f, "corpus/00009.jsonl", `{"v":1,"id":`)
	writeBytes(t, f, "rejects/00001.jsonl", `{"url`)
	writeBytes(t, f, "warc/00001.warc.gz", "\x1f\x8b\x08")
	if res := checkFolder(t, f); len(res.Problems) > 0 || res.Records != 11 || res.Others != 1 {
		t.Errorf("%+v", res)
	}
	remove(t, f.Dir, "corpus/00001.jsonl")
	if res := checkFolder(t, f); len(res.Problems) == 0 {
		t.Error("the check misses no document of a running crawl")
	}
}

// Without archives there is nothing to look into, unless a crawl has kept them.
func TestCheckFolderWithoutArchives(t *testing.T) {
	f, _ := ledgered(t)
	if err := os.RemoveAll(filepath.Join(f.Dir, "warc")); err != nil {
		t.Fatal(err)
	}
	if res := checkFolder(t, f); len(res.Problems) == 0 || len(res.Notes) > 0 {
		t.Errorf("a crawl: %+v", res)
	}
	if res := checkFolder(t, &Folder{Dir: f.Dir}); len(res.Problems) > 0 || len(res.Notes) != 1 {
		t.Errorf("a copy: %+v", res)
	}
}

func TestCheckFolderStops(t *testing.T) {
	f, _ := ledgered(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CheckFolder(ctx, f, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
