package local_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/local"
)

// slowly is a web of one page, which it answers only the second time it is asked.
type slowly struct {
	asked chan struct{}
	times atomic.Int64
}

func (w *slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Request: r, Body: http.NoBody}
	if !strings.HasSuffix(r.URL.String(), "/page") {
		return resp, nil
	}
	if w.times.Add(1) == 1 {
		w.asked <- struct{}{}
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	resp.StatusCode, resp.Body = http.StatusOK, io.NopCloser(strings.NewReader("<title>股市</title>"+text("/")))
	return resp, nil
}

// ended is how a run came to its end.
type ended struct {
	sum *local.Summary
	err error
}

// begin opens a crawl and runs it in the background. The test closes it.
func begin(t *testing.T, s local.Spec) <-chan ended {
	t.Helper()
	c, done := open(t, s), make(chan ended, 1)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	go func() {
		sum, err := c.Run(t.Context(), t.Context())
		done <- ended{sum, err}
	}()
	return done
}

// A pause breaks off a page that takes long. It is asked for again as soon as the
// crawl goes on, not when the lease on its host and the delivery run out.
func TestPauseInSlowPage(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		web := &slowly{asked: make(chan struct{}, 1)}
		s := spec(t, "http://slow.test/page")
		s.Transport, s.Contact, s.MaxDuration = web, "https://me.test/", time.Hour
		done := begin(t, s)
		console := local.NewConsole(s.Dir)
		waitFor(t, web.asked)
		if _, err := console.Pause(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := console.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		resumed := time.Now()
		if end := <-done; end.err != nil || end.sum.Kept != 1 {
			t.Errorf("after the pause: %+v", end)
		}
		if d := time.Since(resumed); d > time.Minute {
			t.Errorf("the page was asked for again %v after the pause", d)
		}
	})
}
