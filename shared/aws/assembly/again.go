package assembly

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/aws/awsfault"
	"sluice/shared/awslambda"
	"sluice/shared/clean"
)

var _ clean.Again = (*Parts)(nil)

// againIn is after how long a segment is cleaned again. What is known of a host
// changes with each of its first pages; a segment that waits for the last of them
// is cleaned once.
const againIn = time.Minute

// Again implements clean.Again.
func (p *Parts) Again(ctx context.Context, key string) error {
	body, err := awslambda.S3Created(p.Resources.Bucket, key, time.Now())
	if err != nil {
		return fmt.Errorf("encode event of %s: %w", key, err)
	}
	_, err = p.SQS.SendMessage(ctx, &sqs.SendMessageInput{
		QueueUrl: aws.String(p.Resources.CleanQueue), MessageBody: &body, DelaySeconds: int32(againIn / time.Second),
	})
	return awsfault.Wrap("ask for "+key+" to be cleaned again", err)
}
