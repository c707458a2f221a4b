package worker_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// lonely is a web whose pages lead nowhere.
func lonely(pages int) *web {
	return &web{pages: pages, delay: time.Second, links: func(string, int) []string { return nil }}
}

// What is put under seeds/ may be written by hand, by a program or by malice.
func TestObjects(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte("http://h1.demo.test/p1\nhttp://h1.demo.test/p2\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, key, data string
		rule            string // of the fault
		pages           int64  // besides the first seed's
	}{
		{"list", "list.txt", "http://h1.demo.test/p1\r\n# a note\r\n\r\nhttp://h1.demo.test/p2\r\nhttp://h1.demo.test/p1\r\n", "", 2},
		{"list with a byte order mark", "list.txt", "\ufeffhttp://h1.demo.test/p1\n", "", 1},
		{"nested, strange name", "a/b c+ü/新.txt", "http://h1.demo.test/p1", "", 1},
		{"list with gzip", "list.gz", zipped.String(), "", 2},
		{"gzip that breaks off", "list.gz", zipped.String()[:zipped.Len()-9], "bad_seeds", 0},
		{"feed with a URL on a line", "feed.xml", `<rss version="2.0"><channel><item><description>` + "\nhttp://h9.demo.test/p9\n" +
			`</description><link>http://h1.demo.test/p1</link></item><item><link>http://h1.demo.test/p2</link></item></channel></rss>`, "", 2},
		{"relative links", "map.xml", `<urlset><url><loc>/p1</loc></url></urlset>`, "bad_seeds", 0},
		{"page", "page.html", "<html><body><p>text</p></body></html>", "bad_seeds", 0},
		{"bytes", "x.bin", "\x00\x01\xff\xfe" + strings.Repeat("\x80", 1000), "bad_seeds", 0},
		{"empty", "x.txt", "", "bad_seeds", 0},
		{"folder", "a/", "", "", 0},
		{"a file's URL", "x.txt", "file:///etc/passwd\n", "bad_seeds", 0},
		{"message", "x.json", `{"v":1,"crawl":"one","seeds":["http://h1.demo.test/p1"]}`, "", 1},
		{"bad message", "x.json", `{"v":2,"crawl":"one","seeds":["http://h1.demo.test/p1"]}`, "bad_message", 0},
		{"somebody's server, without a contact", "x.txt", "http://h1.demo.test/p1\nhttp://www.example.com/\n", "bad_seeds", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				w := lonely(100)
				key := "seeds/one/" + tt.key
				w.files = map[string][]byte{key: []byte(tt.data)}
				c := newCloud(t, w)
				c.message(t, fmt.Sprintf(start, "one", ""))
				for range 2 {
					switch f := fault.Of(c.seeder.Object(t.Context(), key)); {
					case tt.rule == "" && f != nil, tt.rule != "" && (f == nil || f.Rule != tt.rule || f.Class != fault.Poison):
						t.Errorf("object: %v, want %q", f, tt.rule)
					}
				}
				c.run(t, 2)
				wantEnd(t, c, "one", job.ReasonFrontierEmpty)
				if got := c.totals(t, "one").Fetched; got != 1+tt.pages {
					t.Errorf("%d pages, want %d", got, 1+tt.pages)
				}
				wantManners(t, c)
			})
		})
	}
}

// Seeds of another host than the first bring it into the scope.
func TestSeedsWidenTheScope(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 5))
		c.message(t, fmt.Sprintf(start, "one", `,"scope":{"mode":"host"}`))
		c.message(t, `{"v":1,"crawl":"one","seeds":["http://other.demo.test/p0"]}`)
		c.run(t, 2)
		if got := c.totals(t, "one").Fetched; got != 10 {
			t.Errorf("%d pages, want those of both hosts: 10", got)
		}
	})
}

// Seeds of a paused crawl wait with it; a stopped one stays so.
func TestSeedsOfAnIdleCrawl(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, lonely(100))
		c.message(t, fmt.Sprintf(start, "one", ""))
		for _, tt := range []struct {
			change func(*job.Job) error
			state  job.State
		}{{(*job.Job).Pause, job.Paused}, {func(j *job.Job) error { return j.Stop("") }, job.Stopped}} {
			if _, err := c.jobs.Update(t.Context(), "one", tt.change); err != nil {
				t.Fatal(err)
			}
			c.message(t, `{"v":1,"crawl":"one","seeds":["http://h1.demo.test/p1"]}`)
			c.run(t, 2)
			if got := c.job(t, "one").State; got != tt.state || c.totals(t, "one").Fetched != 0 {
				t.Errorf("the crawl is %s, %d pages", got, c.totals(t, "one").Fetched)
			}
		}
		if _, err := c.jobs.Update(t.Context(), "one", (*job.Job).Resume); err != nil {
			t.Fatal(err)
		}
		c.set(true)
		c.run(t, 2)
		if got := c.totals(t, "one").Fetched; got != 2 {
			t.Errorf("%d pages after it went on, want 2", got)
		}
	})
}

// A budget of as many pages as there are seeds, or fewer, ends the crawl.
func TestSeedsUseUpPages(t *testing.T) {
	for _, n := range []int{7, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { seedsUseUpPages(t, n) })
	}
}

func seedsUseUpPages(t *testing.T, n int) {
	bubble.Test(t, func(t *testing.T) {
		var seeds []string
		for i := range n {
			seeds = append(seeds, fmt.Sprintf(`"http://h%d.demo.test/p%d"`, i%5, i))
		}
		c := newCloud(t, lonely(1000))
		c.message(t, fmt.Sprintf(`{"v":1,"crawl":"one","topic":"topics/finance.topic","max_pages":7,"seeds":[%s]}`, strings.Join(seeds, ",")))
		c.run(t, 1)
		wantEnd(t, c, "one", job.ReasonMaxPages)
		if got := c.totals(t, "one").Fetched; got != 7 {
			t.Errorf("%d pages, want 7", got)
		}
	})
}

// Links as long as URLs can be go into tasks of fewer links: a host whose task
// no queue takes would hold up the end of its crawl for ever.
func TestLongURLs(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := lonely(100)
		long := func(host string, n int) string {
			return fmt.Sprintf("http://%s/p%d%s", host, n, strings.Repeat("&", 1900)) // an "&" has six bytes in JSON
		}
		w.links = func(host string, n int) []string {
			var out []string
			for i := 40 * n; n < 2 && i < 40*n+40; i++ {
				out = append(out, long(host, i+1))
			}
			return out
		}
		c := newCloud(t, w)
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if tot := c.totals(t, "one"); tot.Fetched != 81 || tot.Verdicts[ledger.Kept] != 81 {
			t.Errorf("totals are %+v, want 81 pages", tot)
		}
		wantManners(t, c)
	})
}

// A crawl without a pause between fetches comes to the same.
func TestNoDelay(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := tree(3, 60)
		w.delay = 0
		c := newCloud(t, w)
		c.message(t, fmt.Sprintf(start, "one", `,"delay":"0s"`))
		begun := time.Now()
		c.run(t, 3)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if took := time.Since(begun); c.totals(t, "one").Fetched != 180 || took > 10*time.Minute {
			t.Errorf("%d pages in %v", c.totals(t, "one").Fetched, took)
		}
		wantManners(t, c)
	})
}

// New seeds of a reproducible crawl that had ended begin where it was.
func TestReopenedRounds(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 20))
		c.message(t, fmt.Sprintf(start, "one", `,"random_seed":7`))
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		round := c.job(t, "one").Round
		c.message(t, `{"v":1,"crawl":"one","seeds":["http://h9.demo.test/p0"]}`)
		c.run(t, 2)
		wantEnd(t, c, "one", job.ReasonFrontierEmpty)
		if tot := c.totals(t, "one"); tot.Fetched != 40 || c.job(t, "one").Round <= round {
			t.Errorf("%d pages, in round %d after %d", tot.Fetched, c.job(t, "one").Round, round)
		}
		wantManners(t, c)
	})
}

// Slow servers: what was fetched when the time of the function is over is
// stored, and the rest handed back in time.
func TestSlowServersAtTheDeadline(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := lonely(1000)
		w.takes, w.delay = 18*time.Second, 0 // three files of the site, and a page at last
		w.slowRobots = true
		c := newCloud(t, w)
		var seeds []string
		for i := range 50 {
			seeds = append(seeds, fmt.Sprintf(`"http://h%d.demo.test:%d/p%d"`, i%10, 8080+i/10, i)) // a robots.txt for each
		}
		c.message(t, fmt.Sprintf(`{"v":1,"crawl":"one","topic":"topics/finance.topic","delay":"0s","seeds":[%s]}`, strings.Join(seeds, ",")))
		begun := time.Now()
		ctx, cancel := context.WithDeadline(t.Context(), begun.Add(85*time.Second))
		defer cancel()
		stop := make(chan struct{})
		time.AfterFunc(55*time.Second, func() { close(stop) })
		batch, err := c.store.Queue().Receive(t.Context(), 10)
		if err != nil || len(batch) != 10 {
			t.Fatalf("received %d tasks, %v", len(batch), err)
		}
		var tasks []*frontier.Task
		for _, d := range batch {
			tasks = append(tasks, d.Task)
		}
		for _, err := range c.newWorker().Handle(ctx, stop, tasks) {
			if err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(begun); took > 85*time.Second {
			t.Errorf("the batch took %v", took)
		}
		fetched := 0
		for _, n := range w.asked {
			fetched += n
		}
		if got := c.totals(t, "one").Fetched; int(got) != fetched || got == 0 {
			t.Errorf("%d pages were fetched, %d are on the books", fetched, got)
		}
	})
}
