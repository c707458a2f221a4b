package s3corpus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"sluice/shared/fault"
	"sluice/shared/topic"
)

const (
	topicAge   = time.Minute      // how long a topic counts as current
	topicTime  = 30 * time.Second // for one to be read, with all retries
	maxTopics  = 8                // that are kept: a crawl has two, one with words that it has learned
	topicBytes = 64 << 20         // of a topic file or artifact
)

// Rules of the faults of topics.
const (
	RuleNoTopic  = "no_topic"
	RuleBadTopic = "bad_topic"
)

// Topics reads compiled topics or topic files from a bucket and caches those
// used last. It is safe for concurrent use.
type Topics struct {
	objects *Objects
	now     func() time.Time
	flights singleflight.Group

	mu   sync.Mutex
	kept map[string]*kept
}

// kept is a cached object: a topic, or the error of reading one.
type kept struct {
	etag    string
	topic   *topic.Compiled
	err     error
	checked time.Time
	used    time.Time
}

// NewTopics returns the topics among objects. now is the clock, nil for the
// real one.
func NewTopics(objects *Objects, now func() time.Time) *Topics {
	if now == nil {
		now = time.Now
	}
	return &Topics{objects: objects, now: now, kept: map[string]*kept{}}
}

// Get returns the topic at a key, at most a minute old. It is shared and must
// not be changed. A missing object is a Permanent fault of RuleNoTopic, one
// that is not a topic for this program of RuleBadTopic; other errors have the
// classes of package awsfault.
func (t *Topics) Get(ctx context.Context, key string) (*topic.Compiled, error) {
	if k := t.current(key); k != nil {
		return k.topic, k.err
	}
	flight := t.flights.DoChan(key, func() (any, error) {
		if k := t.current(key); k != nil { // read since
			return k.topic, k.err
		}
		// Not with the context of one caller: the others wait for it as well.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), topicTime)
		defer cancel()
		return t.refresh(ctx, key)
	})
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("get topic %s: %w", key, ctx.Err())
	case result := <-flight:
		compiled, _ := result.Val.(*topic.Compiled) // nil with an error
		return compiled, result.Err
	}
}

// current returns the cached object of a key if it is recent enough.
func (t *Topics) current(key string) *kept {
	t.mu.Lock()
	defer t.mu.Unlock()
	k, now := t.kept[key], t.now()
	if k == nil || now.Sub(k.checked) >= topicAge {
		return nil
	}
	k.used = now
	return k
}

// refresh reads the object unless it is the cached one.
func (t *Topics) refresh(ctx context.Context, key string) (*topic.Compiled, error) {
	t.mu.Lock()
	old := t.kept[key]
	t.mu.Unlock()
	known := ""
	if old != nil {
		known = old.etag
	}
	now := t.now()
	data, etag, err := t.objects.get(ctx, key, known, topicBytes)
	switch {
	case errors.Is(err, errUnchanged) && old != nil:
		return t.keep(key, &kept{etag: old.etag, topic: old.topic, err: old.err, checked: now, used: now})
	case errors.Is(err, ErrNotFound):
		t.forget(key)
		return nil, fault.New(fault.Permanent, RuleNoTopic, fmt.Errorf("the bucket has no topic %s: upload it", key))
	case err != nil:
		return nil, fmt.Errorf("get topic: %w", err)
	}
	compiled, err := topic.Read(key, data)
	if err != nil {
		err = fault.New(fault.Permanent, RuleBadTopic, fmt.Errorf("read topic: %w", err))
	}
	return t.keep(key, &kept{etag: etag, topic: compiled, err: err, checked: now, used: now})
}

// keep caches an object. If there are too many it replaces the one used longest
// ago.
func (t *Topics) keep(key string, k *kept) (*topic.Compiled, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept[key] = k
	if len(t.kept) > maxTopics {
		oldest := key
		for other, k := range t.kept {
			if other != key && (oldest == key || k.used.Before(t.kept[oldest].used)) {
				oldest = other
			}
		}
		delete(t.kept, oldest)
	}
	return k.topic, k.err
}

func (t *Topics) forget(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.kept, key)
}
