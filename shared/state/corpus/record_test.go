package corpus

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/text/pii"
	"sluice/shared/text/quality"
)

func TestDocumentAppendJSON(t *testing.T) {
	d := &Document{
		URL: "http://a.test/上", FinalURL: "http://a.test/x?a=1&b=<2>",
		Title: " 标题\n<b>\t二 ", Text: "第一段。\r\n第二段\x00\x1b。\n", Source: "新华社",
		DatePublished: "2020-03-30", DateFetched: Date{time.Date(2026, 11, 21, 8, 0, 0, 999, time.FixedZone("", 3600))},
		Site: "a.test", Language: "zh", Layer: "detail", Topic: "finance", TopicVersion: "1", Robots: "allowed",
		LanguageScore: 0.75, Script: "simp",
		Relevance: Relevance{Description: 0.5, Body: 0.25, TopWords: []string{"股票", "基金"}, OOVRatio: 0.25, Words: 4},
		Path: Path{
			Seed: "http://a.test/", Parent: "http://a.test/i", Anchor: "a&b", Depth: 2,
			Priority: Priority{Description: 0.1, Anchor: 0.2, Structure: 1, Value: 0},
		},
		TDM: "1", Boilerplate: Boilerplate{Lines: 2, Characters: 30, Learned: "0f"}, Quality: quality.Signals{Characters: 9, Han: 0.5}, Verdicts: []string{"quality_han"}, PII: pii.Counts{Email: 1}, SimHash: "00ff", DuplicateOf: "d0",
		WARC: Location{File: "warc/00001.warc.gz", Offset: 10, Length: 20}, Charset: "gb18030", Method: "readability",
	}
	signals, err := json.Marshal(d.Quality)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"v":1,"id":"` + stableID(d.FinalURL) + `","url":"http://a.test/%E4%B8%8A","final_url":"http://a.test/x?a=1&b=<2>",` +
		`"version":1,"previous":"","title":"标题 <b> 二","text":"第一段。\n第二段。\n","author":"","source":"新华社","date_published":"2020-03-30",` +
		`"date_fetched":"2026-11-21T07:00:00.000Z","site":"a.test","language":"zh","language_score":0.75,"script":"simp","char_count":10,` +
		`"relevance":{"description":0.5,"body":0.25,"top_words":["股票","基金"],"oov_ratio":0.25,"words":4},"layer":"detail",` +
		`"topic":"finance","topic_version":"1","robots":"allowed","tdm":"1","boilerplate":{"lines":2,"characters":30,"learned":"0f"},"quality":` + string(signals) +
		`,"verdicts":["quality_han"],"pii":{"mobile_number":0,"id_number":0,"email":1,"bank_card":0,"ip_address":0},"simhash":"00ff","duplicate_of":"d0",` +
		`"path":{"seed":"http://a.test/","parent":"http://a.test/i","anchor":"a&b","listed":"","depth":2,` +
		`"priority":{"description":0.1,"anchor":0.2,"structure":1.0,"value":0.0}},` +
		`"warc":{"file":"warc/00001.warc.gz","offset":10,"length":20},"charset":"gb18030","method":"readability"}` + "\n"
	line, err := d.AppendJSON([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("x"+want, string(line)); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}

	loc := d.WARC
	d.WARC = Location{}
	d.Text += `"warc":{"file":"","offset":0,"length":0}`
	blank, err := d.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	d.WARC = loc
	whole, err := d.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(whole), string(AppendLocated(nil, blank, loc))); diff != "" {
		t.Errorf("located line (-want +got):\n%s", diff)
	}
}

func TestEmptyDocumentHasEveryColumn(t *testing.T) {
	line, err := new(Document).AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatal(err)
	}
	if len(m) != 33 {
		t.Errorf("got %d fields: %s", len(m), line)
	}
	if strings.Contains(string(line), "null") {
		t.Errorf("a null has no type: %s", line)
	}
}

// A version has a different ID and names the one before; a page that no refresh
// has seen is the first. No URL passes for a version of another.
func TestDocumentVersions(t *testing.T) {
	const url = "http://a.test/上 2"
	first := DocumentID(url, 1)
	seen := map[string]bool{}
	for _, test := range []struct {
		version, want int
		previous      string
	}{
		{version: 0, want: 1},
		{version: 1, want: 1},
		{version: 2, want: 2, previous: first},
		{version: 3, want: 3, previous: DocumentID(url, 2)},
	} {
		d := Document{FinalURL: url, Version: test.version, Previous: "forged"}
		line, err := d.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got Document
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if got.Version != test.want || got.Previous != test.previous || got.ID != DocumentID(url, test.version) {
			t.Errorf("version %d is %d, %s, previous %q, want version %d, previous %q", test.version, got.Version, got.ID, got.Previous, test.want, test.previous)
		}
		if seen[got.ID] != (test.version == 1) {
			t.Errorf("version %d has the ID %s", test.version, got.ID)
		}
		seen[got.ID] = true
	}
	if DocumentID("http://a.test/上", 2) == DocumentID(url, 1) {
		t.Error("a URL passes for the version of another")
	}
}

func TestReal(t *testing.T) {
	for in, want := range map[Real]string{0: "0.0", 1: "1.0", -3: "-3.0", 0.25: "0.25", 1e-9: "1e-9", 1e30: "1e+30"} {
		if got, err := json.Marshal(in); err != nil || string(got) != want {
			t.Errorf("%v is %s, want %s; error %v", float64(in), got, want, err)
		}
	}
}

func TestUnencodableDocument(t *testing.T) {
	d := &Document{FinalURL: "http://a.test/", Relevance: Relevance{Description: Real(math.NaN())}}
	line, err := d.AppendJSON([]byte("before"))
	if fault.Of(err).Class != fault.Poison {
		t.Errorf("error is %v, want poison", err)
	}
	if string(line) != "before" {
		t.Errorf("dst is %q", line)
	}
}

func TestRejectAppendJSON(t *testing.T) {
	r := Reject{
		URL: "http://a.test/a b", Rule: "http_404", Detail: "not\nfound", Status: 404,
		Date: Date{time.Date(2026, 11, 21, 8, 0, 0, 5, time.UTC)}, Depth: 1, Parent: "http://a.test/", Anchor: "链接", Topic: "finance",
	}
	sampled := r
	sampled.OffTopic = &OffTopic{Description: "标题\n<二>\x00", Text: "第一段。\r\n第二段\x1b。", SampledOneIn: 4}
	sampled.WARC = Location{File: "warc/00001.warc.gz", Offset: 1, Length: 2}
	for _, test := range []struct {
		name   string
		reject Reject
		end    string
	}{
		{"of no sample, with every column", r, `"description":"","text":"","sampled_one_in":0,"warc":{"file":"","offset":0,"length":0}}`},
		{"sampled", sampled, `"description":"标题 <二>","text":"第一段。\n第二段。","sampled_one_in":4,"warc":{"file":"warc/00001.warc.gz","offset":1,"length":2}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := test.reject.OffTopic
			line, err := test.reject.AppendJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			want := `{"v":1,"url":"http://a.test/a%20b","final_url":"","rule":"http_404","detail":"not found","status":404,` +
				`"title":"","date":"2026-11-21T08:00:00.000Z","depth":1,"parent":"http://a.test/","anchor":"链接","topic":"finance","previous":"",` + test.end + "\n"
			if diff := cmp.Diff(want, string(line)); diff != "" {
				t.Errorf("line (-want +got):\n%s", diff)
			}
			if test.reject.OffTopic != before {
				t.Error("the reject itself is changed")
			}
		})
	}
}

func TestCleanText(t *testing.T) {
	for _, tt := range []struct{ name, text, clean, line string }{
		{"clean", "上海\n北京", "上海\n北京", "上海 北京"},
		{"line ends", "a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne", "a b c d e"},
		{"tabs", "a\tb\fc", "a b c", "a b c"},
		{"controls", "a\x00b\x1bc\x7fd\u009fe", "abcde", "abcde"},
		{"broken", "a\xff\xfeb", "a\uFFFDb", "a\uFFFDb"},
		{"half a rune", "上\xe4\xb8", "上\uFFFD", "上\uFFFD"},
		{"wide space", "\u3000上海\u00a0 ", "\u3000上海\u00a0 ", "上海"},
		{"empty", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := CleanText(tt.text); got != tt.clean {
				t.Errorf("CleanText is %q, want %q", got, tt.clean)
			}
			if got := cleanLine(tt.text); got != tt.line {
				t.Errorf("cleanLine is %q, want %q", got, tt.line)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	good := func() (*Exchange, *Document) { x := testExchange(); return x, &Document{FinalURL: x.URL} }
	for _, tt := range []struct {
		name string
		edit func(*Exchange, *Document)
		ok   bool
	}{
		{"good", func(*Exchange, *Document) {}, true},
		{"no URL", func(x *Exchange, d *Document) { x.URL, d.FinalURL = "", "" }, false},
		{"another URL", func(_ *Exchange, d *Document) { d.FinalURL += "x" }, false},
		{"no date", func(x *Exchange, _ *Document) { x.Date = time.Time{} }, false},
		{"no head", func(x *Exchange, _ *Document) { x.ResponseHead = nil }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, d := good()
			tt.edit(x, d)
			err := Check(x, d)
			if (err == nil) != tt.ok {
				t.Errorf("Check: %v", err)
			}
			if err != nil && fault.Of(err).Class != fault.Poison {
				t.Errorf("class is %v, want poison", fault.Of(err).Class)
			}
		})
	}
}

// FuzzAppendJSON: any strings make one line of valid JSON without control
// characters, whose key is that of the document.
func FuzzAppendJSON(f *testing.F) {
	f.Add("http://a.test/", "标题", "text\n")
	f.Add("http://a.test/\xff\x00 上", "\u2028\x85", "a\r\n\x00\xed\xa0\x80\ufffe\u009f")
	f.Fuzz(func(t *testing.T, url, title, text string) {
		d := &Document{URL: url, FinalURL: url, Title: title, Text: text, Path: Path{Anchor: title}}
		line, err := d.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(line) || bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Fatalf("not one line of UTF-8: %q", line)
		}
		var back Document
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatal(err)
		}
		if back.Key() != d.Key() || back.FinalURL != d.Key() {
			t.Errorf("key is %q, of what was read %q", d.Key(), back.Key())
		}
		if i := strings.IndexFunc(strings.ReplaceAll(back.Text, "\n", ""), unicode.IsControl); i >= 0 {
			t.Errorf("text holds a control character: %q", back.Text)
		}
		if i := strings.IndexFunc(back.Title+back.Path.Anchor, unicode.IsControl); i >= 0 {
			t.Errorf("title or anchor holds a control character: %q", back.Title)
		}
		if back.CharCount != utf8.RuneCountInString(back.Text) {
			t.Errorf("char_count is %d for %q", back.CharCount, back.Text)
		}
	})
}
