package sqlitestore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

// The links of one crawl come once each, over many hosts, more of them than are
// read at a time, and in a closed host, too; those of another do not.
func TestEachWaiting(t *testing.T) {
	t.Parallel()
	s := open(t, Options{})
	want := map[string]bool{}
	for _, crawl := range []string{"a", "b", "a@2"} {
		for host := range 5 {
			var links []frontier.Link
			for i := range chunkRows / 4 {
				l := frontier.Link{URL: fmt.Sprintf("http://%s%d.test/%d", crawl[:1], host, i), Priority: float64(i % 3), Round: i % 2}
				links = append(links, l)
				want[l.URL] = want[l.URL] || crawl == "a"
			}
			if err := s.Backlog().Add(t.Context(), crawl, links); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Backlog().Close(t.Context(), "a", "a1.test", "robots"); err != nil {
		t.Fatal(err)
	}
	for links, err := range s.EachWaiting(t.Context(), "a") {
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range links {
			if !want[l.URL] {
				t.Fatalf("%s came twice, or is another crawl's", l.URL)
			}
			want[l.URL] = false
		}
	}
	for url, missing := range want {
		if missing {
			t.Errorf("%s is missing", url)
		}
	}
}

// Each chunk begins where the one before ended: a search by host would walk over
// all that came before, for each chunk again.
func TestEachWaitingGoesOn(t *testing.T) {
	t.Parallel()
	s := open(t, Options{})
	var plan []string
	err := s.read(t.Context(), func(c *conn) error {
		return c.query("EXPLAIN QUERY PLAN "+waitingAfter, func(r row) error {
			plan = append(plan, r.text(3))
			return nil
		}, 1, 0, 0.5, 0.5, "http://a.test/", 1, chunkRows)
	})
	if err != nil {
		t.Fatal(err)
	}
	onBacklog := slices.DeleteFunc(plan, func(step string) bool { return !strings.Contains(step, "backlog") })
	want := []string{"SEARCH backlog USING PRIMARY KEY ((host,round,rank,tie,url)>(?,?,?,?,?))"}
	if diff := cmp.Diff(want, onBacklog); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}
