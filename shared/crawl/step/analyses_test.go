package step_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"sluice/shared/crawl/reading"
	"sluice/shared/structure/template"
)

// analyses notes the hosts that are asked for.
type analyses struct {
	asked []string
	fails bool
}

func (a *analyses) Ask(_ context.Context, crawl, host string) error {
	a.asked = append(a.asked, crawl+" "+host)
	if a.fails {
		return errors.New("no queue")
	}
	return nil
}

// A structured crawl asks once for the analysis of a host: with its first pages, or later
// if that fails.
func TestAnalyses(t *testing.T) {
	t.Parallel()
	shop, err := template.Load("shop")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "-- http://a.test/1 --\n<title>Pear</title><h1>Pear</h1><p class=price>$7</p>\n-- http://a.test/2 --\n<title>Fig</title><h1>Fig</h1><p class=price>$8</p>\n-- http://a.test/3 --\n<title>Plum</title><h1>Plum</h1><p class=price>$9</p>")
	w.plan.Template, w.plan.Reader = shop, &reading.Reader{Structured: true, Topic: "shop", TopicVersion: "v1"}
	a := &analyses{fails: true}
	w.ports.Analyses = a
	for _, url := range []string{"http://a.test/none", "http://a.test/1", "http://a.test/2", "http://a.test/3"} {
		w.run(t, link(url))
		a.fails = len(a.asked) == 0
	}
	if want := []string{crawlID + " a.test", crawlID + " a.test"}; !slices.Equal(a.asked, want) {
		t.Errorf("asked for %q, want %q", a.asked, want)
	}
}
