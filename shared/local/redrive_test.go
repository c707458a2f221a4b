package local_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/bubble"
	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/local"
	"sluice/shared/state/job"
)

// down is a web whose pages fail until it is up.
type down struct{ up bool }

func (w *down) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case len(path.Base(r.URL.String())) != len("1"):
		return answer(r, http.StatusNotFound, ""), nil
	case !w.up:
		return answer(r, http.StatusInternalServerError, ""), nil
	}
	return answer(r, http.StatusOK, "<title>股市</title>"+text(r.URL.String())), nil
}

// Dead links are put back, fetched by the next run and counted once; those that
// are discarded are not.
func TestRedrive(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		web := new(down)
		s := spec(t, "http://down.test/1", "http://down.test/2", "http://down.test/3")
		s.Transport, s.Contact = web, "https://me.test/"
		c := opened(t, s)
		con := local.NewConsole(s.Dir)
		if _, err := con.Redrive(t.Context(), console.RedriveOptions{}); err == nil || !strings.Contains(err.Error(), "stop the crawl first") {
			t.Errorf("redrive of a crawl that runs: %v", err)
		}
		if sum, err := c.Run(t.Context(), t.Context()); err != nil || sum.DeadLetters != 3 || sum.Fetched != 3 {
			t.Fatalf("first run: %+v, %v", sum, err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}

		third := console.RedriveOptions{Discard: true, Letters: []string{"http://down.test/3"}}
		for _, step := range []struct {
			opts console.RedriveOptions
			want console.RedriveCount
			dead int64 // then
		}{
			{console.RedriveOptions{DryRun: true}, console.RedriveCount{Back: 3}, 3},
			{console.RedriveOptions{Discard: true}, console.RedriveCount{Stay: 3}, 3},
			{third, console.RedriveCount{Discarded: 1, Others: 2}, 2},
			{console.RedriveOptions{}, console.RedriveCount{Back: 2}, 0},
			{console.RedriveOptions{}, console.RedriveCount{}, 0},
		} {
			out, err := con.Redrive(t.Context(), step.opts)
			if err != nil {
				t.Fatal(err)
			}
			step.want.Queue = "frontier"
			if diff := cmp.Diff([]console.RedriveCount{step.want}, out.Queues); diff != "" {
				t.Errorf("%+v (-want +got):\n%s", step.opts, diff)
			}
			for _, l := range out.Letters {
				want := console.Letter{Queue: "frontier", ID: l.ID, Crawl: "money", URLs: []string{l.ID}, Back: !step.opts.Discard, Discarded: step.opts.Discard && len(step.opts.Letters) > 0}
				if diff := cmp.Diff(want, l, cmpopts.IgnoreFields(console.Letter{}, "Reason", "Sent", "Why")); diff != "" || l.Reason == "" || l.Sent.After(time.Now()) {
					t.Errorf("letter (-want +got):\n%s%+v", diff, l)
				}
			}
			if st, err := con.Status(t.Context()); err != nil || st.DeadLetters != step.dead {
				t.Errorf("after %+v: %d dead letters, %v; want %d", step.opts, st.DeadLetters, err, step.dead)
			}
		}

		web.up, s.Resume = true, true
		if sum := run(t, s); sum.Kept != 2 || sum.Fetched != 3 || sum.DeadLetters != 0 || sum.Rules["http_500"] != 1 {
			t.Errorf("second run: %+v", sum)
		}
	})
}

// away is a web with a host that cannot be reached until it is up.
type away struct{ down }

func (w *away) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == "away.test" && !w.up {
		return nil, errRefused
	}
	web := down{up: true}
	return web.RoundTrip(r)
}

// A host that was down is closed, and some of its links are dead. A run that takes the crawl up
// again asks for all of them, and so does one after redrive, which can choose by rule.
func TestTakeUpHosts(t *testing.T) {
	t.Parallel()
	seeds := []string{"http://up.test/1"}
	for n := range 6 {
		seeds = append(seeds, fmt.Sprintf("http://away.test/%d", 1+n))
	}
	for name, redrive := range map[string]console.RedriveOptions{
		"by --resume alone":       {Discard: true}, // which discards no valid letter
		"by redrive":              {},
		"by redrive of its rules": {Rules: []string{"connect", "robots_unreachable", step.RuleHostDown}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble.Test(t, func(t *testing.T) {
				web := new(away)
				s := spec(t, seeds...)
				s.Transport, s.Contact = web, "https://me.test/"
				sum := run(t, s)
				if len(sum.ClosedHosts) != 1 || sum.ClosedHosts[0].Rule != step.RuleHostDown || sum.ClosedHosts[0].Links == 0 || sum.DeadLetters == 0 || sum.Kept != 1 || sum.StopReason != "hosts_down" || sum.State != job.Stopped {
					t.Fatalf("first run: %+v", sum)
				}
				con := local.NewConsole(s.Dir)
				if out, err := con.Redrive(t.Context(), console.RedriveOptions{Rules: []string{"http_503", step.RuleHostBudget}}); err != nil || len(out.Hosts) != 0 || out.Queues[0].Others != int(sum.DeadLetters) {
					t.Errorf("redrive by another rule: %+v, %v", out, err)
				}
				want := sum.ClosedHosts
				if redrive.Discard {
					want = []console.ClosedHost{}
				}
				dry := redrive
				dry.DryRun = true
				for _, opts := range []console.RedriveOptions{dry, redrive} {
					out, err := con.Redrive(t.Context(), opts)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, out.Hosts); diff != "" {
						t.Errorf("hosts (-want +got)\n%s", diff)
					}
				}
				web.up, s.Resume = true, true
				begun := time.Now()
				sum = run(t, s)
				if sum.Kept != int64(len(seeds)) || sum.DeadLetters != 0 || len(sum.ClosedHosts) != 0 || sum.StopReason != job.ReasonFrontierEmpty {
					t.Errorf("resumed: %+v", sum)
				}
				if took := time.Since(begun); took > time.Minute {
					t.Errorf("resumed, it took %v: pauses of the run before it hold", took)
				}
			})
		})
	}
}

// A host with few links is not closed before they are dead, and is down all the same.
func TestHostWithOneLinkDown(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		web := new(away)
		s := spec(t, "http://up.test/1", "http://away.test/1")
		s.Transport, s.Contact = web, "https://me.test/"
		if sum := run(t, s); len(sum.ClosedHosts) != 0 || sum.DeadLetters != 1 || sum.Kept != 1 || sum.StopReason != "hosts_down" {
			t.Fatalf("first run: %+v", sum)
		}
		web.up, s.Resume = true, true
		if sum := run(t, s); sum.Kept != 2 || sum.DeadLetters != 0 || sum.StopReason != job.ReasonFrontierEmpty {
			t.Errorf("resumed: %+v", sum)
		}
	})
}

// slowPage is a web with a page that does not answer in time, on hosts that do.
type slowPage struct{}

func (slowPage) RoundTrip(r *http.Request) (*http.Response, error) {
	if path.Base(r.URL.String()) == "slow" {
		return nil, &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}
	}
	web := down{up: true}
	return web.RoundTrip(r)
}

// A page that never answers is a dead letter, and neither an outage nor a host that is down,
// though the crawl has no other host.
func TestSlowPage(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		seeds := []string{"http://up.test/0/slow"} // the first in order
		for n := range 60 {
			seeds = append(seeds, fmt.Sprintf("http://up.test/%d/1", 1+n))
		}
		s := spec(t, seeds...)
		s.Transport, s.Contact, s.Delay = slowPage{}, "https://me.test/", time.Second
		s.Topic.File.Budgets.MaxPagesPerHost = 100
		begun := time.Now()
		sum := run(t, s)
		if sum.Kept != 60 || sum.DeadLetters != 1 || sum.StopReason != job.ReasonFrontierEmpty {
			t.Errorf("%d kept, %d dead letters, ended by %s; want 60, one and an empty frontier", sum.Kept, sum.DeadLetters, sum.StopReason)
		}
		if took := time.Since(begun); took > 5*time.Minute {
			t.Errorf("it took %s", took)
		}
	})
}

// nowhere is a web without hosts until they are there.
type nowhere struct{ there bool }

func (w *nowhere) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.there {
		web := down{up: true}
		return web.RoundTrip(r)
	}
	return nil, &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}
}

// A crawl in which nothing could be reached has not come to its end, and tells the first cause.
// Taken up, it asks again.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		web := new(nowhere)
		s := spec(t, "http://a.test/1", "http://b.test/2")
		s.Transport, s.Contact = web, "https://me.test/"
		for range 2 {
			sum := run(t, s)
			if sum.StopReason != "unreachable" || sum.State != job.Stopped || !strings.Contains(sum.Reason, "no such host") || sum.Rules["dns"] != 2 {
				t.Errorf("%+v", sum)
			}
			status, err := local.NewConsole(s.Dir).Status(t.Context())
			if err != nil || status.StopReason != sum.StopReason || status.Reason != sum.Reason {
				t.Errorf("status %+v, %v; want the reason of the summary", status, err)
			}
			s.Resume = true
		}
		web.there = true
		if sum := run(t, s); sum.StopReason != job.ReasonFrontierEmpty || sum.Kept != 2 || sum.Rules["dns"] != 0 {
			t.Errorf("resumed: %+v", sum)
		}
	})
}
