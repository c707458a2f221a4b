// Package jobtest is the conformance suite of job.Registry. Adapters and
// decorators that pass it are interchangeable.
package jobtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/conformance"
	"sluice/shared/rank/adapt"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// Run checks an adapter against the contract of job.Registry. Each check gets a
// fresh, empty one.
func Run(t *testing.T, open func(t *testing.T) job.Registry) {
	conformance.Run(t, checks, open)
}

type check = conformance.Check[job.Registry]

var checks = []check{
	// A message for a crawl that was never started goes to the dead letters.
	{Name: "unknown crawls", Check: checkUnknown},
	// Everything that is known of a crawl must survive.
	{Name: "keeps the whole job", Check: checkWhole},
	{Name: "keeps many seeds", Check: checkManySeeds},
	// A start message is delivered more than once.
	{Name: "create refuses a second one", Check: checkCreateTwice},
	{Name: "one of 16 creators wins", Check: checkCreateRace},
	// Jobs that some function cannot read must not be stored.
	{Name: "refuses invalid jobs", Check: checkInvalid},
	{Name: "lists by id", Check: checkList},
	// The next reader sees the change.
	{Name: "update changes and counts revisions", Check: checkUpdate},
	// A transition that is not possible leaves no trace.
	{Name: "an error of change is returned as it is", Check: checkChangeError},
	// Adapters hand out copies: no caller changes a crawl behind their back.
	{Name: "jobs are the caller's own", Check: checkCopies},
	// keeper, the command line and budgets change one crawl at once.
	{Name: "32 concurrent updates each count", Check: checkUpdateRace},
	{Name: "one of 16 transitions wins", Check: checkTransitionRace},
	// Functions end at their deadline.
	{Name: "a context that has ended", Check: checkContext},
}

// created is when the suite's jobs were, to the nanosecond.
var created = time.Date(2020, 3, 30, 8, 0, 0, 123456789, time.UTC)

// newJob returns a valid job.
func newJob(id string) *job.Job {
	return &job.Job{V: 1, ID: id, Topic: "topics/finance.topic", State: job.Running, Created: created}
}

func create(t *testing.T, r job.Registry, j *job.Job) {
	t.Helper()
	if err := r.Create(t.Context(), j); err != nil {
		t.Fatalf("Create %s: %v", j.ID, err)
	}
}

func get(t *testing.T, r job.Registry, id string) *job.Job {
	t.Helper()
	j, err := r.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("Get %s: %v", id, err)
	}
	return j
}

func checkUnknown(t *testing.T, r job.Registry) {
	create(t, r, newJob("b"))
	for _, id := range []string{"a", "", "b#", strings.Repeat("x", 300)} {
		if j, err := r.Get(t.Context(), id); !errors.Is(err, job.ErrUnknown) {
			t.Errorf("Get %.10q: %+v, %v, want ErrUnknown", id, j, err)
		}
		j, err := r.Update(t.Context(), id, func(*job.Job) error {
			t.Error("change is called without a crawl")
			return nil
		})
		if !errors.Is(err, job.ErrUnknown) {
			t.Errorf("Update %.10q: %+v, %v, want ErrUnknown", id, j, err)
		}
	}
}

func checkWhole(t *testing.T, r job.Registry) {
	want := newJob("finance-demo")
	want.Seeds = []string{"http://a.test/?x=1&y=2", "http://b.test/%E5%85%9A"}
	want.Scope = &limits.Scope{Mode: "host", Allow: []string{"*.c.test"}, Deny: []string{"http://a.test/<login>"}}
	want.Overrides = []string{"/<党>/* delay=5s", "a.test max_depth=0"}
	want.MaxPages, want.MaxPagesPerHost, want.MaxDepth, want.MaxCost = 1000, 10, 3, 2.75
	want.MaxDuration, want.Deadline = time.Hour, created.Add(time.Hour)
	want.Delay, want.Contact, want.RandomSeed = 1500*time.Millisecond, "https://crawl.example/", math.MaxUint64
	want.Archive, want.UserAgent = "relevant", "lab-bot/2.0"
	want.Round, want.Quiet = 7, 2
	want.Tuning = &job.Tuning{Last: job.Progress{Fetched: 104, Kept: 2, Below: 3}, Past: []adapt.Interval{{Fetched: 97, Relevant: 2}}}
	want.Tuning.Note(&job.Adjustment{Fetched: 104, Rule: "raise", Threshold: 0.1 + 0.2}, 1)
	want.Thresholds = &job.Thresholds{Description: 0.25, Priority: 1e-9, Body: 0.1 + 0.2}
	want.RefreshOf = []string{"finance-2", "finance"}
	want.Revisits = limits.Revisits{Revisit: "all", Since: created.Add(-time.Hour)}
	want.NoteSeeds("seeds/finance-demo/list.txt", job.BadSeeds{Lines: 2, First: `line 3: "see below"`})
	if err := want.Finish(job.ReasonMaxCost); err != nil {
		t.Fatal(err)
	}
	want.Structured, want.Records = true, job.Records{"a.test": {Made: true, Counts: map[string]int{"a.test/list": 3}}, "b.test": {}}
	create(t, r, want)
	if want.Revision != 1 || want.Updated.IsZero() {
		t.Errorf("created with revision %d, updated %v", want.Revision, want.Updated)
	}
	if diff := cmp.Diff(want, get(t, r, "finance-demo")); diff != "" {
		t.Errorf("job (-created +got):\n%s", diff)
	}
}

func checkManySeeds(t *testing.T, r job.Registry) {
	want := newJob("c")
	for i := range job.MaxSeeds {
		want.Seeds = append(want.Seeds, fmt.Sprintf("http://h%d.test/?a&b", i))
	}
	create(t, r, want)
	if diff := cmp.Diff(want.Seeds, get(t, r, "c").Seeds); diff != "" {
		t.Errorf("seeds (-created +got):\n%s", diff)
	}
}

func checkCreateTwice(t *testing.T, r job.Registry) {
	create(t, r, newJob("c"))
	second := newJob("c")
	second.MaxPages = 5
	if err := r.Create(t.Context(), second); !errors.Is(err, job.ErrExists) {
		t.Errorf("second Create: %v, want ErrExists", err)
	}
	if j := get(t, r, "c"); j.MaxPages != 0 || j.Revision != 1 {
		t.Errorf("the second job was stored: %+v", j)
	}
}

func checkCreateRace(t *testing.T, r job.Registry) {
	var wg sync.WaitGroup
	var won atomic.Int64
	for i := range 16 {
		wg.Go(func() {
			j := newJob("c")
			j.MaxPages = i + 1
			switch err := r.Create(t.Context(), j); {
			case err == nil:
				if !won.CompareAndSwap(0, int64(i+1)) {
					t.Error("two creators win")
				}
			case !errors.Is(err, job.ErrExists):
				t.Errorf("Create: %v", err)
			}
		})
	}
	wg.Wait()
	if j := get(t, r, "c"); int64(j.MaxPages) != won.Load() {
		t.Errorf("the job is that of creator %d, want %d", j.MaxPages, won.Load())
	}
}

func checkInvalid(t *testing.T, r job.Registry) {
	for _, id := range []string{"", "A", "a_b", "-a", "a#b", strings.Repeat("a", 64)} {
		if err := r.Create(t.Context(), newJob(id)); err == nil {
			t.Errorf("Create takes the id %q", id)
		}
	}
	create(t, r, newJob("c"))
	for name, change := range map[string]func(*job.Job){
		"state":  func(j *job.Job) { j.State = "lost" },
		"id":     func(j *job.Job) { j.ID = "d" },
		"budget": func(j *job.Job) { j.MaxPages = -1 },
	} {
		_, err := r.Update(t.Context(), "c", func(j *job.Job) error {
			change(j)
			return nil
		})
		if err == nil {
			t.Errorf("Update takes a bad %s", name)
		}
	}
	all, err := r.List(t.Context())
	if err != nil || len(all) != 1 || all[0].Revision != 1 || all[0].State != job.Running {
		t.Errorf("after refusals: %+v, %v", all, err)
	}
}

func checkList(t *testing.T, r job.Registry) {
	if all, err := r.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("List of none: %d, %v", len(all), err)
	}
	want := []string{"0", "a", "a-b", "a0", "b", "ba"}
	for _, i := range []int{3, 1, 0, 5, 4, 2} {
		create(t, r, newJob(want[i]))
	}
	all, err := r.List(t.Context())
	if err != nil {
		t.Fatalf("List: %v", err)
	}
	var got []string
	for _, j := range all {
		got = append(got, j.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

func checkUpdate(t *testing.T, r job.Registry) {
	create(t, r, newJob("c"))
	create(t, r, newJob("d"))
	for i := range 3 {
		j, err := r.Update(t.Context(), "c", func(j *job.Job) error {
			j.Round++
			return nil
		})
		if err != nil {
			t.Fatalf("Update: %v", err)
		}
		if j.Round != i+1 || j.Revision != int64(i+2) {
			t.Errorf("update %d: round %d, revision %d", i+1, j.Round, j.Revision)
		}
		if diff := cmp.Diff(j, get(t, r, "c")); diff != "" {
			t.Errorf("job (-updated +got):\n%s", diff)
		}
	}
	if j := get(t, r, "d"); j.Round != 0 || j.Revision != 1 {
		t.Errorf("another crawl was changed: %+v", j)
	}
}

func checkChangeError(t *testing.T, r job.Registry) {
	create(t, r, newJob("c"))
	want := errors.New("no")
	j, err := r.Update(t.Context(), "c", func(j *job.Job) error {
		j.Round = 99
		return want
	})
	if err != want { //nolint:errorlint // as it is, not wrapped
		t.Errorf("Update: %+v, %v, want the error of change", j, err)
	}
	if j := get(t, r, "c"); j.Round != 0 || j.Revision != 1 {
		t.Errorf("written in spite of the error: %+v", j)
	}
}

func checkCopies(t *testing.T, r job.Registry) {
	j := newJob("c")
	j.Seeds = []string{"http://a.test/"}
	create(t, r, j)
	j.Seeds[0] = "http://b.test/"
	get(t, r, "c").Seeds[0] = "http://b.test/"
	updated, err := r.Update(t.Context(), "c", func(*job.Job) error { return nil })
	if err != nil {
		t.Fatalf("Update: %v", err)
	}
	updated.Seeds[0] = "http://b.test/"
	if got := get(t, r, "c").Seeds[0]; got != "http://a.test/" {
		t.Errorf("the stored seed is %s", got)
	}
}

func checkUpdateRace(t *testing.T, r job.Registry) {
	create(t, r, newJob("c"))
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			_, err := r.Update(t.Context(), "c", func(j *job.Job) error {
				j.Round++
				return nil
			})
			if err != nil {
				t.Errorf("Update: %v", err)
			}
		})
	}
	wg.Wait()
	if j := get(t, r, "c"); j.Round != 32 || j.Revision != 33 {
		t.Errorf("round %d, revision %d after 32 updates", j.Round, j.Revision)
	}
}

func checkTransitionRace(t *testing.T, r job.Registry) {
	create(t, r, newJob("c"))
	var wg sync.WaitGroup
	var won atomic.Int64
	for range 16 {
		wg.Go(func() {
			_, err := r.Update(t.Context(), "c", (*job.Job).Pause)
			var refused *job.StateError
			switch {
			case err == nil:
				won.Add(1)
			case !errors.As(err, &refused) || refused.State != job.Paused:
				t.Errorf("Update: %v", err)
			}
		})
	}
	wg.Wait()
	if n := won.Load(); n != 1 {
		t.Errorf("%d callers paused the crawl, want 1", n)
	}
}

func checkContext(t *testing.T, r job.Registry) {
	create(t, r, newJob("c"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, getErr := r.Get(ctx, "c")
	_, listErr := r.List(ctx)
	_, updateErr := r.Update(ctx, "c", func(*job.Job) error { return nil })
	for name, err := range map[string]error{
		"Create": r.Create(ctx, newJob("d")), "Get": getErr, "List": listErr, "Update": updateErr,
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
}
