// The seed function starts crawls and gives them seeds. It takes messages, bare
// URLs and events of S3 from SQS, and sends tasks.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/seeding"
)

func main() {
	log := awslambda.NewLogger(os.Stdout, os.Getenv)
	parts, err := assembly.Load(context.Background(), os.Getenv)
	if err != nil {
		awslambda.Fail(log, err)
	}
	s := seeding.New(seeding.Ports{
		Jobs: parts.Jobs, Topics: parts.Topics, Objects: parts.Seeds(), Ledger: parts.Store.Ledger(),
		Backlog: parts.Store.Backlog(), Queue: parts.Queue, Gauge: parts.Store.Gauge(), Switch: parts.Switch,
	}, seeding.Options{
		MaxPages: parts.Resources.MaxPages, Delay: parts.Resources.Delay, Manners: parts.Manners, Log: log,
	})
	handler := awslambda.Each(log, func(ctx context.Context, rec awslambda.Record) error {
		err := awslambda.EachObject(rec, func(key string) error { return s.Object(ctx, key) })
		if errors.Is(err, awslambda.ErrNotS3Event) {
			return s.Message(ctx, []byte(rec.Body))
		}
		return err
	})
	lambda.Start(parts.Handler(log, awslambda.SQS(handler, awslambda.Options{
		DeadLetter: parts.DeadLetter, Delay: parts.Delay, Log: log,
	})))
}
