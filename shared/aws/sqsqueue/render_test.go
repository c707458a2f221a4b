package sqsqueue_test

import (
	"path"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/state/frontier"
)

// Tasks for a worker with a browser go into its queue whatever their priority, where there
// is one; it is no lane of the others.
func TestSendToRender(t *testing.T) {
	lanes := []string{"http://sqs/high", "http://sqs/low"}
	for _, tt := range []struct {
		render string
		want   map[string]string // host → queue
	}{
		{"http://sqs/render", map[string]string{"weak.test": "low", "strong.test": "high", "shown.test": "render"}},
		{"", map[string]string{"weak.test": "low", "strong.test": "high", "shown.test": "high"}},
	} {
		got := map[string]string{}
		client := &fake{send: func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
			out := &sqs.SendMessageBatchOutput{}
			for _, e := range in.Entries {
				got[*e.MessageGroupId] = path.Base(*in.QueueUrl)
				out.Successful = append(out.Successful, types.SendMessageBatchResultEntry{Id: e.Id})
			}
			return out, nil
		}}
		q := sqsqueue.New(client, lanes, "http://sqs/dead", sqsqueue.Options{Render: tt.render})
		weak, strong, shown := newTask("weak.test", 0), newTask("strong.test", 1e6), newTask("shown.test", 1e6)
		shown.Render = true
		if err := q.Send(t.Context(), []frontier.Outgoing{{Task: weak}, {Task: strong}, {Task: shown}}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("with the queue %q (-want +got):\n%s", tt.render, diff)
		}
	}
}
