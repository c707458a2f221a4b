package operator

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"sluice/shared/console"
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/forget"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// A crawl is done when its second look is taken, and the segments that it concerns are
// cleaned since. Its status has the documents that it refused and the words, until a page
// is forgotten that they may be from.
func TestSecondLook(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.Create(t, job.Message{Crawl: "c"})
	update := func(change func(*job.Job) error) {
		t.Helper()
		if _, err := s.parts.Jobs.Update(ctx, "c", change); err != nil {
			t.Fatal(err)
		}
	}
	status := func(state job.State, uncleaned int) *console.Status {
		t.Helper()
		st, err := s.Status(ctx, "c")
		if err != nil || st.State != state || st.Uncleaned != uncleaned {
			t.Fatalf("%+v, %v; want %s, %d segments", st, err, state, uncleaned)
		}
		return st
	}
	s.End(t, "c",
		ledger.End{URL: "http://a.test/1", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Segment: "raw/c/1.warc.gz", Offset: 9}},
		ledger.End{URL: "http://a.test/2", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true}},
	)
	for _, name := range []string{"1", "2"} {
		s.PutObject(t, "raw/c/"+name+".warc.gz", "x")
		s.PutObject(t, "corpus/c/"+name+".jsonl", "")
	}
	update(func(j *job.Job) error {
		j.Holds = true
		return j.Finish(job.ReasonFrontierEmpty)
	})
	if st := status(console.Cleaning, 0); !st.Unjudged || st.SecondLook != nil {
		t.Errorf("before the second look: %+v", st)
	}
	s.now = func() time.Time { return time.Now().Add(7 * time.Minute) } // keeper has waited for other crawls
	status(console.Cleaning, 0)
	target, err := forget.Parse("http://a.test/1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(ctx, []string{"c"}, []forget.Target{target}, forget.Options{}); !errors.Is(err, ErrRequest) {
		t.Errorf("forget before the second look: %v, want ErrRequest", err)
	}
	s.now = time.Now
	l := &clean.Look{
		Number: 7, At: time.Now().Add(-time.Minute).UTC(), Result: &job.SecondLook{Added: 1, Removed: 1, Words: []job.Learned{{Word: "基金", Weight: 2}}},
		Segments: map[string]clean.Decisions{"1.warc.gz": {9: {Refused: &reading.SecondLook{Threshold: 1}}}},
	}
	put := func() {
		t.Helper()
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		s.PutObject(t, clean.LookKey("c"), string(data))
	}
	put()
	update(func(j *job.Job) error {
		j.Look = job.Look{Asked: 7, Made: 7, Refused: 1}
		return nil
	})
	st := status(job.Done, 0)
	if st.SecondLook == nil || len(st.SecondLook.Words) != 1 || st.Kept != 1 || st.Rejected != 1 || st.RefusedLater != 1 || st.Rules[reading.RuleSecondLook] != 1 {
		t.Errorf("after the second look: %+v", st)
	}
	l.At = time.Now().Add(time.Minute).UTC() // what is cleaned is so by the look before
	put()
	status(console.Cleaning, 1)

	s.now = func() time.Time { return time.Now().Add(drain) }
	if _, err = s.Forget(ctx, []string{"c"}, []forget.Target{target}, forget.Options{}); err != nil {
		t.Fatal(err)
	}
	kept, err := clean.ReadLook(ctx, s.parts.Objects, "c")
	if err != nil || kept.Result != nil || len(kept.Segments) != 1 || kept.Refused() != 0 {
		t.Errorf("after a page was forgotten the look is %+v, %v", kept, err)
	}
	if st, err := s.Look(ctx, "c"); err != nil || st.Kept != 1 || st.RefusedLater != 0 || st.Rejected != 0 {
		t.Errorf("after a page that it had refused was forgotten: %+v, %v", st, err)
	}
	update(func(j *job.Job) error {
		j.Look.Left = "it is too large"
		return nil
	})
	if st, err := s.Look(ctx, "c"); err != nil || st.LookLeft != "it is too large" {
		t.Errorf("a crawl that was left: %+v, %v", st, err)
	}
}
