package assembly

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"sluice/shared/aws/power"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/crawl/keeper"
	"sluice/shared/crawl/step"
	"sluice/shared/state/job"
)

var (
	_ keeper.Structure = Structure{}
	_ step.Analyses    = Structure{}
)

// Structure is the queue of sites that are to be analysed, and the poller of its
// function. It implements keeper.Structure and step.Analyses.
type Structure struct {
	*power.Switch
	*power.Queues
	client sqsqueue.Client
	url    string
}

// newStructure returns the queue; its poller is known only to keeper.
func newStructure(p *Parts, poller *lambda.Client) Structure {
	r := p.Resources
	s := Structure{
		Switch: &power.Switch{Lambda: poller}, Queues: &power.Queues{SQS: p.SQS, URLs: []string{r.StructureQueue}},
		client: p.SQS, url: r.StructureQueue,
	}
	if r.StructureMapping != "" {
		s.Mappings = []string{r.StructureMapping}
	}
	return s
}

// Send implements keeper.Structure.
func (s Structure) Send(ctx context.Context, messages []job.SiteMessage) error {
	bodies := make([]string, len(messages))
	for i := range messages {
		body, err := messages[i].Encode()
		if err != nil {
			return fmt.Errorf("encode message about %s: %w", messages[i].Host, err)
		}
		bodies[i] = string(body)
	}
	if err := sqsqueue.Post(ctx, s.client, s.url, bodies...); err != nil {
		return fmt.Errorf("ask for analyses: %w", err)
	}
	return nil
}

// Ask implements step.Analyses.
func (s Structure) Ask(ctx context.Context, crawl, host string) error {
	return s.Send(ctx, []job.SiteMessage{{Crawl: crawl, Host: host}})
}
