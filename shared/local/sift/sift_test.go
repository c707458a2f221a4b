package sift

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A WARC file as Common Crawl writes it: each response with its request and
// metadata, and what is no page between them.
func commonCrawl(t testing.TB) string {
	t.Helper()
	gone := record("response", "http://a.test/gone", "application/http; msgtype=response", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html>gone")
	return gz(t,
		record("warcinfo", "", "application/warc-fields", "software: Nutch\r\n"),
		record("request", "http://a.test/1", "application/http; msgtype=request", "GET /1 HTTP/1.1\r\n\r\n"),
		response("http://A.test:80/1#top", html("银行股市", article("银行", 1))),
		record("metadata", "http://a.test/1", "application/warc-fields", "fetchTimeMs: 12\r\n", "WARC-Concurrent-To: <urn:uuid:http://A.test:80/1#top>"),
		response("http://a.test/2", html("天气", article("天气", 2))),
		gone,
		record("response", "http://a.test/p.jpg", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff\xe0"),
		record("revisit", "http://a.test/1", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n"),
		record("response", "dns:a.test", "text/dns", "a.test. 1 IN A 192.0.2.1"),
		response("http://a.test/1", html("银行股市", article("银行", 1))),
		response("http://a.test/cut", html("基金股市", article("基金", 3))[:1500], "WARC-Truncated: length"),
		record("response", "ftp://a.test/", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n<html>"),
	)
}

func TestWARC(t *testing.T) {
	dir := t.TempDir()
	report := sifted(t, filepath.Join(dir, "out"), write(t, dir, "in/CC-1.warc.gz", commonCrawl(t)))
	want := Counts{
		Records: 12, Pages: 7, Kept: 2, Rejected: 5,
		Rules:   map[string]int64{"description_threshold": 1, "http_404": 1, "not_html": 1, "bad_url": 1, RuleRepeated: 1},
		Skipped: 5, Types: map[string]int64{"warcinfo": 1, "request": 1, "metadata": 1, "revisit": 1, "response": 1},
		Bytes: int64(len(commonCrawl(t))),
	}
	r := report.Inputs[0]
	if diff := cmp.Diff(want, r.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if r.Kind != WARC || r.Name != "CC-1.warc.gz" || r.Size != want.Bytes || r.Corpus != "corpus/CC-1.jsonl" || r.Error != "" {
		t.Errorf("result is %+v", r)
	}
	docs := documents(t, filepath.Join(dir, "out"), "CC-1")
	if len(docs) != 2 {
		t.Fatalf("%d documents", len(docs))
	}
	d := docs[0]
	if d.URL != "http://A.test:80/1#top" || d.FinalURL != "http://a.test/1" || d.Title != "银行股市" || d.Text+"\n" != article("银行", 1) || d.Site != "a.test" {
		t.Errorf("document is %+v", d)
	}
	if d.WARC.File != "CC-1.warc.gz" || d.WARC.Offset == 0 || d.WARC.Length == 0 {
		t.Errorf("the document leads to %+v", d.WARC)
	}
	if d.Path.Seed != "" || d.Robots != "" || d.DateFetched.Year() != 2020 || d.Topic != "finance" || d.TopicVersion != report.TopicVersion {
		t.Errorf("document is %+v", d)
	}
	if docs[1].FinalURL != "http://a.test/cut" {
		t.Errorf("documents are %+v", docs)
	}
}

// The same records, packed in other ways, are the same documents; only their
// places differ.
func TestPacking(t *testing.T) {
	dir := t.TempDir()
	one, two := response("http://a.test/1", html("银行股市", article("银行", 1))), response("http://a.test/2", html("基金股市", article("基金", 2)))
	for _, tt := range []struct {
		name, content string
		places        bool
	}{
		{"members.warc.gz", gz(t, one, two), true},
		{"plain.warc", one + two, true},
		{"one-member.warc.gz", gz(t, one+two), false},
		{"zstd.warc.zst", zst(t, one+two), false},
		{"no-ending", one + two, true},
	} {
		out := filepath.Join(dir, "out-"+tt.name)
		r := sifted(t, out, write(t, dir, tt.name, tt.content)).Inputs[0]
		docs := documents(t, out, outName(tt.name))
		if r.Kind != WARC || len(docs) != 2 || docs[0].FinalURL != "http://a.test/1" || docs[1].FinalURL != "http://a.test/2" {
			t.Errorf("%s: %+v, documents %+v", tt.name, r, docs)
			continue
		}
		for _, d := range docs {
			if d.WARC.File != tt.name || (d.WARC.Length > 0) != tt.places {
				t.Errorf("%s: a document leads to %+v", tt.name, d.WARC)
			}
		}
	}
}

func TestWET(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	r := sifted(t, out, write(t, dir, "a.warc.wet.gz", gz(t,
		record("warcinfo", "", "application/warc-fields", "software: ia-web-commons\r\n"),
		conversion("http://a.test/1", "今日要闻\r\n"+article("银行", 1)),
		conversion("http://a.test/2", "天气\n"+article("天气", 2)),
		conversion("http://a.test/3", "Banks\n"+strings.Repeat("The banks and the markets were closed today, as they are every year. ", 20)),
		conversion("http://a.test/4", ""),
		conversion("nonsense", "银行"),
		conversion("http://a.test/5", article("债券", 3)),
	))).Inputs[0]
	if r.Kind != WET || r.Records != 7 || r.Pages != 6 || r.Skipped != 1 {
		t.Errorf("result is %+v", r)
	}
	docs := documents(t, out, "a")
	if len(docs) != 2 || docs[1].Title != "" || docs[1].Text+"\n" != article("债券", 3) {
		t.Fatalf("documents are %+v", docs)
	}
	d := docs[0]
	if d.Title != "今日要闻" || d.Text+"\n" != article("银行", 1) || d.Method != "plain" || d.Language != "zh" || d.Relevance.Body == 0 || d.WARC.Length == 0 {
		t.Errorf("document is %+v", d)
	}
	want := []string{"http://a.test/2 body_threshold", "http://a.test/3 language", "http://a.test/4 no_text", "nonsense bad_url"}
	if diff := cmp.Diff(want, rules(t, out, "a")); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
}

// Pages that do not want their text kept are refused as in a crawl, whether they
// say so in the archived header or themselves.
func TestOptOut(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	page := html("股市银行", article("银行", 1))
	with := func(uri, header string) string {
		return record("response", uri, "application/http; msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"+header+"\r\n\r\n"+page)
	}
	sifted(t, out, write(t, dir, "a.warc", with("http://a.test/1", "X-Robots-Tag: noai")+with("http://a.test/2", "TDM-Reservation: 1")+
		with("http://a.test/3", "X-Robots-Tag: nofollow")+
		response("http://a.test/4", strings.Replace(page, "<title>", "<meta name=robots content=noarchive><title>", 1))))
	want := []string{"http://a.test/1 noai", "http://a.test/2 tdm_reserved", "http://a.test/4 noarchive"}
	if diff := cmp.Diff(want, rules(t, out, "a")); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	if docs := documents(t, out, "a"); len(docs) != 1 || docs[0].Robots != "nofollow" {
		t.Errorf("documents are %+v", docs)
	}
}

// The outcome depends only on the inputs, not on the number of workers.
func TestDeterministic(t *testing.T) {
	dir := t.TempDir()
	var records []string
	for i := range 60 {
		uri := "http://a.test/" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		records = append(records, response(uri, html("股市银行", article("银行", i))))
	}
	path := write(t, dir, "a.warc.gz", gz(t, records...))
	c, source := parseTopic(t, topicFile)
	var first []byte
	for _, workers := range []int{1, 2, 7} {
		out := filepath.Join(dir, string(rune('0'+workers)))
		s, err := Open(Spec{Dir: out, Topic: c, Source: source, Files: []string{path}, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if p := s.Progress(); p.Pages != 60 || p.Read != p.Size {
			t.Errorf("progress ends at %+v", p)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(out, "corpus", "a.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) || len(data) == 0 {
			t.Errorf("%d workers make another corpus", workers)
		}
	}
}

// A page that a crawl of ours rendered is read as the browser showed it.
func TestShown(t *testing.T) {
	dir := t.TempDir()
	in := gz(t,
		response("http://a.test/1", html("", "")),
		record("request", "http://a.test/1", "application/http;msgtype=request", "GET / HTTP/1.1\r\n\r\n"),
		record("conversion", "http://a.test/1", "text/html;charset=utf-8", html("银行股市", article("银行", 1)), "WARC-Refers-To: <urn:uuid:http://a.test/1>"),
		record("conversion", "http://a.test/2", "text/html;charset=utf-8", html("银行股市", article("银行", 2)), "WARC-Refers-To: <urn:uuid:http://a.test/2>"),
	)
	report := sifted(t, filepath.Join(dir, "out"), write(t, dir, "in/a.warc.gz", in))
	docs := documents(t, filepath.Join(dir, "out"), "a")
	if len(docs) != 1 || docs[0].URL != "http://a.test/1" || docs[0].Text+"\n" != article("银行", 1) || docs[0].WARC.Offset != 0 {
		t.Errorf("documents are %+v", docs)
	}
	if diff := cmp.Diff(map[string]int64{"request": 1, "conversion": 1}, report.Inputs[0].Types); diff != "" {
		t.Errorf("skipped records (-want +got):\n%s", diff)
	}
}
