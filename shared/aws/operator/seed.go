package operator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sluice/shared/fault"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// Seeded is the result of sending an order.
type Seeded struct {
	Stack    string          `json:"stack"`
	Crawl    string          `json:"crawl"`
	Started  bool            `json:"started"`  // a start was requested; sluice status shows when it happens
	Topic    string          `json:"topic"`    // key in the bucket; "" if the crawl exists
	Uploaded bool            `json:"uploaded"` // the topic
	Seeds    int             `json:"seeds"`    // 0: the topic's, or those of the crawl that is refreshed
	Message  json.RawMessage `json:"message"`  // sent to the seed queue; null for none
	Objects  []string        `json:"objects"`  // keys of the objects under seeds/
	Planted  int             `json:"planted"`  // pages taken over from the refreshed crawl
	Refresh  string          `json:"refresh_of,omitempty"`
	Forecast *Forecast       `json:"forecast,omitempty"`
}

// How long to wait for a start before its list can follow.
const (
	startTime = 3 * time.Minute
	startLook = time.Second
)

// Send uploads the topic, sends the message and puts the objects, in that
// order. It may be repeated. A list that starts a crawl waits until the crawl
// exists; waiting, unless nil, is called before that.
func (s *Seeding) Send(ctx context.Context, waiting func()) (*Seeded, error) {
	p := s.o.parts
	out := &Seeded{Stack: p.Resources.Stack, Crawl: s.crawl, Started: s.Starts, Seeds: s.seeds, Message: s.body, Objects: []string{}, Forecast: s.Forecast}
	if s.Starts {
		out.Topic, out.Uploaded = s.shelf.key, s.shelf.data != nil
		if err := s.o.put(ctx, s.shelf); err != nil {
			return nil, err
		}
	}
	if s.Starts && len(s.crawls) > 0 {
		var err error
		out.Refresh = s.crawls[0]
		if out.Planted, err = s.o.takeOver(ctx, s.crawl, s.crawls, limits.RevisitsFrom(s.message.Revisit, s.message.OlderThan, s.o.now()), s.message.RandomSeed != 0); err != nil {
			return nil, fmt.Errorf("take over pages of %s: %w", s.crawls[0], err)
		}
	}
	if s.message != nil {
		if err := p.Forward(ctx, string(s.body)); err != nil {
			return nil, fmt.Errorf("send message: %w", err)
		}
	}
	if s.Starts && len(s.objects) > 0 {
		if waiting != nil {
			waiting()
		}
		if err := s.o.started(ctx, s.crawl); err != nil {
			return nil, err
		}
	}
	for _, obj := range s.objects {
		if err := p.Objects.Put(ctx, obj.key, obj.data, "text/plain"); err != nil {
			return nil, fmt.Errorf("put seeds: %w", err)
		}
		out.Objects = append(out.Objects, obj.key)
	}
	return out, nil
}

// started waits until a crawl exists: seeds sent earlier would start a crawl of
// their own.
func (o *Operator) started(ctx context.Context, id string) error {
	for end := o.now().Add(startTime); ; {
		_, err := o.parts.Jobs.Get(ctx, id)
		if !errors.Is(err, job.ErrUnknown) {
			return err
		}
		if o.now().After(end) {
			return fmt.Errorf("crawl %s was not started within %v: sluice redrive --dry-run tells why; once it exists, send the list with sluice seed without a topic", id, startTime)
		}
		if err := fault.Pause(ctx, startLook); err != nil {
			return err
		}
	}
}
