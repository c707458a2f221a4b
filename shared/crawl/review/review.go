// Package review takes the second look of a crawl on a stack, when it has ended and its
// segments are cleaned. It judges the pages by package secondlook, and stores what it has
// decided as one object, by which clean then makes the segments again that it concerns.
//
// The object is all of the decision. Until it is there nothing has changed in the corpus,
// and a call that was killed decides the same again; from then on each cleaning has the
// same result.
package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/secondlook"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/web/hosts"
)

// Ports are the dependencies of a Reviewer.
type Ports struct {
	Jobs    job.Registry
	Topics  Topics
	Ledger  Ledger
	Objects Objects
	Clean   Clean
	Leases  hosts.Leases // of the second look of a crawl, as if it were a host
}

// Topics reads topics by their name in the stack.
type Topics interface {
	Get(ctx context.Context, key string) (*topic.Compiled, error)
}

// Ledger has the ends of URLs.
type Ledger interface {
	// Entries returns the entry of each URL, in order, nil if there is none.
	Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error)
	ledger.Accepter
}

// Objects is the bucket.
type Objects interface {
	clean.Opener
	// Sized returns the keys with a prefix, in order, and how many bytes their objects have.
	Sized(ctx context.Context, prefix string) (keys []string, bytes int64, err error)
	Put(ctx context.Context, key string, data []byte, contentType string) error
}

// Clean has segments cleaned.
type Clean interface {
	// CleanAll sends a message for each segment, by its key.
	CleanAll(ctx context.Context, keys []string) error
}

// Options bound a Reviewer. Zero values mean the defaults.
type Options struct {
	MaxPages int           // with texts, of a crawl that is judged; default 20,000
	MaxBytes int64         // of its objects, which are read into memory; default 512 MiB
	Lease    time.Duration // longer than a call may take; default 6 min
	Wait     time.Duration // for segments that are not cleaned; default 30 s
	Log      *slog.Logger
}

// Reviewer carries out messages. It is safe for concurrent use.
type Reviewer struct {
	ports Ports
	opts  Options
}

// New returns a reviewer.
func New(ports Ports, opts Options) *Reviewer {
	opts.MaxPages = cmp.Or(opts.MaxPages, 20_000)
	opts.MaxBytes = cmp.Or(opts.MaxBytes, 512<<20)
	opts.Lease = cmp.Or(opts.Lease, 6*time.Minute)
	opts.Wait = cmp.Or(opts.Wait, 30*time.Second)
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	return &Reviewer{ports: ports, opts: opts}
}

// Message carries out a message that asks for a second look; with last set there are no
// more deliveries of it. Of a crawl that goes on again it decides nothing. A crawl is judged
// by one message at a time: another would read what clean is making of its decisions.
func (r *Reviewer) Message(ctx context.Context, m *job.SiteMessage, last bool) error {
	err := hosts.Alone(ctx, r.ports.Leases, m.Crawl, "structure/second-look/"+m.Crawl, r.opts.Lease, r.opts.Log, func() error {
		return r.take(ctx, m, last)
	})
	if busy, ok := errors.AsType[*hosts.BusyError](err); ok {
		return fault.NewAfter(max(time.Until(busy.Until), time.Second), "look_busy", fmt.Errorf("crawl %s is being judged: %w", m.Crawl, err))
	}
	return err
}

func (r *Reviewer) take(ctx context.Context, m *job.SiteMessage, last bool) error {
	j, err := job.Asked(ctx, r.ports.Jobs, m.Crawl, "second look at")
	if err != nil {
		return err
	}
	if j.Look.Made >= m.Look {
		return nil
	}
	look, err := clean.ReadLook(ctx, r.ports.Objects, j.ID)
	if err != nil {
		return err
	}
	left := ""
	if look.Number != m.Look { // else a call that was killed has decided
		if j.State != job.Done {
			return nil
		}
		v := &review{Reviewer: r, job: j, last: last, before: look, look: &clean.Look{Number: m.Look, Segments: map[string]clean.Decisions{}}}
		if left, err = v.run(ctx); err != nil {
			return fmt.Errorf("second look at crawl %s: %w", j.ID, err)
		}
		if left == "" {
			look = v.look
		} else {
			r.opts.Log.WarnContext(ctx, "no second look", "crawl", j.ID, "reason", left)
		}
	}
	if left == "" {
		if err := r.ports.Clean.CleanAll(ctx, look.Keys(j.ID)); err != nil {
			return fmt.Errorf("have the segments of crawl %s cleaned: %w", j.ID, err)
		}
	}
	_, err = r.ports.Jobs.Update(ctx, j.ID, func(now *job.Job) error {
		now.Look.Made, now.Look.Left, now.Look.Refused = m.Look, left, look.Refused()
		return nil
	})
	return err
}

// review is a second look.
type review struct {
	*Reviewer
	job  *job.Job
	last bool

	before, look *clean.Look
	reader       *reading.Reader
	judge        *secondlook.Look
	pages        *Pages

	accepted []ledger.Accepted
}

// run decides, and stores what it has decided. It returns why it leaves the crawl as it is.
func (v *review) run(ctx context.Context) (left string, err error) {
	t, err := v.ports.Topics.Get(ctx, v.job.Topic)
	if err != nil {
		return "", fmt.Errorf("read topic: %w", err)
	}
	params, err := plan.Of(v.job, t)
	if err != nil {
		return "", fault.New(fault.Poison, "bad_crawl", err)
	}
	planned, err := params.Plan()
	if err != nil {
		return "", fault.New(fault.Poison, "bad_crawl", err)
	}
	if v.reader = planned.Reader; !v.reader.Hold {
		return "the topic's strategy judges no texts", nil
	}
	if left, err = v.load(ctx); err != nil || left != "" {
		return left, err
	}
	v.judge, err = secondlook.Learn(ctx, params.Topic, v.reader.Language, v.pages.Crawl())
	if err != nil {
		return "", err
	}
	if v.judge == nil {
		v.look.Result = v.before.Result
		maps.Copy(v.look.Segments, v.before.Segments) // what was decided before stays
	} else if err := v.decide(ctx); err != nil {
		return "", err
	}
	if err := v.ports.Ledger.Accept(ctx, v.job.ID, reading.RuleSecondLook, v.accepted); err != nil {
		return "", err
	}
	v.look.At = time.Now().UTC()
	data, err := json.Marshal(v.look)
	if err != nil {
		return "", fmt.Errorf("encode look: %w", err)
	}
	return "", v.ports.Objects.Put(ctx, clean.LookKey(v.job.ID), data, "application/json")
}

// load reads what is to be judged, unless it is too much.
func (v *review) load(ctx context.Context) (left string, err error) {
	crawls := v.job.Refreshed()
	slices.Reverse(crawls)
	var all []string
	var bytes int64
	cleaned := map[string]bool{}
	for _, folder := range []string{corpus.DocumentFolder, corpus.RejectFolder, corpus.RawFolder} {
		for _, id := range crawls {
			prefix := folder + "/" + id + "/"
			keys, size, err := v.ports.Objects.Sized(ctx, prefix)
			if err != nil {
				return "", fmt.Errorf("list %s: %w", prefix, err)
			}
			if bytes += size; bytes > v.opts.MaxBytes {
				return fmt.Sprintf("its objects have more than %d MiB", v.opts.MaxBytes>>20), nil
			}
			for _, key := range keys {
				name := strings.TrimPrefix(key, prefix)
				if folder == corpus.RawFolder && id == v.job.ID && name != "" && !cleaned[clean.LinesName(name)] && !v.last {
					return "", fault.NewAfter(v.opts.Wait, "uncleaned", fmt.Errorf("segment %s is not cleaned", name))
				}
				cleaned[name] = true
			}
			all = append(all, keys...)
		}
	}
	if v.pages, err = Read(ctx, v.ports.Objects, crawls, all); err != nil {
		return "", err
	}
	n, err := v.pages.texts(ctx)
	if err == nil && n > v.opts.MaxPages {
		left = fmt.Sprintf("it has %d pages with texts, more than %d", n, v.opts.MaxPages)
	}
	return left, err
}
