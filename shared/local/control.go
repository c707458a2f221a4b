package local

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sluice/shared/console"
	"sluice/shared/local/filecorpus"
	"sluice/shared/state/job"
)

// ControlFile is where other processes leave what the crawl in the folder is to
// do. The crawl looks at it every second.
const ControlFile = "control.json"

// Keys of what the store keeps of the crawl's state.
const (
	pausedKey  = "paused"   // "1" while it waits
	outageKey  = "outage"   // while nothing answers: since when
	stopWhyKey = "stop_why" // what the user said who stopped it
)

// wish is the content of a ControlFile.
type wish struct {
	State  job.State `json:"state"` // to be in: running, paused or stopped
	Reason string    `json:"reason,omitempty"`
}

// lookEvery is how often a crawl looks for a wish, and patience how long a
// control waits until it is obeyed: pages in progress are finished first.
const (
	lookEvery = time.Second
	patience  = time.Minute
)

// readWish reads what the crawl is asked to do; the zero wish means nothing.
func readWish(dir string) (wish, error) {
	var w wish
	data, err := os.ReadFile(filepath.Join(dir, ControlFile))
	if err == nil {
		err = json.Unmarshal(data, &w)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return wish{}, nil
	}
	if err != nil {
		return wish{}, fmt.Errorf("read %s: %w", filepath.Join(dir, ControlFile), err)
	}
	return w, nil
}

// errWish is the cause with which a wish breaks work off.
var errWish = errors.New("another process wants it")

// obey does some work of the crawl until it is done, as the folder's wishes say:
// it breaks the work off while the crawl is to pause, and for good when it is to
// stop. It reports whether the work was done.
func (c *Crawl) obey(ctx, stop context.Context, work func(ctx, stop context.Context) (done bool, err error)) (bool, error) {
	for {
		turn, watched := c.watch(stop)
		done, err := work(ctx, turn)
		w := watched()
		if err != nil || done || stop.Err() != nil {
			return done, err
		}
		if w.State == job.Paused {
			if w, err = c.pause(ctx, stop); err != nil {
				return false, err
			}
		}
		if w.State != job.Running {
			return false, errors.Join(c.note(ctx, stopWhyKey, w.Reason), c.forgetWish())
		}
		// Pages may have been broken off: their tasks and hosts are free again.
		if err := c.recover(ctx); err != nil {
			return false, err
		}
	}
}

// watch returns a context that ends with stop, or when the crawl is to pause or
// stop. Meanwhile it keeps for other processes whether the crawl waits in an outage.
// The function ends the watch and returns that wish, if there was one.
func (c *Crawl) watch(stop context.Context) (context.Context, func() wish) {
	turn, end := context.WithCancelCause(stop)
	watched := make(chan wish, 1)
	go func() {
		w := c.await(turn, func(w wish) bool {
			c.noteOutage(turn)
			return w.State == job.Paused || w.State == job.Stopped
		})
		watched <- w
		if w.State != "" {
			end(errWish)
		}
	}()
	return turn, func() wish {
		end(nil)
		return <-watched
	}
}

// pause waits until the crawl is to continue or to stop.
func (c *Crawl) pause(ctx, stop context.Context) (wish, error) {
	c.spec.Log.WarnContext(ctx, "paused", "continue_with", "sluice resume "+c.spec.Dir)
	if err := c.note(ctx, pausedKey, "1"); err != nil {
		return wish{}, err
	}
	w := c.await(stop, func(w wish) bool { return w.State != job.Paused })
	return w, errors.Join(c.forgetWish(), c.note(context.WithoutCancel(ctx), pausedKey, ""))
}

// await looks at the folder's wish until wanted accepts it, or until ctx ends and it
// returns the zero wish. While a crawl is paused, no wish means to continue.
func (c *Crawl) await(ctx context.Context, wanted func(wish) bool) wish {
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return wish{}
		case <-ticks.C:
		}
		w, err := readWish(c.spec.Dir)
		w.State = cmp.Or(w.State, job.Running)
		switch {
		case err != nil:
			c.spec.Log.WarnContext(ctx, "wish not read; the crawl stays as it is", "err", err)
		case wanted(w):
			return w
		}
	}
}

// noteOutage keeps since when nothing answers.
func (c *Crawl) noteOutage(ctx context.Context) {
	var since string
	if o := c.outage.State(); !o.Since.IsZero() {
		since = o.Since.UTC().Format(time.RFC3339)
	}
	if err := c.note(ctx, outageKey, since); err != nil && ctx.Err() == nil {
		c.spec.Log.WarnContext(ctx, "outage not noted", "err", err)
	}
}

// note keeps a fact about the crawl, unless it is kept already.
func (c *Crawl) note(ctx context.Context, key, value string) error {
	held, _, err := c.store.Meta(ctx, key)
	if err == nil && held != value {
		err = c.store.SetMeta(ctx, key, value)
	}
	return err
}

// forgetWish removes a wish: it was obeyed, or was for a run before this one.
func (c *Crawl) forgetWish() error {
	err := os.Remove(filepath.Join(c.spec.Dir, ControlFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove wish: %w", err)
	}
	return nil
}

// Console looks at the crawl in a folder and steers it. The crawl may run in
// another process.
type Console struct{ dir string }

var (
	_ console.Viewer   = (*Console)(nil)
	_ console.Controls = (*Console)(nil)
)

// NewConsole returns the console of the crawl in a folder.
func NewConsole(dir string) *Console { return &Console{dir} }

// Look implements console.Viewer.
func (c *Console) Look(ctx context.Context) (*console.Status, error) { return c.Status(ctx) }

// Status implements console.Viewer.
func (c *Console) Status(ctx context.Context) (s *console.Status, err error) {
	f, err := OpenFolder(ctx, c.dir)
	if err != nil {
		return nil, err
	}
	s, err = f.Status(ctx)
	return s, errors.Join(err, f.Close())
}

// Explain implements console.Viewer.
func (c *Console) Explain(ctx context.Context, url string) (x *console.Explanation, err error) {
	f, err := OpenFolder(ctx, c.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if x, err = f.Explain(ctx, url); err != nil {
		return nil, err
	}
	if x.Past, err = f.Past(ctx, url); err != nil {
		return nil, err
	}
	x.Constants = f.constants(ctx)
	return x, nil
}

// Pause implements console.Controls.
func (c *Console) Pause(ctx context.Context) (*console.Control, error) {
	return c.steer(ctx, (*job.Job).Pause)
}

// Resume implements console.Controls. It wakes a process that waits; a crawl
// without a process is not started.
func (c *Console) Resume(ctx context.Context) (*console.Control, error) {
	return c.steer(ctx, func(j *job.Job) error {
		if j.State == job.Stopped {
			return &job.StateError{ID: j.ID, Verb: "resume", State: j.State, Reason: j.Reason}
		}
		return j.Resume()
	})
}

// Stop implements console.Controls.
func (c *Console) Stop(ctx context.Context, reason string) (*console.Control, error) {
	return c.steer(ctx, func(j *job.Job) error { return j.Stop(reason) })
}

// steer leaves a wish for the crawl to be in the state that change brings it to,
// and waits until it is.
func (c *Console) steer(ctx context.Context, change func(*job.Job) error) (_ *console.Control, err error) {
	f, err := OpenFolder(ctx, c.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var s console.Summary
	if err := f.readState(ctx, &s); err != nil {
		return nil, err
	}
	j := &job.Job{ID: f.set.Crawl, State: s.State, Reason: s.Reason}
	if err := change(j); err != nil {
		refused, ok := errors.AsType[*job.StateError](err)
		if ok && refused.Verb == "resume" && s.Ended() {
			err = fmt.Errorf("%w; sluice crawl --resume --out %s continues it", err, c.dir)
		}
		return nil, err
	}
	data, err := json.Marshal(wish{j.State, j.Reason})
	if err != nil {
		return nil, fmt.Errorf("encode wish: %w", err)
	}
	if err := filecorpus.Write(filepath.Join(c.dir, ControlFile), append(data, '\n')); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for s.State != j.State && !s.Ended() {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("crawl %s is not %s yet; it will be when the pages in progress are done: %w", j.ID, j.State, ctx.Err())
		case <-time.After(lookEvery / 4):
		}
		s = console.Summary{}
		if err := f.readState(ctx, &s); err != nil {
			return nil, err
		}
	}
	return &console.Control{
		Out: c.dir, Crawl: j.ID, State: s.State, Reason: s.Reason, MaxPages: s.MaxPages, Deadline: s.Deadline,
	}, nil
}
