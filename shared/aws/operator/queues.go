package operator

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/console"
)

// Names of the dead-letter queues.
const (
	Frontier  = "frontier"
	Seeds     = "seeds"
	Clean     = "clean"
	Structure = "structure"
)

// namedQueue is a queue of the stack.
type namedQueue struct{ name, url string }

// queueNames returns the stack's queues: the lanes in order of priority, that of
// render if there is one, the other queues, then the dead-letter queues.
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
	if r.RenderQueue != "" {
		all = append(all, namedQueue{"render", r.RenderQueue})
	}
	return append(all,
		namedQueue{Seeds, r.SeedsQueue}, namedQueue{Clean, r.CleanQueue}, namedQueue{Structure, r.StructureQueue},
		namedQueue{Frontier + console.DeadSuffix, r.FrontierDeadQueue},
		namedQueue{Seeds + console.DeadSuffix, r.SeedsDeadQueue}, namedQueue{Clean + console.DeadSuffix, r.CleanDeadQueue},
		namedQueue{Structure + console.DeadSuffix, r.StructureDeadQueue})
}

// laneNames are the lanes of template.yaml.
var laneNames = [...]string{"high", "normal", "low"}

// queues returns the depth of all queues.
func (o *Operator) queues(ctx context.Context) ([]console.Queue, error) {
	names := o.queueNames()
	all := make([]console.Queue, len(names))
	g, ctx := errgroup.WithContext(ctx)
	for i, q := range names {
		g.Go(func() error {
			d, err := sqsqueue.DepthOf(ctx, o.parts.SQS, q.url)
			all[i] = console.Queue{Name: q.name, Waiting: d.Waiting, InFlight: d.InFlight, Delayed: d.Delayed}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return all, nil
}
