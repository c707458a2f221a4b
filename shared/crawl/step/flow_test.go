package step_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func urls(task *frontier.Task) []string {
	var out []string
	for _, l := range task.Links {
		out = append(out, l.URL)
	}
	return out
}

// describe prints an outcome for a failure.
func describe(out *step.Outcome) string {
	var b strings.Builder
	for _, r := range out.Rest {
		fmt.Fprintf(&b, "[%s in %s, %d bounces] ", strings.Join(urls(r.Task), " "), r.Delay, r.Task.Bounces)
	}
	return b.String()
}

// flow has the links that METHOD A1 tells apart: by eq. 5 the first two pass,
// by a topic word in the anchor the first and the third.
const flow = `
-- http://a.test/on --
<title>股市</title><meta name=description content=银行>$TEXT
<a href=/both>银行</a><a href=/half>股市新闻</a><a href=/word>晴朗的天气预报说小雨转多云大风降温还有股市</a><a href=/none>天气预报</a>
-- http://a.test/off --
<title>晴朗的天气预报</title>$TEXT
<a href=/both>银行</a><a href=/half>股市新闻</a><a href=/word>晴朗的天气预报说小雨转多云大风降温还有股市</a><a href=/none>天气预报</a>
-- http://a.test/empty --
<title></title>$TEXT<a href=/both>银行</a><a href=/none>天气预报</a>
`

// TestFlow is METHOD A1 for one page: what stays, and which links are worth
// following.
func TestFlow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		link    frontier.Link
		fate    string
		history bool
		links   map[string]string
	}{
		{
			name: "a relevant page is kept, its links are judged by eq. 5",
			link: link("http://a.test/on"), fate: "kept", history: true,
			links: map[string]string{"/both": "waiting", "/half": "waiting", "/word": "dropped priority", "/none": "dropped priority"},
		},
		{
			name: "of an irrelevant page only links with a topic word in the anchor count",
			link: link("http://a.test/off"), fate: "passed description_threshold",
			links: map[string]string{"/both": "waiting", "/half": "waiting", "/word": "waiting", "/none": "dropped anchor"},
		},
		{
			name: "an irrelevant seed's links pass by either",
			link: seed("http://a.test/off"), fate: "passed description_threshold",
			links: map[string]string{"/both": "waiting", "/half": "waiting", "/word": "waiting", "/none": "dropped priority"},
		},
		{
			name: "a relevant seed is a relevant page",
			link: seed("http://a.test/on"), fate: "kept", history: true,
			links: map[string]string{"/both": "waiting", "/half": "waiting", "/word": "dropped priority", "/none": "dropped priority"},
		},
		{
			name: "no words, no relevance",
			link: link("http://a.test/empty"), fate: "passed description_threshold",
			links: map[string]string{"/both": "waiting", "/none": "dropped anchor"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, flow)
			out := w.run(t, tt.link)
			want := map[string]string{tt.link.URL: tt.fate}
			waiting := 0
			for path, fate := range tt.links {
				want["http://a.test"+path] = fate
				if fate == "waiting" {
					waiting++
				}
			}
			w.wantFates(t, want)
			if got := slices.Contains(w.history(t, 0), tt.link.URL); got != tt.history {
				t.Errorf("in the history: %t, want %t", got, tt.history)
			}
			if n := len(w.documents(t)); (n == 1) != tt.history || n > 1 {
				t.Errorf("%d documents in the corpus", n)
			}
			e := w.trail(t, tt.link.URL).Entry
			if e.Enqueued != waiting || e.Dropped != len(tt.links)-waiting || !e.Fetched {
				t.Errorf("entry counts %d enqueued, %d dropped, fetched %t, want %d, %d, true", e.Enqueued, e.Dropped, e.Fetched, waiting, len(tt.links)-waiting)
			}
			if !slices.Equal(out.Hosts, []string{"a.test"}) || out.Fetched != 1 || len(out.Rest) != 0 {
				t.Errorf("outcome is %+v, want a.test to be fed, one page fetched, nothing left", out)
			}
		})
	}
}

// Threshold 0 must not make a page relevant that has no words at all.
func TestNoWordsUnderThresholdZero(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flow)
	w.plan.DescriptionThreshold = 0
	w.run(t, link("http://a.test/empty"), link("http://a.test/off"))
	want := map[string]string{"http://a.test/empty": "passed description_threshold", "http://a.test/off": "kept"}
	w.wantFates(t, want)
}

// A link carries eq. 5 with its parts (METHOD A11), from the page that found
// it into the document that it leads to; a skipped link carries them, too.
func TestPriorityPartsAreRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flow+`
-- http://a.test/half --
<title>股市新闻</title>$TEXT
`)
	w.run(t, link("http://a.test/on"))
	half := w.trail(t, "http://a.test/half").Waiting
	want := &frontier.Link{
		URL: "http://a.test/half", Seed: "http://a.test/on", Parent: "http://a.test/on", Anchor: "股市新闻", Depth: 1,
		Priority: 0.1*1 + 1*0.5, Parts: frontier.Parts{Description: 1, Anchor: 0.5},
	}
	if diff := cmp.Diff(want, half); diff != "" {
		t.Fatalf("waiting link (-want +got):\n%s", diff)
	}
	none := w.trail(t, "http://a.test/none").Dropped
	if diff := cmp.Diff(frontier.Parts{Description: 1}, none.Link.Parts); diff != "" || none.Link.Priority != 0.1 {
		t.Errorf("dropped link has priority %v, parts (-want +got):\n%s", none.Link.Priority, diff)
	}
	w.run(t, *half)
	d := w.documents(t)["http://a.test/half"]
	path := corpus.Path{
		Seed: "http://a.test/on", Parent: "http://a.test/on", Anchor: "股市新闻", Depth: 1,
		Priority: corpus.Priority{Description: 1, Anchor: 0.5, Value: 0.6},
	}
	if diff := cmp.Diff(path, d.Path); diff != "" {
		t.Errorf("path of the document (-want +got):\n%s", diff)
	}
	rel := corpus.Relevance{Description: 0.5, TopWords: []string{}, OOVRatio: 1, Words: 8} // the title has it, not the text
	if diff := cmp.Diff(rel, d.Relevance); diff != "" {
		t.Errorf("relevance of the document (-want +got):\n%s", diff)
	}
}

// The vote adds λ where more than half of the history drawn has the link's
// structure (METHOD A10); without a history it is 0.
func TestStructureVote(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- http://a.test/news/2024/1001.html --
<title>股市</title>$TEXT<a href=/news/2024/1002.html>股市</a>
-- http://a.test/news/2024/1003.html --
<title>股市</title>$TEXT<a href=/news/2024/1004.html>股市</a><a href=/login>股市</a>
`)
	w.run(t, link("http://a.test/news/2024/1001.html"), link("http://a.test/news/2024/1003.html"))
	for path, want := range map[string]float64{"/news/2024/1002.html": 0, "/news/2024/1004.html": 1, "/login": 0} {
		l := w.trail(t, "http://a.test"+path).Waiting
		if l.Parts.Structure != want || l.Priority != 0.1+1+0.01*want {
			t.Errorf("%s: structure %v, priority %v; want structure %v", path, l.Parts.Structure, l.Priority, want)
		}
	}
}

// What a crawl has learned of a link since is offered unless it is next to nothing, and
// where stores bill only if it is much.
func TestThrift(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		thrift bool
		before int // pages like the link that were read, half of them kept
		parent string
	}{
		{"next to nothing more", false, 1000, "/1"},
		{"a little more", false, 20, "/2"},
		{"a little more, with thrift", true, 20, "/1"},
		{"much more, with thrift", true, 2, "/2"},
	} {
		w := newWorld(t, `
-- http://a.test/1 --
<title>股市</title>$TEXT<a href=/3>股市新闻</a>
-- http://a.test/2 --
<title>股市</title>$TEXT<a href=/3>股市新闻</a>
`)
		hybrid, err := rank.New(rank.NameHybrid, rank.Settings{Weights: rank.Weights{Alpha: 0.1, Beta: 1, Lambda: 0.01}, Threshold: 0.45})
		if err != nil {
			t.Fatal(err)
		}
		learner, ok := hybrid.(rank.Learner)
		if !ok {
			t.Fatalf("%T does not learn", hybrid)
		}
		w.plan.Strategy, w.opts.Thrift = hybrid, test.thrift
		like, err := urlnorm.Parse("http://a.test/4")
		if err != nil {
			t.Fatal(err)
		}
		for i := range test.before {
			learner.Learn(like, i%2 == 0)
		}
		w.run(t, link("http://a.test/1"), link("http://a.test/2"))
		if l := w.trail(t, "http://a.test/3").Waiting; l.Parent != "http://a.test"+test.parent {
			t.Errorf("%s: the link waits as found on %s, with %v", test.name, l.Parent, l.Parts.Like)
		}
	}
}

// A link that waits rises when a better page offers it, and never sinks.
func TestBetterOfferRaises(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- http://a.test/weak --
<title>晴朗的天气预报</title>$TEXT<a href=/x>股市新闻</a>
-- http://a.test/strong --
<title>股市</title>$TEXT<a href=/x>银行</a>
`)
	w.run(t, link("http://a.test/weak"))
	w.run(t, link("http://a.test/strong"))
	w.run(t, link("http://b.test/weak"))
	if l := w.trail(t, "http://a.test/x").Waiting; l.Parent != "http://a.test/strong" || l.Priority != 1.1 {
		t.Errorf("the link waits with %v from %s, want 1.1 from the better page", l.Priority, l.Parent)
	}
}
