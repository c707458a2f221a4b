package operator

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"sluice/shared/aws/sqsqueue"
)

// Queue is how many messages a queue holds, as far as SQS knows: it may be
// behind by a minute.
type Queue struct {
	Name     string `json:"queue"` // frontier_high … clean_dead
	Waiting  int    `json:"waiting"`
	InFlight int    `json:"in_flight"`
	Delayed  int    `json:"delayed"`
}

// Messages returns all of them.
func (q *Queue) Messages() int { return q.Waiting + q.InFlight + q.Delayed }

// Dead reports whether its messages are dead letters.
func (q *Queue) Dead() bool { return strings.HasSuffix(q.Name, deadSuffix) }

// The queues of dead letters, by what they are the dead letters of.
const (
	Frontier = "frontier"
	Seeds    = "seeds"
	Clean    = "clean"
)

const deadSuffix = "_dead"

// namedQueue is a queue of the stack.
type namedQueue struct{ name, url string }

// queueNames returns the stack's queues: lanes, best first, then the others,
// then those of dead letters.
func (o *Operator) queueNames() []namedQueue {
	r := o.parts.Resources
	var all []namedQueue
	for i, url := range r.FrontierQueues {
		lane := fmt.Sprint(i + 1)
		if len(r.FrontierQueues) == len(laneNames) {
			lane = laneNames[i]
		}
		all = append(all, namedQueue{Frontier + "_" + lane, url})
	}
	return append(all,
		namedQueue{Seeds, r.SeedsQueue}, namedQueue{Clean, r.CleanQueue},
		namedQueue{Frontier + deadSuffix, r.FrontierDeadQueue},
		namedQueue{Seeds + deadSuffix, r.SeedsDeadQueue}, namedQueue{Clean + deadSuffix, r.CleanDeadQueue})
}

// laneNames are those of template.yaml.
var laneNames = [...]string{"high", "normal", "low"}

// queues asks for the depth of all queues.
func (o *Operator) queues(ctx context.Context) ([]Queue, error) {
	names := o.queueNames()
	all := make([]Queue, len(names))
	g, ctx := errgroup.WithContext(ctx)
	for i, q := range names {
		g.Go(func() error {
			d, err := sqsqueue.DepthOf(ctx, o.parts.SQS, q.url)
			all[i] = Queue{Name: q.name, Waiting: d.Waiting, InFlight: d.InFlight, Delayed: d.Delayed}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return all, nil
}
