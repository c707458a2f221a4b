package operator

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/aws/sqsqueue"
)

// nowhere is an SQS client that sends nothing, so that a redrive only deletes
// letters.
type nowhere struct{ sqsqueue.Client }

// SendMessageBatch implements sqsqueue.Client: it reports success without
// sending.
func (nowhere) SendMessageBatch(_ context.Context, in *sqs.SendMessageBatchInput, _ ...func(*sqs.Options)) (*sqs.SendMessageBatchOutput, error) {
	out := &sqs.SendMessageBatchOutput{}
	for _, e := range in.Entries {
		out.Successful = append(out.Successful, types.SendMessageBatchResultEntry{Id: e.Id})
	}
	return out, nil
}

// notBroken says why a valid letter is kept unless its id is given.
const notBroken = "it is valid: redrive sends it back, and only its id discards it"

// discard reports a letter, and whether to delete it. It deletes valid letters,
// which hold links, only by id.
func (r *redrive) discard(queue string, l *sqsqueue.Letter, verdict *letter, count *RedriveCount) bool {
	n := describe(queue, l, verdict)
	n.Body = shown(l.Body)
	n.Discarded = verdict.why != nil || len(r.opts.Letters) > 0
	switch {
	case !n.Discarded:
		n.Why = notBroken
	case verdict.why != nil:
		n.Why = verdict.why.Error()
	}
	if n.Discarded {
		count.Discarded++
	} else {
		count.Stay++
	}
	r.out.Letters = append(r.out.Letters, n)
	return n.Discarded
}
