//go:build linux

package cloud_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/demo"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// topics puts a topic of the repository into the bucket.
func (c *cloud) putTopic(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	key := "topics/" + filepath.Base(path)
	if err := c.Objects.Put(t.Context(), key, data, "application/octet-stream"); err != nil {
		t.Fatal(err)
	}
	return key
}

// send sends a message to the seeds.
func (c *cloud) send(t *testing.T, body string) {
	t.Helper()
	if _, err := c.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &c.Resources.SeedsQueue, MessageBody: aws.String(body)}); err != nil {
		t.Fatal(err)
	}
}

// ended reports whether crawls have ended, within a time.
func (c *cloud) ended(t *testing.T, within time.Duration, ids ...string) func() bool {
	t.Helper()
	begun := time.Now()
	return func() bool {
		if time.Since(begun) > within {
			t.Errorf("crawls %v did not end within %v", ids, within)
			return true
		}
		for _, id := range ids {
			j, err := c.Jobs.Get(t.Context(), id)
			if err != nil || j.State == job.Running || j.LacksRecords() || j.Records.Missing() || j.LacksLook() || j.Look.Missing() {
				return false
			}
		}
		empty, err := c.Queues.Empty(t.Context())
		return err == nil && empty
	}
}

// documents reads the corpus of a crawl, by final URL.
func (c *cloud) documents(t *testing.T, id string) map[string]corpus.Document {
	t.Helper()
	return lines(t, c, "corpus/"+id+"/", func(d corpus.Document) string { return d.FinalURL })
}

func lines[R any](t *testing.T, c *cloud, prefix string, key func(R) string) map[string]R {
	t.Helper()
	out := map[string]R{}
	for o, err := range c.Objects.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Objects.Get(t.Context(), o.Key, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var r R
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			if _, twice := out[key(r)]; twice {
				t.Errorf("%s is under %s twice", key(r), prefix)
			}
			out[key(r)] = r
		}
	}
	return out
}

// One message leads to a corpus.
func TestDemo(t *testing.T) {
	t.Parallel()
	web := demo.New()
	srv := httptest.NewServer(web)
	defer srv.Close()
	o := cloudOptions{proxy: srv.URL, delayMS: 0, guarded: true}
	c := newCloud(t, o)
	key := c.putTopic(t, "../../topics/finance.topic")
	body, err := (&job.Message{Crawl: "demo", Topic: key, Seeds: web.Seeds(), Limits: limits.Limits{MaxPages: 2000}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, string(body))
	pumps := c.run(t, o, c.ended(t, 8*time.Minute, "demo"))
	j, err := c.Jobs.Get(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	totals, err := c.Store.Ledger().Totals(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	docs := c.documents(t, "demo")
	t.Logf("%s %s, totals %+v, %d documents", j.State, j.Reason, totals, len(docs))
	for name, p := range pumps {
		t.Logf("%s: %+v, %+v", name, p.Account(), c.fns[name].Usage())
	}
	if kept := totals.Verdicts["kept"] - j.Look.Refused; int64(len(docs)) != kept || kept == 0 {
		t.Errorf("%d documents, the ledger has %d", len(docs), kept)
	}
}
