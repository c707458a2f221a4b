package step_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

// A page whose description is relevant is kept only where its text is, too;
// its links are judged as those of any relevant page.
func TestBodyThreshold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flow)
	w.plan.BodyThreshold = 0.5 // the text has one topic word in ten
	w.run(t, link("http://a.test/on"))
	want := map[string]string{
		"http://a.test/on":   "passed body_threshold",
		"http://a.test/both": "waiting", "http://a.test/half": "waiting", "http://a.test/word": "dropped priority",
	}
	w.wantFates(t, want)
	if len(w.documents(t)) != 0 || len(w.history(t, 0)) != 0 {
		t.Error("the page is in the corpus or in the history")
	}
}

// On a page off topic, an anchor that is relevant enough passes as one with a
// topic word does.
func TestAnchorThreshold(t *testing.T) {
	t.Parallel()
	const web = `
-- http://a.test/off --
<title>晴朗的天气预报</title>$TEXT<a href=/near>经济</a><a href=/far>天气预报</a>`
	for threshold, fate := range map[float64]string{0: "dropped anchor", 0.1: "waiting", 5: "dropped anchor"} {
		w := newWorld(t, web)
		w.plan.Lexicon = nearLexicon()
		w.plan.AnchorThreshold = threshold
		w.run(t, link("http://a.test/off"))
		want := map[string]string{"http://a.test/near": fate, "http://a.test/far": "dropped anchor"}
		if diff := cmp.Diff(want, w.fates(t, want)); diff != "" {
			t.Errorf("threshold %v (-want +got):\n%s", threshold, diff)
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	english := strings.Repeat("The bank raised its rates, and what it said about the market was not what they had hoped for. ", 8)
	w := newWorld(t, `
-- http://a.test/english --
<title>股市</title><p>`+english+`</p><a href=/both>银行</a><a href=/none>天气预报</a>
-- http://a.test/both --
<title>银行</title>$TEXT`)
	w.crawl(t, link("http://a.test/english"))
	want := map[string]string{
		"http://a.test/english": "passed language", "http://a.test/both": "kept", "http://a.test/none": "dropped anchor",
	}
	w.wantFates(t, want)
	if r := w.rejects(t)["http://a.test/english"]; r.Detail != "page in en, wanted zh" || r.SampledOneIn != 0 {
		t.Errorf("reject is %+v", r)
	}
	if d := w.documents(t)["http://a.test/both"]; d.Language != "zh" || d.LanguageScore < 0.9 || d.Script != "simp" {
		t.Errorf("document is in %s, score %v, script %q", d.Language, d.LanguageScore, d.Script)
	}
}

// A sample of the pages off topic is recorded with what they say, and it is
// the same sample each time.
func TestOffTopicSample(t *testing.T) {
	t.Parallel()
	var web strings.Builder
	const pages = 200
	for i := range pages {
		fmt.Fprintf(&web, "-- http://a.test/%d --\n<title>晴朗的天气预报 %d</title><meta name=keywords content=大风>$TEXT\n", i, i)
	}
	sample := func() map[string]corpus.OffTopic {
		w := newWorld(t, web.String())
		w.plan.Delay = 0
		sampled := map[string]corpus.OffTopic{}
		for i := range pages {
			w.run(t, link(fmt.Sprintf("http://a.test/%d", i)))
		}
		for url, r := range w.rejects(t) {
			if r.SampledOneIn > 0 {
				sampled[url] = *r.OffTopic
			}
		}
		return sampled
	}
	first := sample()
	if n := len(first); n < pages/8 || n > pages/2 {
		t.Errorf("%d of %d pages sampled, want about a quarter", n, pages)
	}
	for url, about := range first {
		if !strings.HasPrefix(about.Description, "晴朗的天气预报") || !strings.Contains(about.Description, "大风") || about.Text == "" || about.SampledOneIn != 4 {
			t.Errorf("%s says %+v", url, about)
		}
	}
	if diff := cmp.Diff(first, sample()); diff != "" {
		t.Errorf("another sample (-first +second):\n%s", diff)
	}
}

// The text of a page that asks not to be indexed, or of a site that does not want
// it used, is not kept as background.
func TestNotSampled(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ site, head string }{
		"page": {"", "<meta name=robots content=noindex>"},
		"site": {"-- http://a.test/ai.txt --\n200\n\nUser-Agent: *\nDisallow: /\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const pages = 40 // the chance that none of them is in the sample is 10⁻⁵
			var web strings.Builder
			web.WriteString(tt.site)
			for i := range pages {
				fmt.Fprintf(&web, "-- http://a.test/%d --\n%s<title>晴朗的天气预报 %d</title>$TEXT\n", i, tt.head, i)
			}
			w := newWorld(t, web.String())
			w.plan.Delay = 0
			for i := range pages {
				w.run(t, link(fmt.Sprintf("http://a.test/%d", i)))
			}
			rejects := w.rejects(t)
			for url, r := range rejects {
				if r.Rule != "description_threshold" || r.Text != "" || r.SampledOneIn != 0 {
					t.Errorf("%s: %s, with %+v", url, r.Rule, *r.OffTopic)
				}
			}
			if len(rejects) != pages {
				t.Errorf("%d rejects, want %d", len(rejects), pages)
			}
		})
	}
}

// nearLexicon knows 经济 as a word near the topic: Rel of it alone is 0.25.
func nearLexicon() *topic.Lexicon {
	words := map[string]float64{"银行": 1}
	near := func(t string) func(string) float64 {
		return func(d string) float64 {
			if d == "经济" {
				return 0.5
			}
			return topic.SameWord(t)(d)
		}
	}
	return topic.Compile(words, nil, 1, near, []string{"银行", "经济"})
}
