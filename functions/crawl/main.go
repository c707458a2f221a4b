// The crawl function works on host tasks. It takes them from the SQS queues of
// the lanes, and writes WARC segments, state and new tasks.
package main

import (
	"context"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/step"
	"sluice/shared/crawl/worker"
	"sluice/shared/state/frontier"
)

// Shares of a lease, of 3 min by default. The function's timeout is half of it.
const (
	taskShare  = 55.0 / 180 // for which a task takes up pages
	spareShare = 30.0 / 180 // for the page in progress and the end
	storeShare = 10.0 / 180 // for the end of the invocation alone
	timeShare  = 90.0 / 180 // the function's timeout
)

// These limits make 256 MB enough for any pages of 40 hosts at once.
const (
	maxPage   = 4 << 20 // bytes, as transferred and decoded
	maxSource = 10 << 20
	parsers   = 2       // pages read at a time; a function has a fraction of a core
	cache     = 1 << 17 // URLs remembered of each crawl
)

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	manners := parts.Manners
	manners.MaxPage = maxPage
	w := worker.New(worker.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Queue: parts.Queue, Tracker: parts.Store.Gauge(), Gauge: parts.Store.Gauge(),
		Dead: parts.Queue, Backlog: parts.Store.Backlog(), Orders: parts.Store.Backlog(), Leases: parts.Hosts, Robots: parts.Hosts,
		Ledger: parts.Store.Ledger(), History: parts.Store.Ledger(), Entries: parts.Store.Ledger(), Totals: parts.Store.Ledger(), Spend: parts, Coverages: parts.Coverages, Outputs: parts.Outputs(),
		Analyses: parts.Structure,
	}, worker.Options{
		Manners: manners, Log: log, Reserve: share(parts.Lease, storeShare), ClearTime: share(parts.Lease, timeShare),
		Step: step.Options{
			TaskTime: share(parts.Lease, taskShare), LeaseTime: parts.Lease, CommitEvery: frontier.MaxLinks,
			MaxSource: maxSource, Parsers: parsers, Cache: cache, HandOver: parts.Resources.RenderQueue != "",
		},
	})
	tasks := &awslambda.Tasks{
		Handle: func(ctx context.Context, stop <-chan struct{}, tasks []*frontier.Task) []error {
			defer parts.ChargeTasks(ctx, log, tasks)()
			return w.Handle(ctx, stop, tasks)
		},
		Send: parts.Queue.Send, Forward: parts.Forward, Spare: share(parts.Lease, spareShare),
	}
	lambda.Start(parts.Handler(log, awslambda.SQS(tasks.Records, awslambda.Options{
		DeadLetter: parts.DeadLetter, Delay: parts.Delay, Log: log,
	})))
}

func share(d time.Duration, of float64) time.Duration { return time.Duration(float64(d) * of) }
