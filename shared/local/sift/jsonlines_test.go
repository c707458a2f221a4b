package sift

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

func object1(t testing.TB, fields map[string]any) string {
	t.Helper()
	line, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(line) + "\n"
}

// Each dialect is recognised by its fields.
func TestDialects(t *testing.T) {
	text := article("银行", 1)
	china := time.FixedZone("", 8*60*60)
	digest := digestOf(strings.TrimSpace(text)) // of a text without a URL
	for _, tt := range []struct {
		name   string
		fields map[string]any
		want   corpus.Document
	}{
		{"plain", map[string]any{"text": text}, corpus.Document{URL: "in.jsonl#1", FinalURL: digest}},
		{"content and title", map[string]any{"content": text, "title": "银行", "url": "http://A.test/x", "date": "2020-03-01"}, corpus.Document{
			URL: "http://A.test/x", FinalURL: "http://a.test/x", Site: "a.test", Title: "银行", DatePublished: "2020-03-01T00:00:00.000+08:00",
		}},
		{"paragraphs", map[string]any{"body": strings.Split(strings.TrimSpace(text), "\n")}, corpus.Document{URL: "in.jsonl#1", FinalURL: digest}},
		{"datatrove", map[string]any{"text": text, "id": "x", "metadata": map[string]any{"url": "https://b.test/y", "date": "2019-05-06T07:08:09Z"}}, corpus.Document{
			URL: "https://b.test/y", FinalURL: "https://b.test/y", Site: "b.test", DateFetched: corpus.Date{Time: time.Date(2019, 5, 6, 7, 8, 9, 0, time.UTC)},
		}},
		{"FineWeb", map[string]any{"text": text, "id": "<urn:uuid:x>", "dump": "CC-MAIN-2013-20", "url": "https://b.test/y", "date": "2019-05-06T07:08:09Z"}, corpus.Document{
			URL: "https://b.test/y", FinalURL: "https://b.test/y", Site: "b.test", DateFetched: corpus.Date{Time: time.Date(2019, 5, 6, 7, 8, 9, 0, time.UTC)},
		}},
		{"OSCAR", map[string]any{"content": text, "warc_headers": map[string]any{"warc-target-uri": "https://b.test/z", "warc-date": "2019-05-06T07:08:09Z"}}, corpus.Document{
			URL: "https://b.test/z", FinalURL: "https://b.test/z", Site: "b.test", DateFetched: corpus.Date{Time: time.Date(2019, 5, 6, 7, 8, 9, 0, time.UTC)},
		}},
		{"CC-Net", map[string]any{"raw_content": text, "title": "银行", "url": "http://b.test/", "date_download": "2019-05-06T07:08:09Z"}, corpus.Document{
			URL: "http://b.test/", FinalURL: "http://b.test/", Site: "b.test", Title: "银行", DateFetched: corpus.Date{Time: time.Date(2019, 5, 6, 7, 8, 9, 0, time.UTC)},
		}},
		{"one of ours", map[string]any{"text": text, "url": "http://b.test/was", "final_url": "http://b.test/is", "author": "甲", "source": "乙社", "date_published": "2020-03-01T10:00:00.000+09:00", "date_fetched": "2020-03-02T00:00:00Z"}, corpus.Document{
			URL: "http://b.test/was", FinalURL: "http://b.test/is", Site: "b.test", Author: "甲", Source: "乙社",
			DatePublished: "2020-03-01T10:00:00.000+09:00", DateFetched: corpus.Date{Time: time.Date(2020, 3, 2, 0, 0, 0, 0, time.UTC)},
		}},
		{"no URL in url", map[string]any{"text": text, "url": "a/b", "title": 7, "date": "gestern", "metadata": "none"}, corpus.Document{URL: "in.jsonl#1", FinalURL: digest}},
		{"another scheme", map[string]any{"text": text, "url": "javascript:alert(1)", "final_url": "not a url"}, corpus.Document{URL: "in.jsonl#1", FinalURL: digest}},
		{"asked for by no URL", map[string]any{"text": text, "url": "mailto:a@b.test", "final_url": "http://b.test/is"}, corpus.Document{
			URL: "http://b.test/is", FinalURL: "http://b.test/is", Site: "b.test",
		}},
		{"found at no URL", map[string]any{"text": text, "url": "http://b.test:80/was", "final_url": "/is"}, corpus.Document{
			URL: "http://b.test:80/was", FinalURL: "http://b.test/was", Site: "b.test",
		}},
		{"a date to come", map[string]any{"text": text, "timestamp": "9999-12-31T23:59:59-12:00"}, corpus.Document{URL: "in.jsonl#1", FinalURL: digest}},
		{"a date without a zone", map[string]any{"text": text, "timestamp": "2020-03-01 10:00:00"}, corpus.Document{
			URL: "in.jsonl#1", FinalURL: digest, DateFetched: corpus.Date{Time: time.Date(2020, 3, 1, 10, 0, 0, 0, china).UTC()},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			r := sifted(t, out, write(t, dir, "in.jsonl", object1(t, tt.fields))).Inputs[0]
			docs := documents(t, out, "in")
			if len(docs) != 1 || r.Kind != JSONL {
				t.Fatalf("%+v; rejects %v", r, rules(t, out, "in"))
			}
			got := docs[0]
			if got.Text+"\n" != text || got.Method != "plain" || got.Language != "zh" || got.WARC != (corpus.Location{}) {
				t.Errorf("document is %+v", got)
			}
			got = corpus.Document{
				URL: got.URL, FinalURL: got.FinalURL, Site: got.Site, Title: got.Title, Author: got.Author, Source: got.Source,
				DatePublished: got.DatePublished, DateFetched: got.DateFetched,
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
		})
	}
}

// A page within an object is read as a page.
func TestObjectWithPage(t *testing.T) {
	page := html("银行股市", article("银行", 1))
	for _, field := range []string{"html", "raw_content", "content"} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		hidden := strings.Replace(page, "<title>", "<meta name=robots content=noindex><title>", 1)
		sifted(t, out, write(t, dir, "in.jsonl",
			object1(t, map[string]any{field: page, "url": "http://a.test/1", "body": ""})+
				object1(t, map[string]any{field: page})+
				object1(t, map[string]any{field: hidden})))
		docs := documents(t, out, "in")
		if len(docs) != 2 || docs[0].Title != "银行股市" || docs[0].Text+"\n" != article("银行", 1) || docs[1].URL != "in.jsonl#2" || docs[1].FinalURL != digestOf(page) || docs[1].Site != "" {
			t.Errorf("%s: documents are %+v", field, docs)
		}
		if diff := cmp.Diff([]string{"in.jsonl#3 noindex"}, rules(t, out, "in")); diff != "" {
			t.Errorf("%s: rejects (-want +got):\n%s", field, diff)
		}
	}
}

// Lines without text are skipped and counted.
func TestBadLines(t *testing.T) {
	good := object1(t, map[string]any{"text": article("银行", 1), "url": "http://a.test/1"})
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	file := "\xEF\xBB\xBF" + strings.ReplaceAll(good, "\n", "\r\n") + // 1: with a mark, and CRLF
		"nonsense\r\n" + // 2
		"\n \t\r\n" + // 3 and 4: empty
		"[1, 2]\n" + // 5
		"null\n" + // 6
		`{"text": 7}` + "\n" + // 7
		`{"text": " ", "content": null, "html": ""}` + "\n" + // 8
		"{\"text\": \"\xd6\xd0\xb9\xfa\"}\n" + // 9: GBK
		`{"text": "` + strings.Repeat("x", 5) + "\n" + // 10
		strings.Repeat(`{"a":`, 20000) + "\n" + // 11
		`{"title": "银行"}` + "\n" + // 12
		strings.Replace(good[:len(good)-1], "/1", "/2", 1) // 13, without a line end
	r := sifted(t, out, write(t, dir, "in.jsonl", file)).Inputs[0]
	want := []string{
		"in.jsonl#2 not_json", "in.jsonl#5 not_json", "in.jsonl#6 not_json", "in.jsonl#7 no_text", "in.jsonl#8 no_text",
		"in.jsonl#9 not_utf8", "in.jsonl#10 not_json", "in.jsonl#11 not_json", "in.jsonl#12 no_text",
	}
	if diff := cmp.Diff(want, rules(t, out, "in")); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	if r.Records != 11 || r.Pages != 11 || r.Kept != 2 || r.Rejected != 9 || r.Damaged != 0 {
		t.Errorf("result is %+v", r)
	}
}

// Of the documents of one URL in a file the first stays, as of equal texts
// without a URL; refused ones do not count.
func TestOneURLInManyLines(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	r := sifted(t, out, write(t, dir, "in.ndjson",
		object1(t, map[string]any{"text": "Not about it.", "url": "http://a.test/"})+
			object1(t, map[string]any{"text": article("银行", 1), "url": "http://a.test/"})+
			object1(t, map[string]any{"text": article("基金", 2), "url": "HTTP://A.test:80"})+
			object1(t, map[string]any{"text": article("基金", 3)})+
			object1(t, map[string]any{"text": article("基金", 3), "url": "no URL"})+
			object1(t, map[string]any{"text": article("基金", 4)}))).Inputs[0]
	if r.Kept != 3 || r.Rules[RuleRepeated] != 2 {
		t.Errorf("result is %+v", r)
	}
	if diff := cmp.Diff([]string{"http://a.test/ body_threshold", "HTTP://A.test:80 repeated", "in.ndjson#5 repeated"}, rules(t, out, "in")); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
}

// Fields that a line does not have are empty in its record, dates too.
func TestUnknownDates(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	sifted(t, out, write(t, dir, "in.jsonl", object1(t, map[string]any{"text": article("银行", 1)})+object1(t, map[string]any{"text": "Off."})))
	files := tree(t, out)
	if text := files["corpus/in.jsonl"]; !strings.Contains(text, `"date_published":"","date_fetched":"",`) {
		t.Errorf("document is %s", text)
	}
	if text := files["rejects/in.jsonl"]; !strings.Contains(text, `,"date":"",`) {
		t.Errorf("reject is %s", text)
	}
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"none", "", nil},
		{"ends", "a\nb\n", []string{"a\n", "b\n"}},
		{"no end", "a\nb", []string{"a\n", "b"}},
		{"largest", long[2:] + "\nb", []string{long[2:] + "\n", "b"}},
		{"too large", "a\n" + long + "\nb", []string{"a\n", "too large", "b"}},
		{"too large at the end", long, []string{"too large"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := bufio.NewReader(strings.NewReader(tt.text))
			var got []string
			for {
				line, err := readLine(r)
				if errors.Is(err, errLongLine) {
					line = []byte("too large")
				} else if err != nil {
					if !errors.Is(err, io.EOF) {
						t.Error(err)
					}
					break
				}
				got = append(got, string(line))
			}
			if len(got) != len(tt.want) {
				t.Fatalf("%d lines, want %d", len(got), len(tt.want))
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("line %d differs", i)
				}
			}
		})
	}
}

// FuzzObject: any line is a document or a reject, of one
// line of JSON.
func FuzzObject(f *testing.F) {
	c, err := topic.Read("topic.yaml", []byte(topicFile))
	if err != nil {
		f.Fatal(err)
	}
	s, err := Open(Spec{Dir: f.TempDir(), Topic: c, Source: []byte(topicFile)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := s.Close(); err != nil {
			f.Error(err)
		}
	})
	f.Add([]byte(`{"text":"` + strings.TrimSpace(strings.ReplaceAll(article("银行", 1), "\n", "")) + `","url":"http://a.test/"}`))
	f.Add([]byte(`{"html":"<title>银行</title><p>股市","metadata":{"url":"http://a.test/","date":"2020-01-01"}}`))
	f.Add([]byte(`{"raw_content":["a","b"],"date":"9999-12-31","title":["x"]}`))
	f.Add([]byte(`{"text":"\ud800","url":"http://[::1"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		task := &task{read: (&object{place: "in.jsonl#1", line: line}).read}
		task.run(s.reader, s.forgotten, nil)
		if task.err != nil || (task.document == nil) == (task.reject == nil) || !json.Valid(task.line) {
			t.Fatalf("document %v, reject %v, error %v: %s", task.document, task.reject, task.err, task.line)
		}
		if task.reject != nil && (task.reject.Check() != nil || task.reject.Rule == "panic") {
			t.Fatal(fmt.Sprint(task.reject))
		}
	})
}
