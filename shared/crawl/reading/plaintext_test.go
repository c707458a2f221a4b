package reading_test

import (
	"strings"
	"testing"
	"time"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/quality"
	"sluice/shared/web/urlnorm"
)

// A text without its page is judged by title and lead, and where the topic has
// a threshold for main texts, by the whole alone.
func TestReadPlain(t *testing.T) {
	const (
		market  = "股市上涨，银行走强。"
		weather = "今天多云，明天有雨，气温将会下降，请大家外出的时候带好雨具，注意安全。"
	)
	for _, tt := range []struct {
		name, title, text string
		body              float64 // threshold
		rules             quality.Rules
		rule              string // "" is kept
	}{
		{"title on the topic", "股市", weather, 0, nil, ""},
		{"lead on the topic", "", market + "股市、银行。", 0, nil, ""},
		{"off topic", "天气", weather, 0, nil, reading.RuleDescription},
		{"the topic comes late", "", strings.Repeat(weather, 6) + market, 0, nil, reading.RuleDescription},
		{"the topic comes late, and the whole counts", "", strings.Repeat(weather, 6) + market, 0.01, nil, ""},
		{"the whole is off topic", "股市", weather, 0.9, nil, reading.RuleBody},
		{"no text", "股市", " \n", 0, nil, reading.RuleNoText},
		{"another language", "股市", strings.Repeat("The banks were closed today, as they are every year. ", 5), 0, nil, reading.RuleLanguage},
		{"no good text", "股市", market, 0, quality.Default("zh"), "quality_short_text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newReader(t)
			p.BodyThreshold, p.Quality = tt.body, tt.rules
			u, err := urlnorm.Parse("http://a.test/1")
			if err != nil {
				t.Fatal(err)
			}
			rd := p.ReadPlain(&reading.PlainText{
				Link: frontier.Link{URL: u.String()}, URL: u, Title: tt.title, Text: tt.text, Author: "甲",
				Published: time.Date(2020, 3, 1, 0, 0, 0, 0, time.UTC),
			})
			if rd.Rule != tt.rule || (rd.Document == nil) != (tt.rule != "") {
				t.Fatalf("refused by %q (%s), want %q", rd.Rule, rd.Detail, tt.rule)
			}
			if reading.ByTopic(rd.Rule) != (rd.Verdict == ledger.Passed) {
				t.Errorf("verdict is %s", rd.Verdict)
			}
			if d := rd.Document; d != nil && (d.Title != tt.title || d.Text != strings.TrimSpace(tt.text) || d.Method != reading.MethodPlain ||
				d.Site != "a.test" || d.Author != "甲" || d.DatePublished != "2020-03-01T00:00:00.000+00:00" || d.Charset != "utf-8") {
				t.Errorf("document is %+v", d)
			}
		})
	}
}

// A text without an address is a document all the same.
func TestReadPlainWithoutURL(t *testing.T) {
	rd := newReader(t).ReadPlain(&reading.PlainText{Link: frontier.Link{URL: "a.jsonl#1"}, Title: "股市", Text: "银行走强，市场人士认为情况正在好转。"})
	if rd.Document == nil || rd.Document.FinalURL != "a.jsonl#1" || rd.Document.Site != "" {
		t.Errorf("reading is %+v", rd)
	}
}
