package local_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/local"
	"sluice/shared/state/job"
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

// slowSpec is a crawl of such a web.
func slowSpec(t *testing.T) (local.Spec, *slowly) {
	t.Helper()
	web := &slowly{asked: make(chan struct{}, 1)}
	s := spec(t, "http://slow.test/page")
	s.Transport, s.Contact, s.MaxDuration = web, "https://me.test/", time.Hour
	return s, web
}

// ended is how a run came to its end.
type ended struct {
	sum *local.Summary
	err error
}

// opened opens a crawl. The test closes it.
func opened(t *testing.T, s local.Spec) *local.Crawl {
	t.Helper()
	c := open(t, s)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// begin runs a crawl in the background.
func begin(t *testing.T, c *local.Crawl) <-chan ended {
	t.Helper()
	done := make(chan ended, 1)
	go func() {
		sum, err := c.Run(t.Context(), t.Context())
		done <- ended{sum, err}
	}()
	return done
}

// A pause aborts a page that takes long. It is requested again as soon as the
// crawl continues, not when the lease on its host and the delivery run out.
func TestPauseInSlowPage(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		s, web := slowSpec(t)
		done := begin(t, opened(t, s))
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

// wish leaves a wish to stop for the crawl in a folder.
func wish(t *testing.T, dir, reason string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	data := fmt.Sprintf(`{"state":"stopped","reason":%q}`, reason)
	if err := os.WriteFile(filepath.Join(dir, local.ControlFile), []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A wish is obeyed as soon as the folder says that the crawl is running, though
// its engine is not yet. One that was there before is not.
func TestStopAtStart(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		s, _ := slowSpec(t)
		wish(t, s.Dir, "for another")
		c := opened(t, s)
		f := folder(t, s.Dir)
		if st, err := f.Status(t.Context()); err != nil || st.State != job.Running {
			t.Errorf("status after it was opened: %+v, %v", st, err)
		}
		if _, err := os.Stat(filepath.Join(s.Dir, local.ControlFile)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the wish for the run before: %v", err)
		}
		wish(t, s.Dir, "enough")
		end := <-begin(t, c)
		if end.err != nil || end.sum.State != job.Stopped || end.sum.Reason != "enough" {
			t.Errorf("ended as %+v", end)
		}
	})
}

// A pause interrupts the work on the corpus, too. It begins again when the
// crawl continues.
func TestPauseWhileFinishing(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		s, _ := slowSpec(t)
		c := opened(t, s)
		passes, ended := make(chan bool, 2), make(chan error, 1)
		go func() {
			left, err := c.Conclude(t.Context(), t.Context(), func(_, stop context.Context) (bool, error) {
				if passes <- true; len(passes) == 2 {
					return false, nil
				}
				<-stop.Done()
				return true, nil
			})
			if left {
				err = errors.Join(err, errors.New("it was not done"))
			}
			ended <- err
		}()
		console := local.NewConsole(s.Dir)
		if _, err := console.Pause(t.Context()); err != nil {
			t.Fatal(err)
		}
		if st, err := console.Status(t.Context()); err != nil || st.State != job.Paused {
			t.Errorf("status: %+v, %v", st, err)
		}
		if _, err := console.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := waitFor(t, ended); err != nil || len(passes) != 2 {
			t.Errorf("%d passes, %v", len(passes), err)
		}
	})
}

// A wish to stop interrupts the work on the corpus at the end of a crawl.
func TestStopWhileFinishing(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		s, _ := slowSpec(t)
		c := opened(t, s)
		wish(t, s.Dir, "enough")
		left, err := c.Conclude(t.Context(), t.Context(), func(_, stop context.Context) (bool, error) {
			<-stop.Done()
			return true, nil
		})
		if !left || err != nil {
			t.Errorf("left %v, error %v", left, err)
		}
		if _, err := os.Stat(filepath.Join(s.Dir, local.ControlFile)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the wish that was obeyed: %v", err)
		}
	})
}
