package meter

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/console/cost"
)

// sqsChunk is how many bytes of payload are billed as one request.
const sqsChunk = 64 << 10

// addSQS adds the billed requests of an attempt: one for each 64 KB of messages
// sent or received, at least one. Messages with a group make a standard queue
// fair, which is billed in addition; a receiving call does not show this, so
// only sends count it.
func addSQS(usage cost.Usage, a attempt) {
	payload, fair := 0, false
	switch in := a.input.(type) {
	case *sqs.SendMessageInput:
		payload = messageSize(in.MessageBody, in.MessageAttributes)
		fair = in.MessageGroupId != nil && !fifo(in.QueueUrl)
	case *sqs.SendMessageBatchInput:
		for _, entry := range in.Entries {
			payload += messageSize(entry.MessageBody, entry.MessageAttributes)
			fair = fair || entry.MessageGroupId != nil && !fifo(in.QueueUrl)
		}
	}
	if out, ok := a.output.(*sqs.ReceiveMessageOutput); ok {
		for _, message := range out.Messages {
			payload += messageSize(message.Body, message.MessageAttributes)
		}
	}
	billed := float64(max(1, (payload+sqsChunk-1)/sqsChunk))
	usage[cost.SQSRequests] = billed
	if fair {
		usage[cost.SQSFairRequests] = billed
	}
}

// messageSize returns the size of a message as SQS reckons it: its body, and
// the names, types and values of its attributes.
func messageSize(body *string, attributes map[string]types.MessageAttributeValue) int {
	size := len(aws.ToString(body))
	for name, value := range attributes {
		size += len(name) + len(aws.ToString(value.DataType)) + len(aws.ToString(value.StringValue)) + len(value.BinaryValue)
	}
	return size
}

func fifo(queueURL *string) bool { return strings.HasSuffix(aws.ToString(queueURL), ".fifo") }
