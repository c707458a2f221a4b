package assembly

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/aws/awsfault"
	"sluice/shared/aws/awslambda"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/crawl/clean"
)

var _ clean.Again = (*Parts)(nil)

// againVariable is the delay before a segment is first cleaned again, in
// seconds.
const againVariable = "SLUICE_AGAIN_S"

// Each of the first pages of a host changes its boilerplate. The delay collects
// these changes into one cleaning.
const (
	firstAgain = time.Minute
	lastAgain  = 15 * time.Minute // as long as SQS delays a message
)

// againIn is the delay before a segment is cleaned again. It doubles with each
// earlier request.
func againIn(first time.Duration, before int64) time.Duration {
	return min(first<<min(before, 4), lastAgain)
}

// Again implements clean.Again.
func (p *Parts) Again(ctx context.Context, key string, before int64) error {
	body, err := awslambda.S3Created(p.Resources.Bucket, key, time.Now())
	if err != nil {
		return fmt.Errorf("encode event of %s: %w", key, err)
	}
	_, err = p.SQS.SendMessage(ctx, &sqs.SendMessageInput{
		QueueUrl: aws.String(p.Resources.CleanQueue), MessageBody: &body, DelaySeconds: int32(againIn(p.again, before) / time.Second),
	})
	return awsfault.Wrap("ask for "+key+" to be cleaned again", err)
}

// CleanAll has segments cleaned, by their keys.
func (p *Parts) CleanAll(ctx context.Context, keys []string) error {
	bodies := make([]string, len(keys))
	for i, key := range keys {
		var err error
		if bodies[i], err = awslambda.S3Created(p.Resources.Bucket, key, time.Now()); err != nil {
			return fmt.Errorf("encode event of %s: %w", key, err)
		}
	}
	return sqsqueue.Post(ctx, p.SQS, p.Resources.CleanQueue, bodies...)
}
