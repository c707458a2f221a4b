package sqsqueue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/bubble"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
)

// fake answers as SQS may and an emulator does not. A method that a test does
// not set panics.
type fake struct {
	sqsqueue.Client
	send    func(*sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error)
	receive func(*sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error)
	remove  func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error)
	hide    func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error)
}

func (f *fake) SendMessageBatch(_ context.Context, in *sqs.SendMessageBatchInput, _ ...func(*sqs.Options)) (*sqs.SendMessageBatchOutput, error) {
	return f.send(in)
}

func (f *fake) ReceiveMessage(_ context.Context, in *sqs.ReceiveMessageInput, _ ...func(*sqs.Options)) (*sqs.ReceiveMessageOutput, error) {
	return f.receive(in)
}

func (f *fake) DeleteMessageBatch(_ context.Context, in *sqs.DeleteMessageBatchInput, _ ...func(*sqs.Options)) (*sqs.DeleteMessageBatchOutput, error) {
	return f.remove(in)
}

func (f *fake) ChangeMessageVisibilityBatch(_ context.Context, in *sqs.ChangeMessageVisibilityBatchInput, _ ...func(*sqs.Options)) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
	return f.hide(in)
}

func refusal(id *string, sender bool) types.BatchResultErrorEntry {
	return types.BatchResultErrorEntry{Id: id, Code: aws.String("InternalError"), Message: aws.String("m"), SenderFault: sender}
}

func outgoing(n int) []frontier.Outgoing {
	var out []frontier.Outgoing
	for i := range n {
		out = append(out, frontier.Outgoing{Task: newTask(fmt.Sprintf("h%d.test", i), 1)})
	}
	return out
}

// Every entry that SQS was not able to take is sent again, and no other.
func TestSendRetriesEntries(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		taken := map[string]int{}
		asked := 0
		client := &fake{send: func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
			if len(in.Entries) == 0 || len(in.Entries) > 10 {
				t.Errorf("batch of %d entries", len(in.Entries))
			}
			out := &sqs.SendMessageBatchOutput{}
			for _, e := range in.Entries {
				if asked++; asked%2 == 0 {
					out.Failed = append(out.Failed, refusal(e.Id, false))
					continue
				}
				taken[*e.MessageGroupId]++
			}
			return out, nil
		}}
		q := sqsqueue.New(client, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{})
		if err := q.Send(t.Context(), outgoing(23)); err != nil {
			t.Fatalf("Send: %v", err)
		}
		for host, n := range taken {
			if n != 1 {
				t.Errorf("task of %s was taken %d times", host, n)
			}
		}
		if len(taken) != 23 {
			t.Errorf("%d tasks were taken, want 23", len(taken))
		}
	})
}

func TestSendFails(t *testing.T) {
	boom := errors.New("connection reset")
	for _, tt := range []struct {
		name   string
		answer func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error)
		class  fault.Class
	}{
		{"entry is refused", func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
			return &sqs.SendMessageBatchOutput{Failed: []types.BatchResultErrorEntry{refusal(in.Entries[1].Id, true)}}, nil
		}, fault.Permanent},
		{"entry fails for good", func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
			return &sqs.SendMessageBatchOutput{Failed: []types.BatchResultErrorEntry{refusal(in.Entries[0].Id, false)}}, nil
		}, fault.Retryable},
		{"request fails", func(*sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) { return nil, boom }, fault.Retryable},
		{"queue is gone", func(*sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
			return nil, &types.QueueDoesNotExist{}
		}, fault.Broken},
		{"answer to a stranger", func(*sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
			return &sqs.SendMessageBatchOutput{Failed: []types.BatchResultErrorEntry{refusal(aws.String("77"), false)}}, nil
		}, fault.Retryable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				q := sqsqueue.New(&fake{send: tt.answer}, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{})
				err := q.Send(t.Context(), outgoing(3))
				if err == nil || fault.Of(err).Class != tt.class {
					t.Errorf("Send: %v, want class %v", err, tt.class)
				}
			})
		})
	}
}

// One task that is too large stops all, before the tracker is written.
func TestSendTooLarge(t *testing.T) {
	tracker := newTracker()
	q := sqsqueue.New(&fake{}, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{Tracker: tracker})
	out := outgoing(2)
	out[1].Task.Links[0].Anchor = strings.Repeat("\uffff", frontier.MaxTaskBytes/5) // twice as long when escaped
	if err := q.Send(t.Context(), out); fault.Of(err).Class != fault.Permanent {
		t.Errorf("Send: %v, want a permanent fault", err)
	}
	if n, err := tracker.Queued(t.Context(), "c", ""); err != nil || n != 0 {
		t.Errorf("%d links booked, %v", n, err)
	}
}

// Requests are limited in number and bytes of messages, and delays fit SQS.
func TestSendRequests(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	type sent struct {
		Group     string
		Delay     int32
		NotBefore time.Time
	}
	var got []sent
	client := &fake{send: func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
		bytes := 0
		for _, e := range in.Entries {
			bytes += len(*e.MessageBody)
			task, err := frontier.DecodeTask([]byte(*e.MessageBody))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, sent{*e.MessageGroupId, e.DelaySeconds, task.NotBefore})
		}
		if len(in.Entries) > 10 || bytes > 256<<10 {
			t.Errorf("request of %d entries, %d bytes", len(in.Entries), bytes)
		}
		return &sqs.SendMessageBatchOutput{}, nil
	}}
	q := sqsqueue.New(client, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{Now: func() time.Time { return now }})
	out := outgoing(5)
	for i, d := range []time.Duration{-time.Second, time.Millisecond, 15 * time.Minute, 40 * time.Hour, 99 * 24 * time.Hour} {
		out[i].Delay = d
		out[i].Task.Links[0].Anchor = strings.Repeat("x", 100<<10)
		out[i].Task.NotBefore = now.Add(time.Hour) // ignored: the delay counts
	}
	out[0].Task = newTask(strings.Repeat("a", 60)+"."+strings.Repeat("b", 60)+"."+strings.Repeat("c", 20), 1)
	if err := q.Send(t.Context(), out); err != nil {
		t.Fatalf("Send: %v", err)
	}
	if len(got) == 0 || len(got[0].Group) != 64 {
		t.Fatalf("sent %+v, want a hash for the group of a long name", got)
	}
	want := []sent{
		{got[0].Group, 0, time.Time{}}, {"h1.test", 1, time.Time{}}, {"h2.test", 900, time.Time{}},
		{"h3.test", 900, now.Add(40 * time.Hour)}, {"h4.test", 900, now.Add(30 * 24 * time.Hour)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// received returns a client whose lane gives one message, once.
func received(body string, receives int, client *fake) *fake {
	given := false
	client.receive = func(*sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
		out := &sqs.ReceiveMessageOutput{}
		if !given {
			out.Messages = []types.Message{{
				Body: &body, ReceiptHandle: aws.String("AQEB+/=="), Attributes: map[string]string{"ApproximateReceiveCount": fmt.Sprint(receives)},
			}}
		}
		given = true
		return out, nil
	}
	return client
}

func body(t *testing.T, task *frontier.Task) string {
	t.Helper()
	b, err := task.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A dead task leaves its lane only after it is stored as a dead letter, and the
// tracker only after it has left the lane.
func TestReceiveBuriesInOrder(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name          string
		fails, booked bool
		send, remove  error
	}{
		{"all goes well", false, false, nil, nil},
		{"dead letter fails", true, true, boom, nil},
		{"delete fails", true, true, nil, boom},
	} {
		t.Run(tt.name, func(t *testing.T) {
			deleted := false
			client := received(body(t, newTask("a.test", 1)), 7, &fake{
				send: func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
					attributes := in.Entries[0].MessageAttributes
					for key, want := range map[string]string{"reason": "received 6 times without success", "class": "poison", "source": "lane"} {
						if got := aws.ToString(attributes[key].StringValue); got != want {
							t.Errorf("attribute %s is %q, want %q", key, got, want)
						}
					}
					return &sqs.SendMessageBatchOutput{}, tt.send
				},
				remove: func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error) {
					deleted = true
					return &sqs.DeleteMessageBatchOutput{}, tt.remove
				},
			})
			tracker := newTracker()
			task := newTask("a.test", 1)
			if err := tracker.Sent(t.Context(), []frontier.Mark{{Crawl: "c", Host: "a.test", ID: task.ID, Hops: task.Hops, Links: 1}}); err != nil {
				t.Fatal(err)
			}
			q := sqsqueue.New(client, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{Tracker: tracker})
			ds, err := q.Receive(t.Context(), 10)
			if len(ds) != 0 || (err != nil) != tt.fails {
				t.Errorf("Receive: %d deliveries, %v, want an error: %t", len(ds), err, tt.fails)
			}
			if deleted != (tt.send == nil) {
				t.Errorf("deleted: %t", deleted)
			}
			if n, err := tracker.Queued(t.Context(), "c", ""); err != nil || (n == 1) != tt.booked {
				t.Errorf("%d links booked, %v, want booked: %t", n, err, tt.booked)
			}
		})
	}
}

func TestReceiveFarAhead(t *testing.T) {
	task := newTask("a.test", 1)
	task.NotBefore = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	buried := ""
	client := received(body(t, task), 1, &fake{
		send: func(in *sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
			buried = *in.QueueUrl
			return &sqs.SendMessageBatchOutput{}, nil
		},
		remove: func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error) {
			return &sqs.DeleteMessageBatchOutput{}, nil
		},
	})
	q := sqsqueue.New(client, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{})
	if ds, err := q.Receive(t.Context(), 1); err != nil || len(ds) != 0 || buried != "http://sqs/dead" {
		t.Errorf("Receive: %d deliveries, %v, sent to %q, want it buried", len(ds), err, buried)
	}
}

// A URL sent by hand has no mark.
func TestDeleteBareURL(t *testing.T) {
	client := received("http://a.test/", 1, &fake{
		remove: func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error) {
			return &sqs.DeleteMessageBatchOutput{}, nil
		},
	})
	q := sqsqueue.New(client, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{Tracker: noTracker{}})
	ds, err := q.Receive(t.Context(), 1)
	if err != nil || len(ds) != 1 {
		t.Fatalf("Receive: %d deliveries, %v", len(ds), err)
	}
	if err := q.Delete(t.Context(), []string{ds[0].Receipt}); err != nil {
		t.Errorf("Delete: %v", err)
	}
}

// noTracker refuses to be written.
type noTracker struct{}

func (noTracker) Sent(context.Context, []frontier.Mark) error  { return errors.New("sent") }
func (noTracker) Ended(context.Context, []frontier.Mark) error { return errors.New("ended") }

func TestDelayBounds(t *testing.T) {
	var got int32
	client := received(body(t, newTask("a.test", 1)), 1, &fake{
		hide: func(in *sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
			got = in.Entries[0].VisibilityTimeout
			if h := *in.Entries[0].ReceiptHandle; h != "AQEB+/==" {
				t.Errorf("handle %q", h)
			}
			return &sqs.ChangeMessageVisibilityBatchOutput{}, nil
		},
	})
	q := sqsqueue.New(client, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{})
	ds, err := q.Receive(t.Context(), 1)
	if err != nil || len(ds) != 1 {
		t.Fatalf("Receive: %d deliveries, %v", len(ds), err)
	}
	for d, want := range map[time.Duration]int32{-time.Hour: 0, 0: 0, 1: 1, time.Second: 1, 100 * time.Hour: 42300} {
		if err := q.Delay(t.Context(), ds[0].Receipt, d); err != nil || got != want {
			t.Errorf("Delay(%v) asks for %d s, %v, want %d", d, got, err, want)
		}
	}
}

// A redrive that fails half-way leaves letters in both places, never in
// neither.
func TestRedriveFails(t *testing.T) {
	for _, tt := range []struct {
		name         string
		send, remove error
		deleted      bool
	}{
		{"send fails", errors.New("boom"), nil, false},
		{"delete fails", nil, errors.New("boom"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shown, deleted := false, false
			client := received("http://a.test/", 1, &fake{
				send: func(*sqs.SendMessageBatchInput) (*sqs.SendMessageBatchOutput, error) {
					return &sqs.SendMessageBatchOutput{}, tt.send
				},
				remove: func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error) {
					deleted = true
					return &sqs.DeleteMessageBatchOutput{}, tt.remove
				},
				hide: func(in *sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
					shown = in.Entries[0].VisibilityTimeout == 0
					return &sqs.ChangeMessageVisibilityBatchOutput{}, nil
				},
			})
			q := sqsqueue.New(client, []string{"http://sqs/lane"}, "http://sqs/dead", sqsqueue.Options{})
			if err := q.Dead().Redrive(t.Context(), func(*sqsqueue.Letter) bool { return true }); err == nil {
				t.Error("Redrive succeeded")
			}
			if deleted != tt.deleted || !shown {
				t.Errorf("deleted: %t, shown again: %t", deleted, shown)
			}
		})
	}
}

// SQS may deliver a letter twice, and does so with all that stay when a walk takes long: later
// letters must still be seen, and a queue that keeps repeating letters must end the walk.
func TestEachSeesTwins(t *testing.T) {
	letter := func(id string) types.Message {
		return types.Message{MessageId: &id, Body: &id, ReceiptHandle: &id}
	}
	hide := func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
		return &sqs.ChangeMessageVisibilityBatchOutput{}, nil
	}
	for _, tt := range []struct {
		name  string
		queue []string // one letter a receive, then none
		turns bool     // repeat all of them instead
	}{
		{"twin", []string{"a", "b", "b", "c"}, false},
		{"a long walk", []string{"a", "a", "b", "a", "b", "c"}, false},
		{"second round", []string{"a", "b", "c"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			received := 0
			client := &fake{hide: hide, receive: func(*sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
				if received++; received > len(tt.queue) && !tt.turns {
					return &sqs.ReceiveMessageOutput{}, nil
				}
				if received > 10*len(tt.queue) {
					t.Fatal("the walk has no end")
				}
				return &sqs.ReceiveMessageOutput{Messages: []types.Message{letter(tt.queue[(received-1)%len(tt.queue)])}}, nil
			}}
			var got []string
			err := sqsqueue.NewDead(client, "http://sqs/dead", "http://sqs/lane").Each(t.Context(), func(l sqsqueue.Letter) error {
				got = append(got, l.ID)
				return nil
			})
			if diff := cmp.Diff([]string{"a", "b", "c"}, got); err != nil || diff != "" {
				t.Errorf("error %v, letters (-want +got):\n%s", err, diff)
			}
		})
	}
}
