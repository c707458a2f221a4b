package assembly

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/aws/awsfault"
	"sluice/shared/aws/awslambda"
	"sluice/shared/crawl/clean"
)

var _ clean.Again = (*Parts)(nil)

// againVariable is after how long a segment is cleaned again at first, in seconds.
const againVariable = "SLUICE_AGAIN_S"

// What is known about a host changes with many of its first pages: a segment
// that waits is cleaned once for all changes in the meantime.
const (
	firstAgain = time.Minute
	lastAgain  = 15 * time.Minute // as long as SQS delays a message
)

// againIn is after how long a segment is cleaned again that was asked for so often
// before: twice as long each time.
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
