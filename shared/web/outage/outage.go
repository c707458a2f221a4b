// Package outage distinguishes a host that is down from an outage on our side: of the
// network, a proxy or the resolver. In an outage, requests wait until it is over, and
// nothing counts as a failure of a host.
package outage

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"sluice/shared/fault"
	"sluice/shared/memo"
	"sluice/shared/web/fetch"
)

// Rule is that of a request which has waited in an outage and is to be made later. It
// says nothing about its host. See Of.
const Rule = "outage"

// Times of an outage.
const (
	firstProbe = 5 * time.Second
	mostProbe  = time.Minute
	afterProbe = time.Second // until the host that has answered it is asked for its page
)

// knownHosts is how many hosts are remembered that have answered.
const knownHosts = 1 << 16

// Options bound a Watch.
type Options struct {
	Hold  time.Duration // a request waits so long; then it gets an error with Rule; default 1 min
	Again time.Duration // after which it is to be made again; default 1 s
	Most  time.Duration // an outage may last so long; 0: for ever
	Over  func()        // called once, when it has lasted longer; no request waits any more
	Log   *slog.Logger
}

// Watch is a client that looks at what becomes of requests to all hosts. A host that cannot
// be reached is at fault if it never answered and others have. Else nothing may be reachable:
// the request waits, and each other host is tried once. If one answers, the first is at
// fault. If none does, one request after the other probes, less and less often, and when
// anything answers, all go on. Every other probe asks for the host's robots.txt: the page may be
// at fault, too. A host that fails again after others have answered, or its robots.txt, is at
// fault at once. It is safe for concurrent use.
type Watch struct {
	client fetch.Client
	opts   Options
	known  *memo.Memo[string, struct{}] // hosts that have answered

	mu       sync.Mutex
	any      bool            // host has answered, or does not exist
	got      bool            // a response, of any kind
	first    error           // of the first request that failed
	trial    *trial          // nil: something answers
	suspects map[string]bool // hosts that failed in the last one, and have not answered since
	over     bool
}

// trial is an outage, perhaps. Its fields are guarded by the Watch's mutex.
type trial struct {
	since        time.Time
	cause        error           // of the first failure
	tried        map[string]bool // hosts, since then; true: it has failed
	probed, sure bool            // a probe was made; it has failed
	robots       bool            // it asked for robots.txt; the next asks for a page
	next         time.Time       // a probe, at the earliest
	pause        time.Duration   // before the one after it
	ended        chan struct{}   // closed when something answers, or no request waits any more
}

// New returns a Watch over a client.
func New(client fetch.Client, opts Options) *Watch {
	opts.Hold, opts.Again = cmp.Or(opts.Hold, time.Minute), cmp.Or(opts.Again, time.Second)
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	return &Watch{client: client, opts: opts, known: memo.New[string, struct{}](knownHosts)}
}

// State is what is known of an outage.
type State struct {
	Since time.Time // zero: there is none
	Cause error     // of the first request that failed
}

// State may be called at any time.
func (w *Watch) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trial == nil || !w.trial.sure {
		return State{}
	}
	return State{w.trial.since, w.trial.cause}
}

// Unreached is why the first request failed, nil if there was a response since or before.
func (w *Watch) Unreached() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.got {
		return nil
	}
	return w.first
}

// note takes notice of how a request ended.
func (w *Watch) note(res *fetch.Response, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got = w.got || res != nil
	if w.first == nil {
		w.first = err
	}
}

// Fetch implements fetch.Client.
func (w *Watch) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	host, began := hostOf(r.URL), time.Now()
	hold := time.NewTimer(w.opts.Hold)
	defer hold.Stop()
	w.mu.Lock()
	t := w.trial
	w.mu.Unlock()
	var failure error
	var rest time.Time // before which the host is not asked again
	for {
		ask := r
		if t != nil {
			goes, probes, err := w.wait(ctx, hold.C, t, host, rest)
			if err != nil {
				return nil, err
			}
			if !goes && failure != nil { // of this host: others have answered at once
				return nil, failure
			}
			if probes {
				ask = probeOf(r)
			}
		}
		res, err := w.client.Fetch(ctx, ask)
		if ctx.Err() != nil {
			return res, err
		}
		w.note(res, err)
		if res == nil && unreachable(err) {
			if t = w.failed(ctx, host, began, err); t == nil {
				return nil, err
			}
			failure, rest = err, time.Now().Add(w.gentle())
			continue
		}
		w.answered(ctx, host, ask == r)
		switch {
		case ask == r:
			return res, err
		case failure != nil && !t.sure: // of this page: its host has answered at once
			return nil, failure
		}
		if err := fault.Pause(ctx, afterProbe); err != nil {
			return nil, err
		}
		t = nil
	}
}

// probeOf asks the host of a request for its robots.txt.
func probeOf(r *fetch.Request) *fetch.Request {
	u, err := url.Parse(r.URL)
	if err != nil || u.Path == "/robots.txt" {
		return r
	}
	at := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	return &fetch.Request{URL: at.String(), MaxBody: 1 << 10, AnyType: true}
}

// gentle is the time before the first probe, and after which a host that failed may be asked
// by another.
func (w *Watch) gentle() time.Duration {
	if w.opts.Most > 0 {
		return min(firstProbe, w.opts.Most)
	}
	return firstProbe
}

// wait waits until a request may go: to a host that was not tried yet, as the next probe,
// both not before rest, or since the outage is over. It does not go if something answered
// before it was sure that there is one.
func (w *Watch) wait(ctx context.Context, hold <-chan time.Time, t *trial, host string, rest time.Time) (goes, probes bool, err error) {
	for {
		w.mu.Lock()
		now := time.Now()
		_, tried := t.tried[host]
		pause := rest.Sub(now)
		if tried {
			pause = max(pause, t.next.Sub(now))
		}
		switch {
		case w.over:
			err = w.later(t)
		case w.trial != t:
			goes = t.sure
			w.mu.Unlock()
			return goes, false, nil
		case pause > 0:
		case !tried:
			t.tried[host], goes = false, true
		default:
			t.robots = !t.robots
			t.next, t.probed, goes, probes = now.Add(t.pause), true, true, t.robots
			t.pause = min(2*t.pause, mostProbe)
			if end := t.since.Add(w.opts.Most); now.Before(end) && end.Before(t.next) {
				t.next = end // so that it is over in time
			}
		}
		w.mu.Unlock()
		if goes || err != nil {
			return goes, probes, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-t.ended:
		case <-timer.C:
		case <-hold:
			err = w.later(t)
		case <-ctx.Done():
			err = ctx.Err()
		}
		timer.Stop()
		if err != nil {
			return false, false, err
		}
	}
}

// later is the error of a request which does not wait any longer. Made again, it waits again.
func (w *Watch) later(t *trial) error {
	return fault.NewAfter(w.opts.Again, Rule, fmt.Errorf("nothing answers since %s: %w", t.since.UTC().Format(time.DateTime), t.cause))
}

// answered notes that a host has answered a request or, if it was not that, a probe. It
// ends an outage.
func (w *Watch) answered(ctx context.Context, host string, request bool) {
	now := time.Now()
	w.known.Put(host, struct{}{})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.any = true
	t := w.trial
	ends := t != nil && !w.over
	if ends {
		w.trial, w.suspects = nil, t.tried
		close(t.ended)
	}
	if request {
		delete(w.suspects, host)
	}
	if ends && t.sure {
		w.opts.Log.InfoContext(ctx, "something answers again, the crawl goes on", "host", host, "after", now.Sub(t.since).Round(time.Second))
	}
}

// failed notes that a host could not be reached. It returns the outage that this may be
// due to, nil if the host is at fault.
func (w *Watch) failed(ctx context.Context, host string, began time.Time, cause error) *trial {
	now := time.Now()
	_, known := w.known.Get(host)
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.trial
	switch {
	case t == nil && (w.suspects[host] || !known && w.any):
		delete(w.suspects, host)
		return nil
	case t == nil:
		first := w.gentle()
		w.trial = &trial{
			since: began, cause: cause, tried: map[string]bool{host: true},
			next: now.Add(first), pause: 2 * first, ended: make(chan struct{}),
		}
		return w.trial
	}
	if _, tried := t.tried[host]; tried {
		t.tried[host] = true
	}
	if t.probed && !t.sure {
		t.sure = true
		w.opts.Log.WarnContext(ctx, "nothing answers, the crawl waits", "since", t.since.UTC().Format(time.DateTime), "err", t.cause)
	}
	if t.sure && w.opts.Most > 0 && now.Sub(t.since) >= w.opts.Most && !w.over {
		w.over = true
		close(t.ended)
		if w.opts.Over != nil {
			w.opts.Over()
		}
	}
	return t
}

// Of returns the error of a request that waited in an outage, nil for any other.
func Of(err error) *fault.Error {
	if f := fault.Of(err); f != nil && f.Rule == Rule {
		return f
	}
	return nil
}

// unreachable reports whether an error may be that of an outage. A name that does not
// exist is known not to.
func unreachable(err error) bool {
	f := fault.Of(err)
	return f != nil && f.Class == fault.Retryable && (f.Rule == "connect" || f.Rule == "timeout" || f.Rule == "dns")
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.Hostname()
}
