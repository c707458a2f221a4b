package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/fault"
	"sluice/shared/short"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

// start is a start message; its argument is the rest of the object.
const start = `{"v":1,"crawl":"%s","topic":"topics/finance.topic","seeds":["http://h0.demo.test/p0"]%s}`

// wantEnd checks that a crawl came to its end, and why.
func wantEnd(t *testing.T, c *cloud, id, reason string) {
	t.Helper()
	if j := c.job(t, id); j.State != job.Done || j.Reason != reason {
		t.Errorf("crawl %s is %s (%s), want done (%s)", id, j.State, j.Reason, reason)
	}
}

// wantManners checks that no host was asked too soon or twice at a time, and no
// page more than once.
func wantManners(t *testing.T, c *cloud) {
	t.Helper()
	if c.web.rude > 0 {
		t.Errorf("%d requests came too soon", c.web.rude)
	}
	for url, n := range c.web.asked {
		if n > 1 {
			t.Errorf("%s was asked for %d times", url, n)
		}
	}
}

// A message starts a crawl; it fetches every page once, politely, ends by
// itself, and switches the stack off.
func TestCrawl(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const hosts, pages = 5, 60
		c := newCloud(t, tree(hosts, pages))
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.run(t, 3)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		tot := c.totals(t, "one")
		if tot.Fetched != hosts*pages || tot.Verdicts[ledger.Kept] != hosts*pages {
			t.Errorf("totals are %+v, want %d pages", tot, hosts*pages)
		}
		wantManners(t, c)
	})
}

// Thresholds in the job replace those of the topic from the next batch on.
func TestThresholdsChange(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := tree(3, 60)
		c := newCloud(t, w)
		changedMidway(t, c, w, func(j *job.Job) { j.Thresholds = &job.Thresholds{Description: 9, Priority: 0.08} })
	})
}

// changedMidway runs a crawl of a web and changes it at the 20th page of a host, so that no
// more pages are kept.
func changedMidway(t *testing.T, c *cloud, w *web, change func(*job.Job)) {
	t.Helper()
	links, changed := w.links, false
	w.links = func(host string, n int) []string {
		if n == 20 && !changed {
			changed = true
			if _, err := c.jobs.Update(t.Context(), "one", func(j *job.Job) error {
				change(j)
				return nil
			}); err != nil {
				t.Error(err)
			}
		}
		return links(host, n)
	}
	c.message(t, fmt.Sprintf(start, "one", ""))
	c.run(t, 1)
	wantEnd(t, c, "one", job.ReasonFrontierEmpty)
	tot := c.totals(t, "one")
	if tot.Verdicts[ledger.Kept] < 20 || tot.Rules["description_threshold"] < 20 {
		t.Errorf("totals are %+v, want pages kept before the change and none after", tot)
	}
	wantManners(t, c)
}

// Words that the crawl has learned judge from the next batch on; what the worker knows of
// hosts and links stays.
func TestWordsChange(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := tree(3, 60)
		c := newCloud(t, w)
		file, err := topic.Parse("finance.yaml", []byte(strings.ReplaceAll(topicYAML, "[股市, 银行]", "[量子, 光子]")))
		if err != nil {
			t.Fatal(err)
		}
		c.topics.set("learned/one/1.topic", file.Compiled())
		changedMidway(t, c, w, func(j *job.Job) {
			j.Tuning = job.NewTuning(1, 0)
			j.Tuning.Topic = "learned/one/1.topic"
		})
	})
}

// A reproducible crawl comes to the same, round by round.
func TestCrawlInRounds(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const hosts, pages = 3, 20
		c := newCloud(t, tree(hosts, pages))
		c.message(t, fmt.Sprintf(start, "one", `,"random_seed":7`))
		c.run(t, 3)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if tot := c.totals(t, "one"); tot.Fetched != hosts*pages {
			t.Errorf("%d pages, want %d", tot.Fetched, hosts*pages)
		}
		if j := c.job(t, "one"); j.Round < 4 {
			t.Errorf("the crawl ended in round %d", j.Round)
		}
		wantManners(t, c)
	})
}

// Twenty workers pause between requests to five slow hosts.
func TestPoliteness(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		hosts, pages := 5, short.Of(t, 200, 50)
		w := tree(hosts, pages)
		w.takes, w.delay = 50*time.Millisecond, 200*time.Millisecond
		c := newCloud(t, w)
		c.message(t, fmt.Sprintf(start, "one", `,"delay":"200ms"`))
		c.run(t, 20)
		if tot := c.totals(t, "one"); tot.Fetched != int64(hosts*pages) {
			t.Errorf("%d pages, want %d", tot.Fetched, hosts*pages)
		}
		wantManners(t, c)
	})
}

// A host with many URLs costs few deliveries: what a task can't fetch waits in
// the backlog, not in the queue.
func TestDeliveriesOfOneHost(t *testing.T) {
	pages := short.Of(t, 5_000, 1_000)
	if n, err := strconv.Atoi(os.Getenv("SLUICE_HOST_PAGES")); err == nil {
		pages = n
	}
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, pages))
		c.message(t, fmt.Sprintf(start, "one", fmt.Sprintf(`,"max_pages":%d,"max_pages_per_host":%d`, 2*pages, 2*pages)))
		c.run(t, 4)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		wantManners(t, c)
		perURL := float64(c.deliveries) / float64(pages)
		t.Logf("%d URLs at 1 s: %d deliveries, %.3f for each", pages, c.deliveries, perURL)
		if tot := c.totals(t, "one"); tot.Fetched != int64(pages) || perURL >= 0.2 {
			t.Errorf("%d pages with %.3f deliveries each, want %d with less than 0.2", tot.Fetched, perURL, pages)
		}
	})
}

// The budget of pages holds to within a batch of each worker.
func TestMaxPages(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const budget, workers = 300, 4
		c := newCloud(t, tree(8, 300))
		c.message(t, fmt.Sprintf(start, "one", `,"max_pages":300,"max_pages_per_host":300`))
		c.run(t, workers)
		wantEnd(t, c, "one", job.ReasonMaxPages)
		tot := c.totals(t, "one")
		if most := int64(budget + (workers-1)*10*frontier.MaxLinks); tot.Fetched < budget || tot.Fetched > most {
			t.Errorf("%d pages, want %d to %d", tot.Fetched, budget, most)
		}
		// What was left waits, for a larger budget.
		if _, err := c.jobs.Update(t.Context(), "one", func(j *job.Job) error {
			j.MaxPages = 1_000_000
			return j.Resume()
		}); err != nil {
			t.Fatal(err)
		}
		c.set(true)
		c.run(t, workers)
		if tot := c.totals(t, "one"); tot.Fetched != 8*300 {
			t.Errorf("%d pages with the larger budget, want %d", tot.Fetched, 8*300)
		}
		wantManners(t, c)
	})
}

func TestDeadline(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 10_000))
		c.message(t, fmt.Sprintf(start, "one", `,"max_duration":"10m"`))
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonMaxDuration)
		if tot := c.totals(t, "one"); tot.Fetched < 400 || tot.Fetched > 700 {
			t.Errorf("%d pages in ten minutes at one a second", tot.Fetched)
		}
	})
}

// Workers notice that the money is spent without waiting for the keeper's look.
func TestMaxCost(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const hosts, cents = 4, 100
		c := newCloud(t, tree(hosts, 10_000))
		c.message(t, fmt.Sprintf(start, "one", `,"max_cost":1`))
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonMaxCost)
		if got := c.web.requests(); got < cents || got > cents+hosts*12 {
			t.Errorf("%d pages at a cent each for a dollar", got)
		}
	})
}

// A paused crawl fetches nothing and loses nothing; it can continue.
func TestPauseAndResume(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const hosts, pages = 3, 400
		c := newCloud(t, tree(hosts, pages))
		c.message(t, fmt.Sprintf(start, "one", ""))
		change := func(f func(*job.Job) error) {
			if _, err := c.jobs.Update(t.Context(), "one", f); err != nil {
				t.Error(err)
			}
		}
		asked := 0
		go func() {
			time.Sleep(3*time.Minute + 7*time.Second)
			change((*job.Job).Pause)
			time.Sleep(12 * time.Second)
			asked = c.web.requests()
		}()
		c.run(t, 3) // ends when the queues have run dry
		before := c.totals(t, "one").Fetched
		if int64(asked) != before {
			t.Errorf("%d pages were fetched later than 12 s after the pause", before-int64(asked))
		}
		if before == 0 || before == hosts*pages {
			t.Fatalf("%d pages when it was paused", before)
		}
		change((*job.Job).Resume)
		c.set(true)
		c.run(t, 3)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if got := c.totals(t, "one").Fetched; got != hosts*pages {
			t.Errorf("%d pages, %d of them before the pause, want %d", got, before, hosts*pages)
		}
		wantManners(t, c)
	})
}

// Two crawls of the same hosts share their leases, and nothing else.
func TestManyCrawls(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const hosts, pages = 3, 50
		c := newCloud(t, tree(hosts, pages))
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.message(t, fmt.Sprintf(start, "two", `,"max_pages":20`))
		c.run(t, 4)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		wantEnd(t, c, "two", job.ReasonMaxPages)
		if got := c.totals(t, "one").Fetched; got != hosts*pages {
			t.Errorf("crawl one has %d pages, want %d", got, hosts*pages)
		}
		if got := c.totals(t, "two").Fetched; got < 20 {
			t.Errorf("crawl two has %d pages", got)
		}
		if c.web.rude > 0 {
			t.Errorf("%d requests came too soon", c.web.rude)
		}
	})
}

// A task of an unknown crawl is set aside, and delays no other.
func TestUnknownCrawl(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 10))
		c.message(t, fmt.Sprintf(start, "one", ""))
		stray := &frontier.Task{ID: "stray", Crawl: "nobody", Host: "h0.demo.test", Links: []frontier.Link{{URL: "http://h0.demo.test/p0"}}}
		if err := c.store.Queue().Send(t.Context(), []frontier.Outgoing{{Task: stray}}); err != nil {
			t.Fatal(err)
		}
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if why := c.dead["stray"]; !strings.Contains(why, "nobody") {
			t.Errorf("the stray task ended as %q", why)
		}
	})
}

// A server that fails for good ends in the dead letters, not in a crawl without
// end.
func TestServerDown(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := tree(1, 10)
		w.gone = true
		c := newCloud(t, w)
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if tot := c.totals(t, "one"); tot.Verdicts[ledger.Dead] != 1 {
			t.Errorf("totals are %+v, want the seed dead", tot)
		}
	})
}

// Seeds come by message, by a bare URL and by lists, any number of times.
func TestSeeds(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := tree(1, 1)
		w.pages = 100
		w.links = func(string, int) []string { return nil }
		w.files = map[string][]byte{
			"seeds/one/list.txt":    []byte("http://h1.demo.test/p1\nnonsense\nhttp://h1.demo.test/p2\n"),
			"seeds/one/sitemap.xml": []byte(`<urlset><url><loc>http://h2.demo.test/p3</loc></url></urlset>`),
			"seeds/finance/new.txt": []byte("http://h3.demo.test/p4\n"),
			"seeds/one/empty.txt":   []byte("nothing here\n"),
		}
		c := newCloud(t, w)
		for range 2 {
			c.message(t, fmt.Sprintf(start, "one", ""))
			c.message(t, "http://h0.demo.test/p5")
			c.message(t, `{"v":1,"crawl":"one","seeds":["http://h0.demo.test/p6"]}`)
			for _, key := range []string{"seeds/one/list.txt", "seeds/one/sitemap.xml"} {
				if err := c.seeder.Object(t.Context(), key); err != nil {
					t.Error(err)
				}
			}
		}
		if err := c.seeder.Object(t.Context(), "seeds/finance/new.txt"); err != nil {
			t.Error(err)
		}
		for key, rule := range map[string]string{
			"seeds/one/empty.txt": "bad_seeds", "seeds/list.txt": "bad_key", "raw/one/list.txt": "bad_key",
			"seeds/One/list.txt": "bad_key", "seeds/nobody/x": "no_object",
		} {
			if f := fault.Of(c.seeder.Object(t.Context(), key)); f == nil || f.Rule != rule {
				t.Errorf("object %s: %v, want %s", key, f, rule)
			}
		}
		c.run(t, 2)
		if got := c.totals(t, "one").Fetched; got != 6 {
			t.Errorf("crawl one has %d pages, want 6", got)
		}
		if got := c.totals(t, "finance").Fetched; got != 1 {
			t.Errorf("crawl finance has %d pages, want 1", got)
		}
		// New seeds wake a crawl that had come to its end.
		c.message(t, `{"v":1,"crawl":"one","seeds":["http://h0.demo.test/p7"]}`)
		c.run(t, 2)
		if got := c.totals(t, "one").Fetched; got != 7 {
			t.Errorf("crawl one has %d pages, want 7", got)
		}
		wantManners(t, c)
	})
}

// What cannot be done has its reason.
func TestBadMessages(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 10))
		for _, tt := range []struct{ name, body, rule string }{
			{"no crawl for a URL", "http://h0.demo.test/p0", "which_crawl"},
			{"seeds of no crawl", `{"v":1,"crawl":"nobody","seeds":["http://h0.demo.test/"]}`, "unknown_crawl"},
			{"no such topic", `{"v":1,"crawl":"one","topic":"topics/none.topic","seeds":["http://h0.demo.test/"]}`, "no_topic"},
			{"no contact", `{"v":1,"crawl":"one","topic":"topics/finance.topic","seeds":["http://www.example.com/"]}`, "bad_crawl"},
			{"no seeds", `{"v":1,"crawl":"one","topic":"topics/finance.topic"}`, "bad_crawl"},
			{"no message", `{"v":1`, "bad_message"},
		} {
			err := c.seeder.Message(t.Context(), []byte(tt.body))
			if f := fault.Of(err); f == nil || f.Rule != tt.rule || f.Class != fault.Poison && f.Class != fault.Permanent {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.rule)
			}
		}
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.message(t, fmt.Sprintf(start, "two", ""))
		if f := fault.Of(c.seeder.Message(t.Context(), []byte("http://h0.demo.test/p1"))); f == nil || f.Rule != "which_crawl" {
			t.Errorf("URL for one of two crawls: %v", f)
		}
	})
}

// A deadline of the function ends the work in time, and what is left continues.
func TestStop(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 100))
		c.message(t, fmt.Sprintf(start, "one", ""))
		stop := make(chan struct{})
		close(stop)
		batch, err := c.store.Queue().Receive(t.Context(), 1)
		if err != nil || len(batch) != 1 {
			t.Fatalf("received %d tasks, %v", len(batch), err)
		}
		if err := errors.Join(c.newWorker().Handle(t.Context(), stop, []*frontier.Task{batch[0].Task})...); err != nil {
			t.Fatal(err)
		}
		if len(c.web.asked) != 0 {
			t.Errorf("pages were asked for after the stop: %v", c.web.asked)
		}
		if err := c.store.Queue().Delete(context.Background(), []string{batch[0].Receipt}); err != nil {
			t.Fatal(err)
		}
		c.run(t, 1)
		if got := c.totals(t, "one").Fetched; got != 100 {
			t.Errorf("%d pages, want 100", got)
		}
	})
}

// A worker that died between the tracker and the queue leaves a mark without a
// message: the crawl waits for it a while, not for ever, and loses nothing.
func TestLostMark(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(2, 40))
		c.message(t, fmt.Sprintf(start, "one", ""))
		lost := &frontier.Task{ID: "lost", Crawl: "one", Host: "h1.demo.test", Links: []frontier.Link{{URL: "http://h1.demo.test/p0"}}}
		c.tracker.sent(lost.Mark(time.Now()))
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if got := c.totals(t, "one").Fetched; got != 80 {
			t.Errorf("%d pages, want 80", got)
		}
	})
}

// A panic in the step is the fault of one task, which comes again.
func TestPanic(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := tree(3, 20)
		w.broken = "http://h1.demo.test/p5"
		c := newCloud(t, w)
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if got := c.totals(t, "one").Fetched; got != 60 || w.broken != "" {
			t.Errorf("%d pages, want 60", got)
		}
		if w.rude > 0 {
			t.Errorf("%d requests came too soon", w.rude)
		}
	})
}

// A change of a running crawl takes effect with the next batch: here of its
// pause between fetches and its topic.
func TestChangesWhileItRuns(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 400))
		c.message(t, fmt.Sprintf(start, "one", ""))
		go func() {
			time.Sleep(2 * time.Minute)
			if _, err := c.jobs.Update(t.Context(), "one", func(j *job.Job) error { j.Delay = 10 * time.Second; return nil }); err != nil {
				t.Error(err)
			}
			time.Sleep(20 * time.Minute)
			file, err := topic.Parse("other.yaml", []byte("name: weather\nlanguage: zh\nwords: [天气]\nthresholds: {description: 0.1, priority: 0.08}\nbudgets: {max_depth: 1000}\n"))
			if err != nil {
				t.Error(err)
				return
			}
			c.topics.set("topics/finance.topic", file.Compiled())
		}()
		begun := time.Now()
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		tot := c.totals(t, "one")
		if tot.Verdicts[ledger.Kept] == 0 || tot.Verdicts[ledger.Passed] == 0 {
			t.Errorf("totals are %+v, want pages kept by one topic and passed by the other", tot)
		}
		if perPage := time.Since(begun) / time.Duration(tot.Fetched); perPage < 3*time.Second {
			t.Errorf("%d pages took %v each", tot.Fetched, perPage)
		}
		wantManners(t, c)
	})
}
