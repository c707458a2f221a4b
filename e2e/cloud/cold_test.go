//go:build linux

package cloud_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"sluice/e2e/lambdahost"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// Limits of a cold start of crawl. Machines that run tests are shared, so the
// limit of time is four times the goal.
const (
	coldGoal  = 300 * time.Millisecond
	coldTime  = 4 * coldGoal
	coldBytes = 256 << 20 // resident
	zipBytes  = 20 << 20
)

// A new environment of crawl, with a compiled topic from S3, is ready soon and
// small.
func TestColdStart(t *testing.T) {
	const times = 11
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<html lang=zh><title>沪指收涨，银行股领涨大盘</title><body><p>证券市场今日上涨，投资者买入银行股。</p></body></html>")
	}))
	defer srv.Close()
	c := newCloud(t, cloudOptions{})
	c.env["SLUICE_ALLOW_ADDRESSES"] = strings.TrimPrefix(srv.URL, "http://")
	m := &job.Message{Crawl: "cold", Topic: c.putTopic(t, "../../topics/finance.topic"), Seeds: []string{srv.URL + "/"}, Limits: limits.Limits{MaxPages: 1000}}
	body, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	seed := c.function(t, "seed", 256, 1, time.Minute)
	c.invoke(t, seed, c.env["SLUICE_SEEDS_QUEUE"], string(body))

	var inits, firsts, sums, warms []time.Duration
	var peak int64
	for i := range times {
		fn := c.function(t, "crawl", 256, 1, 90*time.Second)
		cold := c.invoke(t, fn, c.Resources.FrontierQueues[0], c.coldTask(t, srv.URL, 2*i))
		warm := c.invoke(t, fn, c.Resources.FrontierQueues[0], c.coldTask(t, srv.URL, 2*i+1))
		inits, firsts = append(inits, cold.Init), append(firsts, cold.Duration)
		sums, warms = append(sums, cold.Init+cold.Duration), append(warms, warm.Duration)
		peak = max(peak, cold.PeakRSS, warm.PeakRSS)
		if err := fn.Close(); err != nil {
			t.Fatal(err)
		}
	}
	size := zipSize(t, filepath.Join(functions, "crawl"))
	t.Logf("median of %d cold starts: init %v, first invocation %v, both %v; second invocation %v; peak memory %.0f MB; zip %.1f MB",
		times, median(inits), median(firsts), median(sums), median(warms), float64(peak)/(1<<20), float64(size)/(1<<20))
	totals, err := c.Store.Ledger().Totals(t.Context(), m.Crawl)
	if err != nil {
		t.Fatal(err)
	}
	if totals.Fetched != 2*times {
		t.Errorf("%d invocations for a page each came to %+v", 2*times, totals)
	}
	if got := median(sums); got > coldTime {
		t.Errorf("a cold start takes %v, %v at most", got, coldTime)
	}
	if peak > coldBytes {
		t.Errorf("%d bytes resident, %d at most", peak, coldBytes)
	}
	if size > zipBytes {
		t.Errorf("zip of %d bytes, %d at most", size, zipBytes)
	}
}

func median(d []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(d))[len(d)/2].Round(time.Millisecond)
}

// coldTask is a task of one page.
func (c *cloud) coldTask(t *testing.T, site string, n int) string {
	t.Helper()
	task := &frontier.Task{
		ID: uuid.NewString(), Crawl: "cold", Host: "127.0.0.1", FirstEnqueued: time.Now().UTC(),
		Links: []frontier.Link{{URL: fmt.Sprintf("%s/page/%d.html", site, n), Seed: site + "/", Priority: 1}},
	}
	body, err := task.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// invoke gives a function one message of a queue, and fails the test if it
// fails.
func (c *cloud) invoke(t *testing.T, fn *lambdahost.Function, queue, body string) *lambdahost.Result {
	t.Helper()
	event, err := json.Marshal(events.SQSEvent{Records: []events.SQSMessage{{
		MessageId: uuid.NewString(), ReceiptHandle: "none", Body: body, EventSource: "aws:sqs",
		EventSourceARN: arn(queue), AWSRegion: region, Attributes: map[string]string{"ApproximateReceiveCount": "1"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	res, err := fn.Invoke(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	var answer events.SQSEventResponse
	if res.Error != nil || json.Unmarshal(res.Payload, &answer) != nil || len(answer.BatchItemFailures) > 0 {
		t.Fatalf("invocation: %v, %s", res.Error, res.Payload)
	}
	return res
}

// zipSize is the size of a function's package, as SAM makes it.
func zipSize(t *testing.T, binary string) int {
	t.Helper()
	data, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("bootstrap")
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
