package compile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sluice/shared/state/corpus"
	"sluice/shared/topic/textfile"
)

// The same crawl gives the same artifact, in any order of the texts.
func TestCompileIsDeterministicWithSamples(t *testing.T) {
	var documents []corpus.Document
	var rejects []corpus.Reject
	for i, page := range chinesePages(300, finance()) {
		documents = append(documents, corpus.Document{FinalURL: page.ID, Title: page.Title, Text: page.Text + fmt.Sprint("第", i)})
	}
	for i, page := range chinesePages(300, sports()) {
		rejects = append(rejects, corpus.Reject{URL: page.ID, Rule: "body_threshold", Title: page.Title, OffTopic: &corpus.OffTopic{Text: page.Text, SampledOneIn: i%3 + 1}})
	}
	dir := crawlFolder(t, documents, rejects)
	in := world(t)
	in.Samples = func(ctx context.Context, words func(string) []string) (*Samples, error) {
		return ReadSamples(ctx, []string{dir}, textfile.Options{}, words, func(err error) { t.Error(err) })
	}
	if n := sameOnAllCores(t, in).Meta.Calibration.Samples; n != 600 {
		t.Errorf("calibrated on %d samples, want 600", n)
	}
}

// Samples are segmented with the words that compilation found, and thresholds
// follow from them.
func TestCompileCalibrates(t *testing.T) {
	in := world(t)
	body := in.File.Thresholds.Body
	in.Samples = func(_ context.Context, words func(string) []string) (*Samples, error) {
		if got := words("大模型与新词组"); !slices.Contains(got, "新词组") {
			t.Errorf("samples are cut as %q: want the topic word", got)
		}
		s := &Samples{}
		for i := range 200 {
			text := "天地玄黄宇宙洪荒日月盈昃"
			if i%2 == 0 {
				text = "银行 股票 医生 比赛"
			}
			s.Add(newSample(text, "", strings.Repeat(text+"。", 3), words))
		}
		return s, nil
	}
	c, _ := compiled(t, in)
	if got := c.Meta.Calibration.Samples; got != 200 {
		t.Errorf("calibrated on %d samples, want 200", got)
	}
	if got := c.File.Thresholds.Body; got <= 0 || got == body || in.File.Thresholds.Body != body {
		t.Errorf("body threshold %v, and %v in the input; want another one above 0, and %v", got, in.File.Thresholds.Body, body)
	}
}
