package clean

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
)

// A page is read from the place that its document names, with the trace behind
// it and nothing of its neighbours.
func TestReadPage(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "warc"), 0o755); err != nil {
		t.Fatal(err)
	}
	const file = "warc/00001.warc.gz"
	var segment []byte
	var places []corpus.Location
	for _, path := range []string{"a", "b", "c"} {
		url := "http://a.test/" + path
		trace := step.Trace{Link: frontier.Link{URL: url, Anchor: "anchor of " + path}}
		x := &corpus.Exchange{
			URL: url, Date: time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC),
			RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"), ResponseHead: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
			Body: []byte("<title>" + path + "</title>"),
		}
		if path != "b" { // as another crawler leaves it
			x.Metadata, _ = json.Marshal(&trace)
		}
		if path == "c" {
			x.Shown = []byte("<title>c shown</title>")
		}
		at := int64(len(segment))
		var span corpus.Span
		segment, span = corpus.AppendExchange(segment, x, new(corpus.Encoder))
		places = append(places, corpus.Location{File: file, Offset: at + span.Offset, Length: span.Length})
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), segment, 0o644); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		url, anchor, body string
		ours              bool
	}{
		{url: "http://a.test/a", anchor: "anchor of a", body: "<title>a</title>", ours: true},
		{url: "http://a.test/b", body: "<title>b</title>"},
		{url: "http://a.test/c", anchor: "anchor of c", body: "<title>c shown</title>", ours: true},
	} {
		p, err := ReadPage(dir, places[i])
		if err != nil {
			t.Fatal(err)
		}
		if p.url != want.url || p.link.Anchor != want.anchor || p.ours != want.ours || p.place != places[i] {
			t.Errorf("page %d: %s, anchor %q, ours %v, at %+v; want %+v", i, p.url, p.link.Anchor, p.ours, p.place, want)
		}
		if _, body, err := p.Served(); err != nil || string(body) != want.body {
			t.Errorf("page %d is %q, error %v; want %q", i, body, err, want.body)
		}
	}
	for pages, err := range windows(bytes.NewReader(segment), file, nil) {
		if err != nil || len(pages) != 3 {
			t.Fatalf("the segment has %d pages, error %v", len(pages), err)
		}
		if _, body, err := pages[2].Served(); err != nil || string(body) != "<title>c shown</title>" {
			t.Errorf("the last page of the segment is %q, error %v", body, err)
		}
	}
	for name, at := range map[string]corpus.Location{
		"another file":     {File: "warc/00002.warc.gz", Length: 1},
		"no record":        {File: file, Offset: 5, Length: 10},
		"behind the end":   {File: file, Offset: int64(len(segment)) + 10, Length: 10},
		"below the folder": {File: "../" + file, Length: places[0].Length},
		"absolute":         {File: "/etc/passwd", Length: 10},
	} {
		if p, err := ReadPage(dir, at); err == nil {
			t.Errorf("%s: a page of %s", name, p.url)
		}
	}
}
