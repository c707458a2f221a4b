package compile

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/topic"
)

func TestCalibrateFindsTheTopic(t *testing.T) {
	for _, test := range []struct {
		name    string
		draw    func(w *texter) (*Samples, []Sample, []bool)
		clamped []string
	}{
		{"texts", func(w *texter) (*Samples, []Sample, []bool) { return w.crawl(1000) }, []string{"body"}},
		{"judged by a crawl", func(w *texter) (*Samples, []Sample, []bool) { return w.judgedCrawl(1000) }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := topicOf(t, firstThemeWords(20)...)
			l, body := file.Lexicon(), file.Thresholds.Body
			samples, pages, onTopic := test.draw(newTexter(1))
			got, told, err := calibrate(l, file, samples)
			if err != nil {
				t.Fatal(err)
			}
			var bodies, descriptions []float64
			for _, page := range pages {
				bodies = append(bodies, l.Value(page.Body))
				descriptions = append(descriptions, l.Value(page.Description))
			}
			if score := f1(bodies, onTopic, got.Thresholds.Body); score < 0.95 {
				t.Errorf("body threshold %v has F1 %v", got.Thresholds.Body, score)
			}
			lost := 0
			for i, value := range descriptions {
				if onTopic[i] && bodies[i] >= got.Thresholds.Body && value < got.Thresholds.Description {
					lost++
				}
			}
			if lost > 10 { // of 200
				t.Errorf("description threshold %v loses %d pages of 200", got.Thresholds.Description, lost)
			}
			if p := got.Thresholds.Priority; math.Abs(p-0.5*0.8*got.Thresholds.Anchor) > 1e-12 || math.Abs(got.Weights.Lambda-0.75*p) > 1e-12 {
				t.Errorf("priority %v and lambda %v do not follow from the anchor threshold %v", p, got.Weights.Lambda, got.Thresholds.Anchor)
			}
			if diff := cmp.Diff(test.clamped, told.Clamped); diff != "" || told.Samples != 1000 {
				t.Errorf("calibration tells of %d samples, clamped (-want +got):\n%s", told.Samples, diff)
			}
			if file.Thresholds.Body != body {
				t.Error("the file that was given has changed")
			}
			again, toldAgain, err := calibrate(l, file, samples)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(got, again) + cmp.Diff(told, toldAgain); diff != "" {
				t.Errorf("a second run differs:\n%s", diff)
			}
		})
	}
}

func TestCalibrateTellsTheSpread(t *testing.T) {
	file := topicOf(t, firstThemeWords(20)...)
	samples, _, _ := newTexter(1).crawl(500)
	_, told, err := calibrate(file.Lexicon(), file, samples)
	if err != nil {
		t.Fatal(err)
	}
	of := make(map[string]topic.Distribution)
	for _, d := range told.Spread {
		of[d.Of] = d
	}
	for name, want := range map[string]struct {
		count           int
		least, greatest float64 // of the share that reaches the threshold
	}{
		"word":                   {20, 1, 1},
		"description":            {500, 0.1, 0.25},
		"anchor":                 {500, 0.1, 0.25},
		"body":                   {500, 0.19, 0.21},
		"background description": {400, 0, 0.05},
		"background anchor":      {400, 0, 0.05},
		"background body":        {400, 0, 0},
	} {
		d, ok := of[name]
		if !ok || math.Abs(float64(d.Count-want.count)) > 10 || d.Reaching < want.least || d.Reaching > want.greatest || len(d.Quantiles) != 6 {
			t.Errorf("%s: %+v, want %+v", name, d, want)
		}
	}
}

func TestCalibrateWithoutSamples(t *testing.T) {
	for _, test := range []struct {
		name, words string
		scale       float64 // mean c(t)
	}{
		{"plain words", "[ab, cd]", 1},
		{"weights", "[{ab: 2}, {cd: 4}]", 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := parseTopic(t, "name: a\nwords: "+test.words+"\n")
			got, told, err := calibrate(file.Lexicon(), file, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := topic.Thresholds{Description: 0.12 * 0.06, Priority: 0.08, Body: 0.03, Anchor: 0.06}
			for _, number := range []*float64{&want.Description, &want.Priority, &want.Body, &want.Anchor} {
				*number *= test.scale
			}
			near := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
			if diff := cmp.Diff(want, got.Thresholds, near); diff != "" {
				t.Errorf("thresholds (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(0.06*test.scale, got.Weights.Lambda, near); diff != "" {
				t.Errorf("lambda (-want +got):\n%s", diff)
			}
			if told.Samples != 0 || told.Fallback != got.Thresholds.Anchor || len(told.Clamped) != 0 {
				t.Errorf("calibration %+v", told)
			}
		})
	}
}

func TestCalibrateKeepsWhatTheAuthorWrote(t *testing.T) {
	samples, _, _ := newTexter(1).crawl(300)
	words := strings.Join(firstThemeWords(20), ", ")
	plain := topicOf(t, firstThemeWords(20)...)
	measured, _, err := calibrate(plain.Lexicon(), plain, samples)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, fields string
		check        func(f *topic.File) bool
	}{
		{"description", "thresholds: {description: 0.5}", func(f *topic.File) bool { return f.Thresholds.Description == 0.5 }},
		{"body", "thresholds: {body: 0.7}", func(f *topic.File) bool { return f.Thresholds.Body == 0.7 }},
		{"body switched off", "thresholds: {body: 0}", func(f *topic.File) bool {
			return f.Thresholds.Body == 0 && f.Thresholds.Description == measured.Thresholds.Description
		}},
		{"a strategy's default for bodies is not the author's", "strategy: best-first", func(f *topic.File) bool {
			return f.Thresholds == measured.Thresholds
		}},
		{"anchor switched off", "thresholds: {anchor: 0}", func(f *topic.File) bool {
			return f.Thresholds.Anchor == 0 && f.Thresholds.Priority == measured.Thresholds.Priority
		}},
		{"priority, lambda follows", "thresholds: {priority: 0.4}", func(f *topic.File) bool {
			return f.Thresholds.Priority == 0.4 && math.Abs(f.Weights.Lambda-0.3) < 1e-12
		}},
		{"lambda, priority stays above", "thresholds: {priority: 0.9}\nweights: {lambda: 0.7}", func(f *topic.File) bool {
			return f.Thresholds.Priority == 0.9 && f.Weights.Lambda == 0.7
		}},
		{"beta", "weights: {beta: 0.4}", func(f *topic.File) bool {
			return f.Weights.Beta == 0.4 && math.Abs(f.Thresholds.Priority-0.2*f.Thresholds.Anchor) < 1e-12
		}},
		{"no weight for anchors", "weights: {beta: 0}", func(f *topic.File) bool {
			return math.Abs(f.Thresholds.Priority-0.15*f.Thresholds.Description) < 1e-12
		}},
		{"no weight but the vote's", "weights: {alpha: 0, beta: 0}", func(f *topic.File) bool { return f.Thresholds.Priority > 0 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := parseTopic(t, "name: a\nwords: ["+words+"]\n"+test.fields+"\n")
			got, _, err := calibrate(file.Lexicon(), file, samples)
			if err != nil {
				t.Fatal(err)
			}
			if !test.check(got) {
				t.Errorf("thresholds %+v, weights %+v", got.Thresholds, got.Weights)
			}
			if err := got.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCalibrateOnHeadlines(t *testing.T) {
	file := topicOf(t, firstThemeWords(20)...)
	w := newTexter(3)
	samples := &Samples{}
	for i := range 500 {
		page := w.page(i % themes)
		samples.Add(Sample{Description: page.Description, Anchor: page.Anchor})
	}
	got, told, err := calibrate(file.Lexicon(), file, samples)
	if err != nil {
		t.Fatal(err)
	}
	// Titles have 7 or 8 words: 0 is off the topic, 1/8 and more on it. No text
	// has a main text or shows which descriptions good pages reach.
	th := got.Thresholds
	if th.Body != told.Fallback/2 || th.Anchor <= 0 || th.Anchor > 0.125 || th.Description != max(0.12*th.Anchor, 0.1*told.Fallback) {
		t.Errorf("thresholds %+v", th)
	}
	if slices.Contains(told.Clamped, "body") {
		t.Errorf("clamped %v: there was no main text to cut", told.Clamped)
	}
}

func TestCalibrateCountsSamplesByTheirTimes(t *testing.T) {
	file := topicOf(t, "ab")
	once, thrice := &Samples{}, &Samples{}
	add := func(sample Sample, times int) {
		for range times {
			once.Add(sample)
		}
		sample.Times = times
		thrice.Add(sample)
	}
	add(Sample{Body: []string{"ab", "cd", "ef"}}, 3)
	add(Sample{Body: []string{"ab", "cd", "ef", "gh", "ij", "kl", "mn"}}, 50)
	add(Sample{Body: []string{"gh", "ij"}}, 2)
	want, _, err := calibrate(file.Lexicon(), file, once)
	if err != nil {
		t.Fatal(err)
	}
	got, told, err := calibrate(file.Lexicon(), file, thrice)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || told.Samples != 3 {
		t.Errorf("%d samples, file (-once +times):\n%s", told.Samples, diff)
	}
}

func TestCalibrateErrors(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"no relevance", "name: a\nwords: [ab]\nadjust: {ab: 0}\n", "no topic word has a relevance"},
		{"weights beyond all bounds", "name: a\nwords: [{ab: 1000}]\n", "change the weights"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := parseTopic(t, test.source)
			_, _, err := calibrate(file.Lexicon(), file, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}
