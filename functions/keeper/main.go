// The keeper function looks after the crawls of the stack, once a minute: it
// feeds the queues from the backlog, changes the strategy of crawls that adapt, ends
// crawls, and switches the stack off after the last one.
package main

import (
	"context"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/keeper"
	"sluice/shared/crawl/learning"
)

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	k := keeper.New(keeper.Ports{
		Jobs: parts.Jobs, Totals: parts.Store.Ledger(), Coverages: parts.Coverages, Spend: parts, Hosts: parts.Store.Gauge(),
		Backlog: parts.Store.Backlog(), Queue: parts.Queue, Gauge: parts.Store.Gauge(),
		Queues: parts.Queues, Switch: parts.Switch, Structure: parts.Structure,
		Learner: learning.New(learning.Ports{Topics: parts.Topics, Objects: parts.Objects}, log),
	}, keeper.Options{LostAfter: parts.Lease, Log: log})
	lambda.Start(parts.Handler(log, awslambda.Schedule(func(ctx context.Context, _ time.Time) error {
		return k.Look(ctx)
	}, awslambda.Options{Log: log})))
}
