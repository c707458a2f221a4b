//go:build linux

package cloud_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/demo"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
)

// The threshold of a crawl that adapts changes on a stack as on one machine under the same
// counts. It learns words, by which functions then read pages.
func TestAdaptive(t *testing.T) {
	t.Parallel()
	needEmulator(t)
	web := demo.New()
	srv := httptest.NewServer(web)
	defer srv.Close()
	text, err := os.ReadFile("../../topics/finance.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "adaptive.yaml")
	if err := os.WriteFile(path, append(text, "\nstrategy: adaptive\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	compiled, err := topic.LoadAny(path)
	if err != nil {
		t.Fatal(err)
	}
	begins := compiled.File.Thresholds.Priority
	o := cloudOptions{proxy: srv.URL, concurrency: 2, guarded: true}
	c := newCloud(t, o)
	c.start(t, path, &job.Message{Crawl: "adapts", Topic: "topics/adaptive.yaml", Seeds: web.Seeds(), Limits: limits.Limits{MaxPages: 2000}})
	c.run(t, o, c.ended(t, 8*time.Minute, "adapts"))

	j, err := c.Jobs.Get(t.Context(), "adapts")
	if err != nil {
		t.Fatal(err)
	}
	totals, err := c.Store.Ledger().Totals(t.Context(), "adapts")
	if err != nil {
		t.Fatal(err)
	}
	log := j.Tuning.Log
	t.Logf("%d pages, %d of links below the line, %d kept, in %d invocations of keeper; %+v after %d changes",
		totals.Fetched, totals.Below, totals.Verdicts[ledger.Kept], c.fns["keeper"].Usage().Invocations, j.Thresholds, len(log))
	if len(log) == 0 || totals.Below == 0 || j.Thresholds.Priority != log[len(log)-1].Threshold {
		t.Fatalf("%d changes, %d pages below the line, thresholds %+v", len(log), totals.Below, j.Thresholds)
	}
	// The same counts on one machine.
	here := job.Job{Thresholds: &job.Thresholds{Priority: begins}, Tuning: job.NewTuning(begins, compiled.File.Weights.Lambda)}
	now := job.Progress{}
	for i, a := range log {
		if a.Fetched-a.Pages != now.Fetched || a.Words != nil {
			break // an interval that changed nothing is not noted
		}
		now = job.Progress{Fetched: a.Fetched, Kept: a.Kept, Below: now.Below + a.Pages - a.Above}
		if due := here.Tune(now); due != nil {
			here.Adapt(due, nil)
		}
		if len(here.Tuning.Log) != i+1 || here.Thresholds.Priority != a.Threshold {
			t.Errorf("change %d: %+v, one machine has %+v", i, a, here.Tuning.Log)
		}
	}
	if len(here.Tuning.Log) == 0 {
		t.Errorf("the first interval changed nothing: %+v", log)
	}

	at := slices.IndexFunc(log, func(a job.Adjustment) bool { return a.Words != nil })
	if at < 0 {
		t.Fatalf("no word is learned: %+v", log)
	}
	learned, err := c.Topics.Get(t.Context(), j.TopicKey())
	if err != nil || j.TopicKey() == j.Topic || plan.TopicVersion(learned) != log[at].Topic || j.Thresholds.Body != learned.File.Thresholds.Body {
		t.Errorf("learned %+v, topic %s, thresholds %+v, %v", log[at], j.TopicKey(), j.Thresholds, err)
	}
	thresholds := map[float64]int{}
	for url := range lines(t, c, "rejects/adapts/", func(r corpus.Reject) string { return r.FinalURL }) {
		e, err := c.Store.Ledger().Entry(t.Context(), "adapts", url)
		if err != nil {
			t.Fatal(err)
		}
		var trace step.Trace
		if err := json.Unmarshal(e.Trace, &trace); err != nil {
			t.Fatal(err)
		}
		thresholds[trace.Threshold]++
	}
	keeper := c.fns["keeper"].Usage()
	t.Logf("%d words after %d pages; rejects by the threshold of the description: %v; keeper has had %d MB", len(log[at].Words), log[at].Fetched, thresholds, keeper.PeakRSS>>20)
	if thresholds[log[at].Description] == 0 {
		t.Errorf("no page was read by the words: %v", thresholds)
	}
}
