package assembly

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/aws/awsfault"
	"sluice/shared/aws/awslambda"
	"sluice/shared/aws/s3corpus"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// maxSeeds is the largest size of an object under seeds/, in bytes.
const maxSeeds = 50 << 20

// DeadLetter puts a record into the dead-letter queue of its queue. It refuses
// a record of a queue that the stack does not have, from a sample event or a
// foreign mapping: its letter could not be sent back, so the record fails and
// stays in its queue.
func (p *Parts) DeadLetter(ctx context.Context, rec awslambda.Record, reason, class string) error {
	l := sqsqueue.Letter{Body: rec.Body, Reason: reason, Class: class, Source: rec.Queue}
	switch url := p.Resources.Queue(rec.Queue); {
	case url == "":
	case url == p.Resources.SeedsQueue:
		return sqsqueue.NewDead(p.SQS, p.Resources.SeedsDeadQueue, url).Put(ctx, l)
	case url == p.Resources.CleanQueue:
		return sqsqueue.NewDead(p.SQS, p.Resources.CleanDeadQueue, url).Put(ctx, l)
	case url == p.Resources.StructureQueue:
		return sqsqueue.NewDead(p.SQS, p.Resources.StructureDeadQueue, url).Put(ctx, l)
	case url == p.Resources.RenderQueue, slices.Contains(p.Resources.FrontierQueues, url):
		return p.Queue.Discard(ctx, l)
	}
	return fmt.Errorf("bury record: no queue %q with dead letters in the stack", rec.Queue)
}

// Delay makes a record visible again after d.
func (p *Parts) Delay(ctx context.Context, rec awslambda.Record, d time.Duration) error {
	url := p.Resources.Queue(rec.Queue)
	if url == "" {
		return fmt.Errorf("delay record: no queue %q in the stack", rec.Queue)
	}
	return sqsqueue.Hide(ctx, p.SQS, url, rec.Receipt, d)
}

// Forward sends a message to the seed queue.
func (p *Parts) Forward(ctx context.Context, body string) error {
	_, err := p.SQS.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: aws.String(p.Resources.SeedsQueue), MessageBody: aws.String(body)})
	return awsfault.Wrap("forward message to seeds", err)
}

// Seeds reads objects under seeds/.
func (p *Parts) Seeds() Seeds { return Seeds{p.Objects} }

// Seeds implements seeding.Objects.
type Seeds struct{ objects *s3corpus.Objects }

// Get returns an object of up to 50 MiB.
func (s Seeds) Get(ctx context.Context, key string) ([]byte, error) {
	return s.objects.Get(ctx, key, maxSeeds)
}

// Outputs returns the segments as the worker sees them.
func (p *Parts) Outputs() Outputs { return Outputs{p.Segments} }

// Outputs implements worker.Outputs.
type Outputs struct{ segments *s3corpus.Segments }

// Begin implements worker.Outputs.
func (s Outputs) Begin(crawl string, tasks int) (done func()) {
	return s.segments.Begin(crawl, tasks).Done
}

// Corpus implements worker.Outputs.
func (s Outputs) Corpus(crawl string) corpus.Store { return s.segments.Store(crawl) }

// Decisions implements worker.Outputs.
func (s Outputs) Decisions(string) ledger.Decisions { return s.segments }

// ChargeTasks starts measuring the work on tasks. The function it returns ends
// that and books the usage.
func (p *Parts) ChargeTasks(ctx context.Context, log *slog.Logger, tasks []*frontier.Task) func() {
	work := map[string]int{}
	for _, t := range tasks {
		if job.CheckID(t.Crawl) == nil { // anyone may have sent the message
			work[t.Crawl] += len(t.Links)
		}
	}
	return p.charge(ctx, log, work)
}

// ChargeObject does the same for the work on an object of a crawl.
func (p *Parts) ChargeObject(ctx context.Context, log *slog.Logger, key string) func() {
	if parts := strings.SplitN(key, "/", 3); len(parts) == 3 {
		return p.ChargeCrawl(ctx, log, parts[1])
	}
	return func() {}
}

// ChargeCrawl does the same for work on a crawl alone.
func (p *Parts) ChargeCrawl(ctx context.Context, log *slog.Logger, id string) func() {
	work := map[string]int{}
	if job.CheckID(id) == nil {
		work[id] = 1
	}
	return p.charge(ctx, log, work)
}

// chargeTime is how long booking may take: less than the margin that the edge
// keeps of an invocation's time.
const chargeTime = 3 * time.Second

func (p *Parts) charge(ctx context.Context, log *slog.Logger, work map[string]int) func() {
	began := time.Now()
	return func() {
		memory, err := strconv.Atoi(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
		if err != nil {
			memory = 0 // not in Lambda
		}
		// Book timed-out invocations too: they cost most.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), chargeTime)
		defer cancel()
		if err := p.Charge(ctx, work, began, memory); err != nil {
			log.WarnContext(ctx, "spend not booked", "error", err)
		}
	}
}
