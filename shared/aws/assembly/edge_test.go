package assembly

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/awslambda"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/aws/stack"
	"sluice/shared/fault"
)

// mail takes batches of messages, and keeps the names of their queues.
type mail struct{ to []string }

func (m *mail) Do(req *http.Request) (*http.Response, error) {
	var in struct {
		URL     string `json:"QueueUrl"`
		Entries []struct {
			ID string `json:"Id"`
		} `json:"Entries"`
	}
	if err := json.NewDecoder(req.Body).Decode(&in); err != nil || len(in.Entries) != 1 {
		return nil, errors.Join(err, errors.New("no batch of one"))
	}
	m.to = append(m.to, path.Base(in.URL))
	answer := `{"Successful":[{"Id":"` + in.Entries[0].ID + `","MessageId":"1","MD5OfMessageBody":""}],"Failed":[]}`
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(answer)), Request: req}, nil
}

// A dead record goes to the dead-letter queue of its own queue. A record of an
// unknown queue fails instead: its letter could not be sent back.
func TestDeadLetter(t *testing.T) {
	for _, tt := range []struct {
		name, queue string
		to          []string
		failed      []string
	}{
		{name: "high lane", queue: "s-high", to: []string{"s-frontier-dead"}},
		{name: "low lane", queue: "s-low", to: []string{"s-frontier-dead"}},
		{name: "render", queue: "s-render", to: []string{"s-frontier-dead"}},
		{name: "seeds", queue: "s-seeds", to: []string{"s-seeds-dead"}},
		{name: "clean", queue: "s-clean", to: []string{"s-clean-dead"}},
		{name: "structure", queue: "s-structure", to: []string{"s-structure-dead"}},
		{name: "sample event", queue: "sluice-CleanQueue", failed: []string{"1"}},
		{name: "no queue", queue: "", failed: []string{"1"}},
		{name: "dead letters", queue: "s-seeds-dead", failed: []string{"1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const of = "http://sqs.test/1/"
			to := &mail{}
			client := sqs.New(sqs.Options{
				Region: "us-east-1", BaseEndpoint: aws.String("http://sqs.test"), HTTPClient: to,
				Credentials: aws.AnonymousCredentials{}, DisableMessageChecksumValidation: true,
			})
			r := &stack.Resources{
				FrontierQueues: []string{of + "s-high", of + "s-low"}, FrontierDeadQueue: of + "s-frontier-dead",
				SeedsQueue: of + "s-seeds", SeedsDeadQueue: of + "s-seeds-dead",
				CleanQueue: of + "s-clean", CleanDeadQueue: of + "s-clean-dead",
				StructureQueue: of + "s-structure", StructureDeadQueue: of + "s-structure-dead", RenderQueue: of + "s-render",
			}
			p := &Parts{Resources: r, SQS: client, Queue: sqsqueue.New(client, r.FrontierQueues, r.FrontierDeadQueue, sqsqueue.Options{})}
			poison := func(context.Context, []awslambda.Record) []error {
				return []error{fault.New(fault.Poison, "bad_event", errors.New("no message"))}
			}
			event := events.SQSEvent{Records: []events.SQSMessage{{
				MessageId: "1", Body: "junk", EventSourceARN: "arn:aws:sqs:us-east-1:1:" + tt.queue,
			}}}
			answer, err := awslambda.SQS(poison, awslambda.Options{DeadLetter: p.DeadLetter})(t.Context(), event)
			if err != nil {
				t.Fatal(err)
			}
			var failed []string
			for _, f := range answer.BatchItemFailures {
				failed = append(failed, f.ItemIdentifier)
			}
			if diff := cmp.Diff(tt.to, to.to); diff != "" {
				t.Errorf("dead letters (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.failed, failed); diff != "" {
				t.Errorf("failed (-want +got):\n%s", diff)
			}
		})
	}
}
