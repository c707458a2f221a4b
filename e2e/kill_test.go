package e2e_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// kills is how often a crawl is killed before it may end.
const kills = 10

// A crawl with a random seed brings the same documents when it is run again,
// and when it is killed time and again and resumed: none is lost, none is there
// twice, and only pages that were in progress are asked for again.
func TestKilledCrawlIsTheSame(t *testing.T) {
	long(t)
	for _, test := range []struct {
		name, topic string
		flags       []string
	}{
		{"to the end", topicFinance, []string{"--max-depth", "2"}}, // 2,000 pages of 7,000
		{"on a budget", topicEverything, []string{"--max-pages", "300"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			web, seeds := serve(t, "-latency", "20ms"), newsSeeds(t)
			crawl := func(out string) []string {
				return append(crawlArgs(test.topic, out, web, seeds, "--random-seed", "11"), test.flags...)
			}
			want, again, killed := t.TempDir(), t.TempDir(), t.TempDir()
			reason := sluice(t, crawl(want)...).summary(t, exitDone).StopReason
			sluice(t, crawl(again)...).summary(t, exitDone)
			if diff := cmp.Diff(contents(t, want), contents(t, again)); diff != "" {
				t.Errorf("documents of one run (-) and the next (+):\n%s", diff)
			}

			web.reset(t)
			resume := append(crawl(killed), "--resume") // starts it, too, if it was killed before it began
			killTimes(t, web, resume)
			sum := sluice(t, resume...).summary(t, exitDone)
			if sum.StopReason != reason {
				t.Errorf("stop reason %q after kills, %q without", sum.StopReason, reason)
			}
			if diff := cmp.Diff(contents(t, want), contents(t, killed)); diff != "" {
				t.Errorf("documents of an undisturbed run (-) and of one that was killed %d times (+):\n%s", kills, diff)
			}
			checkRepeated(t, web)
		})
	}
}

// killTimes starts a crawl again and again, and kills it each time: early in
// its start, or up to 25 pages on.
func killTimes(t *testing.T, web *replay, args []string) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("kills drawn with seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := range kills {
		enough := web.account(t).Requests + rng.IntN(25)
		p := start(t, args...)
		patience := time.After(10 * time.Second)
		for waiting := true; waiting && web.account(t).Requests < enough; {
			select {
			case <-p.ended:
				t.Fatalf("crawl ended before kill %d: %+v", n+1, p.wait(t))
			case <-patience:
				waiting = false // between two pages, then
			case <-time.After(5 * time.Millisecond):
			}
		}
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatalf("kill %d: %v: %+v", n+1, err, p.wait(t))
		}
		p.wait(t)
	}
}

// checkRepeated allows one page of each host for each kill: that in progress.
func checkRepeated(t *testing.T, web *replay) {
	t.Helper()
	asked, repeated := map[string]int{}, map[string]int{}
	for _, h := range web.pages(t) {
		if asked[h.URL]++; asked[h.URL] > 1 {
			repeated[h.Host]++
		}
	}
	for host, n := range repeated {
		if n > kills {
			t.Errorf("%d pages of %s were fetched again after %d kills", n, host, kills)
		}
	}
	t.Logf("pages fetched again, by host: %v", repeated)
}

// contents is what must be equal of two crawls of one web.
func contents(t *testing.T, out string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for u, d := range corpus(t, out) {
		archived(t, out, d)
		texts[u] = d.Title + "\n" + d.Text
	}
	return texts
}
