package export

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/shared/state/corpus"
)

// The keys are those of the Python library surt 0.3.1, which pywb and
// cdxj-indexer use.
func TestSurtKey(t *testing.T) {
	for url, want := range map[string]string{
		"http://www.Example.com/":                            "com,example)/",
		"http://example.com:80/A/b/?b=2&a=1":                 "com,example)/a/b?a=1&b=2",
		"https://example.com:8443/x/":                        "com,example:8443)/x",
		"https://a.test:443/":                                "test,a)/",
		"http://1.2.3.4/a":                                   "4,3,2,1)/a",
		"http://[::1]:8080/x":                                "::1:8080)/x",
		"http://www2.example.com/a//b/../c?":                 "com,example)/a/c",
		"http://www12.a.www.test/":                           "test,www,a)/",
		"http://www.com/":                                    "com)/",
		"http://a.test/%E4%B8%8A?q=%e4":                      "test,a)/%e4%b8%8a?q=%e4",
		"http://a.test/上":                                    "test,a)/%e4%b8%8a",
		"http://a.test/a b":                                  "test,a)/a%20b",
		"http://a.test/a?b=1&b=0&":                           "test,a)/a?&b=0&b=1",
		"http://a.test/x?&&a":                                "test,a)/x?&&a",
		"http://a.test/x?a=%26b&c":                           "test,a)/x?a=&b&c",
		"http://a.test/x?a=B&A=b":                            "test,a)/x?a=b&a=b",
		"http://a.test/x?a&a=":                               "test,a)/x?a&a=",
		"http://a.test":                                      "test,a)/",
		"http://a.test?x":                                    "test,a)/?x",
		"http://a.test//":                                    "test,a)/",
		"http://a.test/a/.":                                  "test,a)/a",
		"http://a.test/a/..":                                 "test,a)/",
		"http://a.test/../x":                                 "test,a)/../x",
		"http://user:pw@a.test./":                            "test,a)/",
		"http://www.a.test/index.html#frag":                  "test,a)/index.html",
		"http://a.test/%7Euser/%2Fx":                         "test,a)/~user/x",
		"http://a.test/%25%32%35":                            "test,a)/%25",
		"http://xn--fiq228c.test/":                           "test,xn--fiq228c)/",
		"ftp://a.test/x":                                     "test,a)/x",
		"dns:a.test":                                         "dns:a.test",
		"":                                                   "-",
		"http://a.test/?PHPSESSID=" + hex32 + "&z=1":         "test,a)/?z=1",
		"http://a.test/x/?sid=" + hex32:                      "test,a)/x",
		"http://a.test/a?cfid=1&cftoken=2":                   "test,a)/a",
		"http://a.test/x;jsessionid=" + hex32:                "test,a)/x;jsessionid=" + hex32,
		"http://a.test/(S(4hqa0555fwsecu455xqckv45))/x.aspx": "test,a)/x.aspx",
	} {
		if got := surtKey(url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

const hex32 = "0123456789abcdef0123456789abcdef"

// A key has neither spaces nor line ends, which part the fields of a line.
func FuzzSurtKey(f *testing.F) {
	for _, seed := range []string{"http://a.test/x?y", "http://[::1", "http://%20/", "a b", "://", "http://a/%2%35%zz", "http://\xff/\xff?\xff", "x\u2028://y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, url string) {
		key := surtKey(url)
		if key == "" || strings.ContainsAny(key, " \n\r\t") {
			t.Errorf("%q: %q", url, key)
		}
	})
}

// Percent signs of percent signs are undone in one pass.
func TestUnescapeIsLinear(t *testing.T) {
	if got := unescape("%" + strings.Repeat("25", 1<<20) + "41"); got != "A" {
		t.Errorf("%d bytes", len(got))
	}
}

func TestCaptureLine(t *testing.T) {
	d := newDocument(1, 5)
	d.FinalURL = "http://www.a.test/<b>&c?q=\u2028"
	data, _ := corpus.AppendExchange(nil, newExchange(d), new(corpus.Encoder))
	for rec, err := range corpus.ReadWARC(bytes.NewReader(data)) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != "response" {
			continue
		}
		line, err := captureLine(rec, "warc/1.warc.gz")
		if err != nil {
			t.Fatal(err)
		}
		want := `test,a)/<b>&c?q=%e2%80%a8 20261121080100 {"url":"http://www.a.test/<b>&c?q=%E2%80%A8","mime":"text/html","status":"200",` +
			`"digest":"` + rec.Header.Get("WARC-Payload-Digest") + `","length":"` + fmt.Sprint(rec.Length) + `","offset":"0","filename":"warc/1.warc.gz"}` + "\n"
		diff(t, want, string(line))
	}
}

// The index is sorted by bytes, of all archives together.
func TestIndexIsSorted(t *testing.T) {
	res := mustRun(t, []*Folder{crawlOf(t, someDocuments(120)...)}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
	lines := strings.SplitAfter(tree(t, res.Out)[IndexFile], "\n")
	if lines = lines[:len(lines)-1]; !slices.IsSorted(lines) || len(lines) != 120 {
		t.Errorf("%d lines, sorted: %t", len(lines), slices.IsSorted(lines))
	}
}

// Of several folders the names of archives say which one they are in.
func TestFolders(t *testing.T) {
	one, two := crawlOf(t, someDocuments(10)...), crawlOf(t, newDocument(50, 60), newDocument(51, 60), newDocument(3, 500))
	three := &Folder{Dir: filepath.Join(t.TempDir(), "sifted")}
	if err := os.MkdirAll(filepath.Join(three.Dir, "corpus"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeLine(t, three, "corpus/a.jsonl", newDocument(70, 30))
	res := mustRun(t, []*Folder{one, two, three}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
	files := map[string]int{}
	for _, d := range readLines(t, res) {
		label, _, _ := strings.Cut(d.WARC.File, "/")
		files[label]++
	}
	diff(t, map[string]int{"crawl": 10, "crawl-2": 2, "": 1}, files)
	if res.Left.Elsewhere != 1 { // page 3, of which the first crawl has another text
		t.Errorf("%d documents are left out as they are elsewhere, want 1", res.Left.Elsewhere)
	}
	list, err := Check(t.Context(), res.Out, nil)
	if err != nil || list[0].Located != 12 || list[0].Captures != 13 || len(list[0].Notes) != 1 {
		t.Errorf("%+v, %v", list[0], err)
	}
	if !strings.Contains(tree(t, res.Out)[IndexFile], `"filename":"crawl-2/warc/00001.warc.gz"`) {
		t.Error("the index does not name the second crawl")
	}
}

// BenchmarkExport writes a corpus of 4 MB text as each format.
func BenchmarkExport(b *testing.B) {
	docs := make([]*corpus.Document, 1000)
	size := int64(0)
	for i := range docs {
		docs[i] = newDocument(i, 1300)
		docs[i].DateFetched = corpus.Date{Time: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}
		size += int64(len(docs[i].Text))
	}
	f := crawlOf(b, docs...)
	for _, format := range Formats() {
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(size)
			out := filepath.Join(b.TempDir(), "out")
			for b.Loop() {
				if _, err := Run(b.Context(), []*Folder{f}, out, Options{Format: format}, Tools{}); err != nil {
					b.Fatal(err)
				}
				if err := os.RemoveAll(out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
