package compile

import (
	"fmt"
	"testing"

	"sluice/shared/crawl/reading"
)

func TestParseRejectOfMainText(t *testing.T) {
	for rule, want := range map[string]Fate{reading.RuleBody: Disputed, reading.RuleDescription: PassedOver} {
		got, ok, err := parseReject(fmt.Appendf(nil, `{"url": "http://a.test/n/1", "rule": %q, "text": "x", "sampled_one_in": 4}`, rule))
		if !ok || err != nil || got.fate != want || placeOf(got.url) != "a.test/n" {
			t.Errorf("%s: %+v, %v, %v", rule, got, ok, err)
		}
	}
}

// Pages that only the threshold for main text refused do not count as others.
func TestRefineIgnoresDisputedTexts(t *testing.T) {
	w := newTexter(1)
	file := topicOf(t, firstThemeWords(10)...)
	refine := func(disputed int) *Refinement {
		samples := &Samples{}
		for i := range 60 {
			on, off := w.page(0), w.page(1+i%(themes-1))
			on.Fate, off.Fate = Kept, PassedOver
			samples.Add(on)
			samples.Add(off)
		}
		for range disputed {
			page := w.page(0)
			page.Fate = Disputed
			samples.Add(page)
		}
		r, err := Refine(file.Lexicon(), file, samples, RefineOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := refine(200); r.Relevant != 60 || r.Background != 60 || r.Kept[0].Reason != "marks the topic" {
		t.Errorf("%d on the topic, %d others, %+v", r.Relevant, r.Background, r.Kept[0])
	}
}
