package step_test

import (
	"context"
	"slices"
	"testing"

	"sluice/shared/rank"
	"sluice/shared/state/ledger"
)

// asked counts how often the state of a URL is asked for.
type asked struct {
	ledger.Ledger
	url string
	n   int
}

func (a *asked) States(ctx context.Context, crawl string, urls []string) ([]ledger.State, error) {
	if slices.Contains(urls, a.url) {
		a.n++
	}
	return a.Ledger.States(ctx, crawl, urls)
}

// Thresholds and strategy change while a crawl runs: what is read from then on is
// judged by the new ones, and what was known stays known.
func TestAdjust(t *testing.T) {
	t.Parallel()
	const links = "<a href=/strong>银行</a><a href=/weak>股市天气旅游音乐</a>"
	w := newWorld(t, `
-- http://a.test/1 --
<title>股市</title>$TEXT`+links+`
-- http://a.test/2 --
<title>股市</title>$TEXT`+links+`
-- http://a.test/off1 --
<title>股市天气旅游音乐</title>$TEXT
-- http://a.test/off2 --
<title>股市天气旅游音乐</title>$TEXT
`)
	l := &asked{Ledger: w.ports.Ledger, url: "http://a.test/strong"}
	w.ports.Ledger = l
	check := func(want map[string]string) {
		t.Helper()
		w.wantFates(t, want)
	}
	w.run(t, link("http://a.test/1"), link("http://a.test/off1"))
	check(map[string]string{
		"http://a.test/strong": "waiting", "http://a.test/weak": "dropped priority", "http://a.test/off1": "passed description_threshold",
	})

	adjusted, reader := *w.plan, *w.plan.Reader
	reader.DescriptionThreshold = 0.2
	adjusted.Reader, adjusted.PriorityThreshold = &reader, 0.3
	adjusted.Strategy = rank.Semantic{Weights: rank.Weights{Alpha: 0.1, Beta: 1, Lambda: 0.01}, Threshold: 0.3}
	w.step.Adjust(&adjusted)
	w.run(t, link("http://a.test/2"), link("http://a.test/off2"))
	check(map[string]string{
		"http://a.test/strong": "waiting", "http://a.test/weak": "waiting", "http://a.test/off2": "kept",
	})
	if l.n != 1 {
		t.Errorf("a known link was looked up %d times, want once", l.n)
	}
}

// A better page offers a page that was read: its state is not asked for again.
func TestReadPageIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- http://a.test/weak --
<title>股市天气</title>$TEXT<a href=/read>银行</a>
-- http://a.test/read --
<title>股市</title>$TEXT
-- http://a.test/strong --
<title>股市</title>$TEXT<a href=/read>银行</a>
`)
	l := &asked{Ledger: w.ports.Ledger, url: "http://a.test/read"}
	w.ports.Ledger = l
	w.run(t, link("http://a.test/weak"))
	if l.n != 1 {
		t.Fatalf("an unknown link was looked up %d times, want once", l.n)
	}
	w.run(t, link("http://a.test/read"))
	if l.n != 2 {
		t.Fatalf("a link was looked up %d times, want once when it was found and once as it came", l.n)
	}
	w.run(t, link("http://a.test/strong"))
	if l.n != 2 {
		t.Errorf("a page that was read was looked up %d times more", l.n-2)
	}
	w.wantFates(t, map[string]string{"http://a.test/read": "kept"})
}
