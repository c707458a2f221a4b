package local_test

import (
	"io"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/bubble"
	"sluice/shared/console"
	"sluice/shared/local"
)

// down is a web whose pages fail until it is up.
type down struct{ up bool }

func (w *down) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Request: r, Body: http.NoBody}
	switch {
	case len(path.Base(r.URL.String())) != len("1"):
	case !w.up:
		resp.StatusCode = http.StatusInternalServerError
	default:
		resp.StatusCode, resp.Body = http.StatusOK, io.NopCloser(strings.NewReader("<title>股市</title>"+text(r.URL.String())))
	}
	return resp, nil
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
