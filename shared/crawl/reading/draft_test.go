package reading_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/text/language"
	"sluice/shared/text/pii"
	"sluice/shared/text/quality"
)

// table is a text of figures, which the rules refuse.
const table = "股市 3016.25 1.31 2988.40 0.95 3102.77 2.04 2990.18 1.66 3055.02 0.41 银行 3120.91 1.08。"

func readPlain(p *reading.Reader, title, text string) *reading.Result {
	return p.ReadPlain(&reading.PlainText{
		Link: frontier.Link{URL: "http://a.test/1", Anchor: "银行，电话13800138000"}, Title: title, Text: text, Author: "甲（13800138000）",
	})
}

// A rule that is switched off refuses nothing, but is noted.
func TestQualityRules(t *testing.T) {
	p := newReader(t)
	p.Quality = quality.Default("zh")
	rd := readPlain(p, "股市", table)
	if rd.Document != nil || rd.Rule != "quality_digits" || !strings.Contains(rd.Detail, "want at most 0.35") {
		t.Errorf("refused by %q: %s", rd.Rule, rd.Detail)
	}
	rules, err := quality.ParseRules("zh", map[string]any{"quality_digits": false, "quality_symbols": false})
	if err != nil {
		t.Fatal(err)
	}
	p.Quality = rules
	d := readPlain(p, "股市", table).Document
	if d == nil {
		t.Fatal("refused by a rule that is off")
	}
	if diff := cmp.Diff([]string{"kept", "quality_digits"}, d.Verdicts); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if d.Quality.Digits < 0.35 || d.Quality.Characters == 0 || len(d.SimHash) != 16 {
		t.Errorf("signals %+v, simhash %q", d.Quality, d.SimHash)
	}
}

// Personal data of title and text is counted, and masked wherever a record quotes
// the page; the topic may keep it.
func TestPersonalData(t *testing.T) {
	const text = "银行的王先生说，有事可以打他的手机13800138000，也可以写信到wang@example.com，他会尽快答复大家。"
	p := newReader(t)
	d := readPlain(p, "股市问答：13800138000", text).Document
	if d == nil {
		t.Fatal("no document")
	}
	want := corpus.Document{
		Title: "股市问答：<MOBILE>", Author: "甲（<MOBILE>）", Path: corpus.Path{Anchor: "银行，电话<MOBILE>"},
		Text: "银行的王先生说，有事可以打他的手机<MOBILE>，也可以写信到<EMAIL>，他会尽快答复大家。",
		PII:  pii.Counts{Mobile: 2, Email: 1},
	}
	got := corpus.Document{Title: d.Title, Author: d.Author, Path: corpus.Path{Anchor: d.Path.Anchor}, Text: d.Text, PII: d.PII}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(quality.Measure(d.Text, language.Detect(d.Text)), d.Quality); diff != "" {
		t.Errorf("signals are not those of the text as it is on the record (-want +got):\n%s", diff)
	}

	p.KeepPII = true
	d = readPlain(p, "股市", text).Document
	if d.Text != text || d.PII != (pii.Counts{Mobile: 1, Email: 1}) {
		t.Errorf("kept: %q, %+v", d.Text, d.PII)
	}

	r := &corpus.Reject{Title: "电话13800138000", Anchor: "13800138000"}
	newReader(t).MaskReject(r)
	if r.Title != "电话<MOBILE>" || r.Anchor != "<MOBILE>" {
		t.Errorf("reject %+v", r)
	}
}

// With JudgeText a page whose head says nothing is kept for its text.
func TestJudgeText(t *testing.T) {
	const on = `<p>股市和银行，银行和股市：今天的股市，今天的银行。</p><p>银行说，股市很好；股市说，银行很好。</p>`
	const off = `<p>今天天气很好，我们去公园散步，明天也是这样，后天还是这样。</p>`
	for _, test := range []struct {
		name, page     string
		judge          bool
		threshold      float64
		want           string // rule; "": kept
		detail         string // part of it
		relevant       bool
		textIsMeasured bool
	}{
		{"as published", `<title>通知</title>` + on, false, 0.1, "description_threshold", "relevance 0, threshold 0.3", false, false},
		{"by its text", `<title>通知</title>` + on, true, 0.1, "", "", true, true},
		{"no threshold for text", `<title>通知</title>` + on, true, 0, "description_threshold", "relevance 0, threshold 0.3", false, false},
		{"neither", `<title>通知</title>` + off, true, 0.1, "description_threshold", "threshold 0.3; main text: relevance 0, threshold 0.1", false, true},
		{"the head is, the text is not", `<title>股市</title>` + off, true, 0.1, "body_threshold", "main text: relevance 0", true, true},
		{"no text", `<title>通知</title>`, true, 0.1, "description_threshold", "relevance 0, threshold 0.3", false, false},
		{"the page opts out", `<meta name=robots content=noai><title>通知</title>` + on, true, 0.1, "description_threshold", "threshold 0.3", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newReader(t)
			r.JudgeText, r.BodyThreshold = test.judge, test.threshold
			rd := r.Read(arrive(t, "http://a.test/1", test.page))
			if rd.Rule != test.want || (rd.Document != nil) != (test.want == "") || !strings.Contains(rd.Detail, test.detail) {
				t.Errorf("rule %q: %s; document %t", rd.Rule, rd.Detail, rd.Document != nil)
			}
			if rd.Relevant != test.relevant || (rd.Body != nil) != test.textIsMeasured {
				t.Errorf("relevant %t, text %+v", rd.Relevant, rd.Body)
			}
		})
	}
}
