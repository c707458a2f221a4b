// The clean function makes the corpus from raw segments. It takes events of S3
// from SQS, and writes documents and rejects.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/clean"
)

// lastTry is the receipt at which clean stops waiting for ends: all waits
// together are as long as the time of an invocation that may still write the
// ends of a segment's pages, half a lease.
const lastTry = 5

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	c := clean.New(clean.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Ends: parts.Store.Ends(), Objects: parts.Objects,
		Lessons: parts.Lessons, Cleanings: parts.Lessons, Again: parts,
	}, clean.Options{Wait: parts.Lease / (2 * (lastTry - 1)), Log: log})
	handler := awslambda.Each(log, func(ctx context.Context, rec awslambda.Record) error {
		return awslambda.EachObject(rec, func(key string) error {
			defer parts.ChargeObject(ctx, log, key)()
			return c.Segment(ctx, key, rec.Receives >= lastTry)
		})
	})
	lambda.Start(parts.Handler(log, awslambda.SQS(handler, awslambda.Options{
		DeadLetter: parts.DeadLetter, Delay: parts.Delay, Log: log,
	})))
}
