package body

import (
	"bufio"
	"encoding/json"
	"testing"

	"sluice/shared/evaldata"
	"sluice/shared/short"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// TestZhNews holds Extract to what the frozen web zh-news says of its pages:
// those of kind media are no documents, every article is one.
func TestZhNews(t *testing.T) {
	short.Skip(t, "reads 40 MB")
	lines := bufio.NewScanner(evaldata.Open(t, "webs/zh-news.web.jsonl.zst"))
	lines.Buffer(nil, 8<<20)
	seen := map[string]int{}
	for n := 0; lines.Scan(); n++ {
		var record struct {
			URL, Type, Kind, Text string
			B64                   []byte
		}
		if n%7 != 0 { // a sample, for the time it takes
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		if record.Kind != "media" && record.Kind != "article" {
			continue
		}
		raw := record.B64
		if raw == nil {
			raw = []byte(record.Text)
		}
		base, err := urlnorm.Parse(record.URL)
		if err != nil {
			t.Fatal(err)
		}
		text, charset := page.Decode(raw, record.Type)
		hint, err := page.Parse(text, charset, base)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Extract(text, record.URL, hint, Options{})
		document := err == nil && !b.MediaOnly
		if want := record.Kind == "article"; document != want {
			t.Errorf("%s (%s): document %v, error %v", record.URL, record.Kind, document, err)
		}
		seen[record.Kind]++
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if seen["media"] < 100 || seen["article"] < 100 {
		t.Errorf("pages seen: %v", seen)
	}
}
