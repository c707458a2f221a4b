package clean_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/plan"
	"sluice/shared/state/corpus"
)

// Archives that others wrote cut bodies off, undo codings but keep their
// headers, and spell URLs in their own way.
func TestForeignPages(t *testing.T) {
	s := newStack(t)
	reader, err := plan.Reader(s.topic)
	if err != nil {
		t.Fatal(err)
	}
	reader.Quality = nil
	html := page("http://f.test/", "股市", false).Body
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(append(html, bytes.Repeat([]byte("<!-- 银行 -->"), 1000)...)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, coding, truncated string
		body                    []byte
		rule                    string // "" is a document
	}{
		{"plain", "", "", html, ""},
		{"coded", "gzip", "", zipped.Bytes(), ""},
		{"cut off, and said", "gzip", "length", zipped.Bytes()[:zipped.Len()-10], ""},
		{"cut off, and not said", "gzip", "", zipped.Bytes()[:zipped.Len()-10], "encoding"},
		{"decoded", "gzip", "", html, ""},
		{"decoded, coding unknown", "x-snappy", "", html, ""},
		{"no page, coding unknown", "x-snappy", "", []byte("nonsense"), "encoding"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
			if tt.coding != "" {
				head += "Content-Encoding: " + tt.coding + "\r\n"
			}
			d, reject := clean.NewPage(&corpus.Record{
				Type: "response", TargetURI: "http://F.test:80/a#top", ContentType: "application/http", Truncated: tt.truncated,
				Block: append([]byte(head+"\r\n"), tt.body...), Offset: 7, Length: 9,
			}, "f.warc.gz").Read(reader)
			switch {
			case tt.rule != "":
				if reject == nil || reject.Rule != tt.rule || reject.URL != "http://F.test:80/a#top" {
					t.Errorf("document %v, reject %+v, want %q", d, reject, tt.rule)
				}
			case d == nil:
				t.Errorf("rejected: %+v", reject)
			case d.URL != "http://F.test:80/a#top" || d.FinalURL != "http://f.test/a" || !strings.Contains(d.Text, "银行走强") ||
				d.WARC != (corpus.Location{File: "f.warc.gz", Offset: 7, Length: 9}):
				t.Errorf("document is %+v", d)
			}
		})
	}
}
