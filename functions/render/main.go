// The render function works on host tasks as the crawl function does, for pages that need
// a browser: it runs in an image that has one.
package main

import (
	"context"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/browse"
	"sluice/shared/crawl/step"
	"sluice/shared/crawl/worker"
	"sluice/shared/state/frontier"
)

// Shares of a lease, of 3 min by default. The function's timeout is half of it.
const (
	taskShare  = 40.0 / 180 // for which a task takes up pages
	spareShare = 45.0 / 180 // for the page in progress and the end
	storeShare = 10.0 / 180 // for the end of the invocation alone
	timeShare  = 90.0 / 180 // the function's timeout
)

// These limits go with 2 GB, of which the browser takes the most.
const (
	maxPage   = 4 << 20 // bytes, as transferred, decoded and shown
	maxSource = 10 << 20
	parsers   = 2
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
	browsers := &browse.Browsers{Path: os.Getenv("SLUICE_BROWSER"), MaxHTML: maxPage}
	if err := browsers.Check(); err != nil {
		awslambda.Fail(log, err)
	}
	w := worker.New(worker.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Queue: parts.Queue, Tracker: parts.Store.Gauge(), Gauge: parts.Store.Gauge(),
		Dead: parts.Queue, Backlog: parts.Store.Backlog(), Orders: parts.Store.Backlog(), Leases: parts.Hosts, Robots: parts.Hosts,
		Ledger: parts.Store.Ledger(), History: parts.Store.Ledger(), Entries: parts.Store.Ledger(), Totals: parts.Store.Ledger(), Spend: parts, Coverages: parts.Coverages, Outputs: parts.Outputs(),
		Analyses: parts.Structure,
		Browse:   browsers.Browse,
	}, worker.Options{
		Manners: manners, Log: log, Reserve: share(parts.Lease, storeShare), ClearTime: share(parts.Lease, timeShare),
		Step: step.Options{
			TaskTime: share(parts.Lease, taskShare), LeaseTime: parts.Lease, CommitEvery: frontier.MaxLinks,
			MaxSource: maxSource, Parsers: parsers, Cache: cache,
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
