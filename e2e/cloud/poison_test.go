//go:build linux

package cloud_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// poison is a message that must end among the dead letters.
type poison struct {
	name   string
	queue  string // its address
	body   string
	reason string // a part of it
}

const poisonDelay = 50 * time.Millisecond

// poisons are bad messages for all queues of a stack.
func poisons(t *testing.T, c *cloud) []poison {
	t.Helper()
	lane, seeds, clean := c.Resources.FrontierQueues[0], c.Resources.SeedsQueue, c.Resources.CleanQueue
	task := func(crawl, host, url string) string {
		return fmt.Sprintf(`{"v":1,"id":"%s-%s","crawl":"%s","host":"%s","links":[{"url":%q,"priority":1}],"first_enqueued":"2026-11-21T08:00:00Z"}`,
			crawl, host, crawl, host, url)
	}
	event := func(key string) string {
		return fmt.Sprintf(`{"Records":[{"eventName":"ObjectCreated:Put","s3":{"bucket":{"name":%q},"object":{"key":%q}}}]}`, c.Resources.Bucket, key)
	}
	large := strings.Repeat("x", 300<<10)
	return []poison{
		{"task in bad JSON", lane, `{"v":1,"crawl":`, "bad_task"},
		{"task of another version", lane, strings.Replace(task("poison", "p0.test", "http://p0.test/mended"), `"v":1`, `"v":7`, 1), "version 7"},
		{"task of 300 KB", lane, task("poison", "p0.test", "http://p0.test/"+large), "at most"},
		{"task of a long URL", lane, task("poison", "p0.test", "http://p0.test/"+large[:100<<10]), "bad_task"},
		{"task of a file", lane, task("poison", "", "file:///etc/passwd"), "bad_task"},
		{"bare file", lane, "file:///etc/passwd", "bad_task"},
		{"task of no crawl", lane, task("nobody", "p0.test", "http://p0.test/nobody"), "unknown_crawl"},
		{"start in bad JSON", seeds, `{"v":1,"crawl":"broken"`, "bad_message"},
		{"start of another version", seeds, `{"v":7,"crawl":"late","topic":"topics/finance.topic"}`, "version"},
		{"start without its topic", seeds, `{"v":1,"crawl":"late","topic":"topics/none.topic","seeds":["http://p1.test/late"]}`, "none.topic"},
		{"start of 300 KB", seeds, `{"v":1,"crawl":"late","topic":"topics/finance.topic","pad":"` + large + `"}`, "bad_message"},
		{"seed of a long URL", seeds, "http://p0.test/" + large[:100<<10], "bad_message"},
		{"seed of a file", seeds, "file:///etc/passwd", "bad_message"},
		{"seeds that are no list", seeds, event("seeds/poison/picture.png"), "bad_seeds"},
		{"event in bad JSON", clean, `{"Records":[`, "bad_event"},
		{"segment of no crawl", clean, event("raw/nobody/1.warc.gz"), "unknown_crawl"},
		{"invalid segment", clean, event("raw/poison/none.warc.gz"), "not_warc"},
	}
}

// sendAll sends messages to a queue, as many in a batch as the size allows.
func (c *cloud) sendAll(t *testing.T, queue string, bodies ...string) {
	t.Helper()
	var batch []sqstypes.SendMessageBatchRequestEntry
	for i, body := range bodies {
		if len(body) > 100<<10 {
			if _, err := c.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &queue, MessageBody: &body}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		batch = append(batch, sqstypes.SendMessageBatchRequestEntry{Id: aws.String(fmt.Sprint(i)), MessageBody: &body})
	}
	out, err := c.sqs.SendMessageBatch(t.Context(), &sqs.SendMessageBatchInput{QueueUrl: &queue, Entries: batch})
	if err != nil || len(out.Failed) > 0 {
		t.Fatalf("send messages: %v, %v", err, out)
	}
}

// letters reads a dead-letter queue.
func letters(t *testing.T, dead *sqsqueue.Dead) []sqsqueue.Letter {
	t.Helper()
	var all []sqsqueue.Letter
	err := dead.Each(t.Context(), func(l sqsqueue.Letter) error {
		all = append(all, l)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// An invalid message becomes a dead letter of its queue, with the reason,
// without delaying others. A repaired one comes back and is processed.
func TestPoison(t *testing.T) {
	t.Parallel()
	web := watch(t, plainWeb, 0)
	o := cloudOptions{proxy: web.URL, contact: "mailto:ops@example.com", delayMS: int(poisonDelay.Milliseconds()), guarded: true}
	c := newCloud(t, o)
	c.begin(t, &job.Message{Crawl: "poison", Limits: limits.Limits{MaxPages: 2000}}, pages("p", 2, 100))
	bad := poisons(t, c)
	c.run(t, o, steps(
		func() bool {
			_, err := c.Jobs.Get(t.Context(), "poison")
			return err == nil
		},
		do(func() { c.pour(t, bad) }),
		c.ended(t, 6*time.Minute, "poison"),
		do(func() {
			c.wantWhole(t, "poison", canonical(t, web.log(t)))
			wantAsked(t, web, "http://p0.test/innocent", "http://p1.test/innocent")
			c.wantLetters(t, bad)
		}),
		do(func() { c.redrive(t) }),
		c.ended(t, 12*time.Minute, "poison", "late"),
	))
	wantAsked(t, web, "http://p0.test/mended", "http://p1.test/late")
	if n := len(letters(t, c.Queue.Dead())); n != 6 {
		t.Errorf("%d tasks are dead after one of 7 was mended", n)
	}
}

// pour sends all poisons among innocent messages of the same batches.
func (c *cloud) pour(t *testing.T, bad []poison) {
	t.Helper()
	c.put(t, "raw/poison/none.warc.gz", []byte("these are not the records you are looking for\n"))
	c.put(t, "seeds/poison/picture.png", []byte("\x89PNG\r\n\x1a\n\x00\x00"))
	innocent := &frontier.Task{
		ID: "innocent", Crawl: "poison", Host: "p0.test",
		Links: []frontier.Link{{URL: "http://p0.test/innocent", IsSeed: true, Priority: 1}},
	}
	body, err := innocent.Encode()
	if err != nil {
		t.Fatal(err)
	}
	byQueue := map[string][]string{
		c.Resources.FrontierQueues[0]: {string(body)},
		c.Resources.SeedsQueue:        {`{"v":1,"crawl":"poison","seeds":["http://p1.test/innocent"]}`},
	}
	for _, p := range bad {
		byQueue[p.queue] = append(byQueue[p.queue], p.body)
	}
	for queue, bodies := range byQueue {
		c.sendAll(t, queue, bodies...)
	}
}

// dead are the dead-letter queues, by the name of their source queue.
func (c *cloud) dead() map[string]*sqsqueue.Dead {
	r := c.Resources
	return map[string]*sqsqueue.Dead{
		r.FrontierQueues[0]: c.Queue.Dead(),
		r.SeedsQueue:        sqsqueue.NewDead(c.SQS, r.SeedsDeadQueue, r.SeedsQueue),
		r.CleanQueue:        sqsqueue.NewDead(c.SQS, r.CleanDeadQueue, r.CleanQueue),
	}
}

// wantLetters checks that each poison is a letter with its reason, and the
// letters of S3's own events.
func (c *cloud) wantLetters(t *testing.T, bad []poison) {
	t.Helper()
	all := map[string][]sqsqueue.Letter{}
	for queue, dead := range c.dead() {
		all[queue] = letters(t, dead)
	}
	for _, p := range bad {
		at := slices.IndexFunc(all[p.queue], func(l sqsqueue.Letter) bool { return l.Body == p.body })
		if at < 0 {
			t.Errorf("%s: not among the dead letters", p.name)
			continue
		}
		l := all[p.queue][at]
		if !strings.Contains(l.Reason, p.reason) || l.Class == "" || !strings.HasSuffix(p.queue, "/"+l.Source) {
			t.Errorf("%s: reason %q, class %q, source %q, want %q", p.name, l.Reason[:min(len(l.Reason), 200)], l.Class, l.Source, p.reason)
		}
		t.Logf("%s: %s, %s", p.name, l.Class, l.Reason[:min(len(l.Reason), 120)])
	}
	if n := len(all[c.Resources.FrontierQueues[0]]); n != 7 {
		t.Errorf("%d tasks are dead, want 7", n)
	}
}

// redrive mends a letter of two queues and sends all back that can go.
func (c *cloud) redrive(t *testing.T) {
	t.Helper()
	dead := c.dead()
	back, stay := 0, 0
	can := func(err error) bool {
		if err != nil {
			stay++
		} else {
			back++
		}
		return err == nil
	}
	err := dead[c.Resources.FrontierQueues[0]].Redrive(t.Context(), func(l *sqsqueue.Letter) bool {
		l.Body = strings.Replace(l.Body, `"v":7`, `"v":1`, 1)
		if strings.Contains(l.Body, "nobody") { // which would only come again
			return false
		}
		_, err := frontier.DecodeTask([]byte(l.Body))
		return can(err)
	})
	if err != nil || back != 1 || stay != 5 {
		t.Errorf("redrive of tasks: %d back, %d stay, %v", back, stay, err)
	}
	back, stay = 0, 0
	err = dead[c.Resources.SeedsQueue].Redrive(t.Context(), func(l *sqsqueue.Letter) bool {
		l.Body = strings.Replace(l.Body, "none.topic", "finance.topic", 1)
		if !strings.HasPrefix(l.Body, "{") || strings.Contains(l.Body, "Records") {
			return false
		}
		_, err := job.ParseMessage([]byte(l.Body))
		return can(err)
	})
	if err != nil || back != 1 || stay != 3 {
		t.Errorf("redrive of seeds: %d back, %d stay, %v", back, stay, err)
	}
	if _, err := c.Jobs.Update(t.Context(), "poison", (*job.Job).Reopen); err != nil {
		t.Fatal(err)
	}
}

func wantAsked(t *testing.T, web *watched, urls ...string) {
	t.Helper()
	asked := canonical(t, web.log(t))
	for _, u := range urls {
		if !slices.Contains(asked, u) {
			t.Errorf("%s was not asked for", u)
		}
	}
}
