// Package hosttasks runs the functions that work on host tasks: crawl, and render in an
// image with a browser. They take tasks from SQS queues, and write WARC segments, state
// and new tasks.
package hosttasks

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/crawl/worker"
	"sluice/shared/state/frontier"
)

// Shares of a lease, of 3 min by default. The function's timeout is half of it.
const (
	storeShare = 10.0 / 180 // for the end of the invocation alone
	timeShare  = 90.0 / 180 // the function's timeout
)

// These limits make 256 MB enough for any pages of 40 hosts at once, 2 GB with a browser.
const (
	MaxPage   = 4 << 20 // bytes, as transferred, decoded and shown
	maxSource = 10 << 20
	parsers   = 2       // pages read at a time; a function has a fraction of a core
	cache     = 1 << 17 // URLs remembered of each crawl
)

// Options are what differs between the functions.
type Options struct {
	TaskShare  float64 // of a lease, for which a task takes up pages
	SpareShare float64 // of a lease, for the page in progress and the end

	// Browse returns the browser of a crawl. nil: pages that need one go to the function
	// that has it, if there is one.
	Browse func(m plan.Manners, visitor *plan.Visitor) (step.Browser, error)
}

// Start serves invocations, and does not return.
func Start(parts *assembly.Parts, log *slog.Logger, o Options) {
	share := func(of float64) time.Duration { return time.Duration(float64(parts.Lease) * of) }
	manners := parts.Manners
	manners.MaxPage = MaxPage
	store := parts.Store
	ports := worker.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Queue: parts.Queue, Tracker: store.Gauge(), Gauge: store.Gauge(),
		Dead: parts.Queue, Backlog: store.Backlog(), Orders: store.Backlog(), Leases: parts.Hosts, Robots: parts.Hosts,
		Ledger: store.Ledger(), History: store.Ledger(), Entries: store.Ledger(), Totals: store.Ledger(),
		Spend: parts, Coverages: parts.Coverages, Outputs: parts.Outputs(), Analyses: parts.Structure,
		Browse: o.Browse,
	}
	w := worker.New(ports, worker.Options{
		Manners: manners, Log: log, Reserve: share(storeShare), ClearTime: share(timeShare),
		Step: step.Options{
			TaskTime: share(o.TaskShare), LeaseTime: parts.Lease, CommitEvery: frontier.MaxLinks,
			MaxSource: maxSource, Parsers: parsers, Cache: cache,
			HandOver: o.Browse == nil && parts.Resources.RenderQueue != "",
		},
	})
	tasks := &awslambda.Tasks{
		Handle: func(ctx context.Context, stop <-chan struct{}, tasks []*frontier.Task) []error {
			defer parts.ChargeTasks(ctx, log, tasks)()
			return w.Handle(ctx, stop, tasks)
		},
		Send: parts.Queue.Send, Forward: parts.Forward, Spare: share(o.SpareShare),
	}
	lambda.Start(parts.Handler(log, awslambda.SQS(tasks.Records, awslambda.Options{
		DeadLetter: parts.DeadLetter, Delay: parts.Delay, Log: log,
	})))
}
