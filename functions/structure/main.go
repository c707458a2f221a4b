// The structure function analyses the sites of structured crawls, and takes the second
// look of others. It takes messages from SQS, and writes the files of sites, the records
// of their pages and what second looks have decided to S3.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/gather"
	"sluice/shared/crawl/review"
	"sluice/shared/state/job"
)

// lastTry is the receipt at which structure stops waiting for pages.
const lastTry = 6

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	g := gather.New(gather.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Ledger: parts.Store.Ledger(), Objects: parts.Objects, Sites: parts.Sites, Leases: parts.Hosts,
	}, gather.Options{Lease: 2 * parts.Lease, Wait: parts.Lease / 6, Log: log})
	looks := review.New(review.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Ledger: parts.Store.Ledger(), Objects: parts.Objects, Clean: parts, Leases: parts.Hosts,
	}, review.Options{Lease: 2 * parts.Lease, Wait: parts.Lease / 6, Log: log})
	handler := awslambda.Each(log, func(ctx context.Context, rec awslambda.Record) error {
		m, err := job.ParseSite([]byte(rec.Body))
		if err != nil {
			return err
		}
		defer parts.ChargeCrawl(ctx, log, m.Crawl)()
		if m.Look != 0 {
			return looks.Message(ctx, m, rec.Receives >= lastTry)
		}
		return g.Message(ctx, m, rec.Receives, rec.Receives >= lastTry)
	})
	lambda.Start(parts.Handler(log, awslambda.SQS(handler, awslambda.Options{
		DeadLetter: parts.DeadLetter, Delay: parts.Delay, Log: log,
	})))
}
