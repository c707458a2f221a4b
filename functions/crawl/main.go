// The crawl function works on host tasks: lanes of SQS in, WARC segments,
// state and new tasks out.
package main

import (
	"context"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/awslambda"
	"sluice/shared/crawl"
	"sluice/shared/frontier"
	"sluice/shared/worker"
)

const (
	taskTime = 55 * time.Second // of 90
	spare    = 30 * time.Second // for the page at hand and the end
)

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	w := worker.New(worker.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Queue: parts.Queue, Book: parts.Store.Gauge(), Gauge: parts.Store.Gauge(),
		Dead: parts.Queue, Backlog: parts.Store.Backlog(), Leases: parts.Hosts, Robots: parts.Hosts,
		Ledger: parts.Store.Ledger(), History: parts.Store.Ledger(), Totals: parts.Store.Ledger(), Shelves: parts.Shelves(),
	}, worker.Options{
		Manners: parts.Manners, Step: crawl.Options{TaskTime: taskTime, CommitEvery: frontier.MaxLinks}, Log: log,
	})
	tasks := &awslambda.Tasks{
		Handle: func(ctx context.Context, stop <-chan struct{}, tasks []*frontier.Task) []error {
			defer parts.ChargeTasks(ctx, log, tasks)()
			return w.Handle(ctx, stop, tasks)
		},
		Send: parts.Queue.Send, Forward: parts.Forward, Spare: spare,
	}
	lambda.Start(awslambda.SQS(tasks.Records, awslambda.Options{
		DeadLetter: parts.DeadLetter, Delay: parts.Delay, Log: log,
	}))
}
