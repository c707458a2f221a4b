//go:build linux

package cloud_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"sluice/e2e/lambdahost"
	"sluice/shared/evaldata"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// newsPages returns addresses of the frozen news web: so many of each host.
func newsPages(t *testing.T, each int, hosts ...string) []string {
	t.Helper()
	var urls []string
	of := map[string]int{}
	for dec := json.NewDecoder(evaldata.Open(t, newsFile)); ; {
		var page struct{ URL string }
		if err := dec.Decode(&page); errors.Is(err, io.EOF) {
			return urls
		} else if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(page.URL)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(hosts, u.Host) && of[u.Host] < each {
			of[u.Host]++
			urls = append(urls, page.URL)
		}
	}
}

// Twenty workers at a time, of four crawls of the same five hosts, with
// duplicate messages: each host gets one request at a time, and the next one
// the delay after its end.
func TestPolite(t *testing.T) {
	t.Parallel()
	const delay = 200 * time.Millisecond
	o := cloudOptions{
		contact: "mailto:ops@example.com", delayMS: int(delay.Milliseconds()), concurrency: 20, batch: 1,
		faults: lambdahost.Faults{Duplicate: 0.3, Shuffle: 0.3, Seed: 1},
	}
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("no emulator: AWS_ENDPOINT_URL is not set (make test-aws sets it up)")
	}
	seeds := newsPages(t, 80, "fashion.portal.test", "home.portal.test", "society.portal.test", "www.ccdi.gov.cn", "realty.portal.test")
	web := replayNews(t, "-latency", "20ms")
	o.proxy = web.URL
	c := newCloud(t, o)
	topic := c.putTopic(t, "../../topics/finance.topic")
	crawls := []string{"one", "two", "three", "four"}
	of := map[string][]string{} // each has all hosts
	for i, s := range seeds {
		of[crawls[i%len(crawls)]] = append(of[crawls[i%len(crawls)]], s)
	}
	for _, id := range crawls {
		body, err := (&job.Message{Crawl: id, Topic: topic, Seeds: of[id], Limits: limits.Limits{MaxPages: 100}, Scope: &limits.Scope{Mode: urlnorm.ModeHost}}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		c.send(t, string(body))
	}
	pumps := c.run(t, o, c.ended(t, 6*time.Minute, crawls...))
	a := pumps["crawl"].Account()
	t.Logf("%+v", a)

	hits := web.log(t)
	wantAlone(t, hits, delay)
	// All twenty are there at once as a rule; one that is sent back is soon gone.
	if least := o.concurrency * 3 / 4; len(hits) < 300 || a.MaxConcurrency < least {
		t.Errorf("%d requests by at most %d workers at a time, want 300 by %d", len(hits), a.MaxConcurrency, least)
	}
	var stats struct {
		Hosts map[string]struct {
			Requests int     `json:"requests"`
			Peak     int     `json:"peak_concurrency"`
			MinGap   float64 `json:"min_gap_s"`
		} `json:"hosts"`
	}
	web.get(t, "/stats", &stats)
	if len(stats.Hosts) != 5 {
		t.Errorf("%d hosts were asked, want 5", len(stats.Hosts))
	}
	for name, h := range stats.Hosts {
		if h.Peak != 1 || h.Requests > 1 && h.MinGap < delay.Seconds() {
			t.Errorf("%s: %d requests at a time, %.3f s from start to start", name, h.Peak, h.MinGap)
		}
	}
}

// A host of many pages costs few deliveries: a task takes many links, and waits
// out the delay in place.
func TestOneHost(t *testing.T) {
	t.Parallel()
	const delay = 50 * time.Millisecond
	web := watch(t, plainWeb, 0)
	o := cloudOptions{proxy: web.URL, contact: "mailto:ops@example.com", delayMS: int(delay.Milliseconds())}
	c := newCloud(t, o)
	urls := pages("one", 1, 600)
	c.begin(t, &job.Message{Crawl: "one-host", Limits: limits.Limits{MaxPages: 1000}}, urls)
	pumps := c.run(t, o, c.ended(t, 6*time.Minute, "one-host"))
	hits := web.log(t)
	wantAlone(t, hits, delay)
	a := pumps["crawl"].Account()
	perURL := float64(a.Deliveries) / float64(len(urls))
	hits = onlyPages(hits)
	t.Logf("%d requests, %d deliveries in %d invocations: %.3f deliveries per URL", len(hits), a.Deliveries, a.Invocations, perURL)
	if len(hits) != len(urls) || perURL >= 0.2 {
		t.Errorf("%d requests for %d URLs, %.3f deliveries per URL", len(hits), len(urls), perURL)
	}
}
