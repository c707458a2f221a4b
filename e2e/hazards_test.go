package e2e_test

import (
	"bytes"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// memoryLimit is what a crawl may take on any pages.
const memoryLimit = 512 << 20

// All hazards at once beside a normal host: that one is crawled to its last
// page, the crawl ends by itself, within memory, and stays outside.
func TestHazards(t *testing.T) {
	long(t)
	const normal = "sports.portal.test"
	web := serve(t, "-hazards", "-latency", "5ms")
	seeds := []string{"http://" + normal + "/"}
	for _, name := range []string{
		"calendar", "bomb", "endless", "slow", "loop", "chain", "inside", "lies", "nested", "session", "mirror",
	} {
		seeds = append(seeds, "http://"+name+".hazard.test/")
	}
	out := filepath.Join(t.TempDir(), "out")
	r := sluice(t, crawlArgs(topicHazards, out, web, seeds)...)
	sum := r.summary(t, exitDone)
	t.Logf("%.0f s, %d MB, %d fetched, rules %v, closed %v", sum.DurationS, r.peak>>20, sum.Fetched, sum.Rules, sum.ClosedHosts)

	if sum.StopReason != "frontier_empty" {
		t.Errorf("stop reason %q, want frontier_empty", sum.StopReason)
	}
	if r.peak > memoryLimit {
		t.Errorf("crawl took %d MB, want %d at most", r.peak>>20, memoryLimit>>20)
	}
	checkComplete(t, web, out, normal)
	checkOutside(t, web, normal)
	checkReported(t, out)
}

// topicHazards takes all pages of the seeds' hosts, 400 of each at most. It lets
// in the addresses that the hazards lead to: what keeps them out is the guard.
var topicHazards = filepath.Join("testdata", "hazards.yaml")

// checkComplete compares what was asked of a host with what a plain walk over
// its frozen pages reaches, and its documents with its articles.
func checkComplete(t *testing.T, web *replay, out, host string) {
	t.Helper()
	asked := map[string]bool{}
	for _, h := range web.pages(t) {
		asked[h.URL] = true
	}
	docs := corpus(t, out)
	reached := walk(t, host)
	if len(reached) < 200 {
		t.Fatalf("%d pages are reached on %s: nothing to compare with", len(reached), host)
	}
	for u, page := range reached {
		if !asked[u] {
			t.Errorf("%s was not asked for", u)
		}
		if _, ok := docs[u]; !ok && page.Kind == "article" {
			t.Errorf("article %s is not in the corpus", u)
		}
	}
}

// walk returns the frozen pages of a host that links lead to from its home.
func walk(t *testing.T, host string) map[string]frozen {
	t.Helper()
	home := "http://" + host + "/"
	pages := newsPages(t, func(f frozen) bool { return strings.HasPrefix(f.URL, home) })
	reached := map[string]frozen{}
	for queue := []string{home}; len(queue) > 0; queue = queue[1:] {
		page, ok := pages[queue[0]]
		if _, known := reached[page.URL]; known || !ok {
			continue
		}
		reached[page.URL] = page
		queue = append(queue, hrefs(t, page)...)
	}
	return reached
}

// hrefs are the links of a page as it writes them, made absolute.
func hrefs(t *testing.T, page frozen) []string {
	t.Helper()
	base, err := url.Parse(page.URL)
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	for z := html.NewTokenizer(bytes.NewReader(page.body())); z.Next() != html.ErrorToken; {
		for _, a := range z.Token().Attr {
			if u, err := base.Parse(a.Val); a.Key == "href" && err == nil {
				u.Fragment = ""
				links = append(links, u.String())
			}
		}
	}
	return links
}

// checkOutside checks that only the seeds' hosts were asked for anything: no
// address inside, no other name for one.
func checkOutside(t *testing.T, web *replay, normal string) {
	t.Helper()
	var all []hit
	web.get(t, "/log", &all)
	for _, h := range all {
		if h.Host != normal && !strings.HasSuffix(h.Host, ".hazard.test") {
			t.Errorf("%s was asked for", h.URL)
		}
	}
}

// checkReported checks that the rejects tell what was wrong with each hazard that
// does not end by itself.
func checkReported(t *testing.T, out string) {
	t.Helper()
	told := map[string]bool{}
	for u, rule := range rejects(t, out) {
		if parsed, err := url.Parse(u); err == nil {
			told[parsed.Hostname()+" "+rule] = true
		}
	}
	// On a busy machine a bomb may take its time before it is too large.
	const bomb = "bomb.hazard.test "
	told[bomb+"too_large"] = told[bomb+"too_large"] || told[bomb+"slow_body"]
	for _, want := range []string{
		"bomb.hazard.test too_large",
		"endless.hazard.test too_large",
		"slow.hazard.test slow_body",
		"chain.hazard.test too_many_redirects",
		"lies.hazard.test not_html",
		"calendar.hazard.test mirror",
		"inside.hazard.test redirect_address",
	} {
		if !told[want] {
			t.Errorf("the rejects do not tell: %s", want)
		}
	}
}
