package local_test

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/state/job"
)

// leading is a web of one host whose pages lead to each other and, first of all, to
// hosts that cannot be reached.
type leading struct{}

func (leading) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "up.test" {
		return nil, errRefused
	}
	n, links := 0, ""
	if found, _ := fmt.Sscanf(path.Base(r.URL.String()), "%d", &n); found == 0 { // robots.txt and the like
		return answer(r, http.StatusNotFound, ""), nil
	}
	for i := range 3 {
		links += fmt.Sprintf("<a href=http://away%d.test/%d>股市 银行 %d</a> ", i, n, n)
	}
	for i := range 9 {
		links += fmt.Sprintf("<a href=/%d>股市 银行 %d</a> ", 9*n+i, 9*n+i)
	}
	return answer(r, http.StatusOK, "<title>股市 银行</title>"+links+text(r.URL.String())), nil
}

// Links of hosts that are down hold no part of the budget: it is spent at once on those of
// others, and not exceeded.
func TestBudgetBesideHostsThatAreDown(t *testing.T) {
	t.Parallel()
	for _, strategy := range []string{"semantic", "hybrid", "best-first"} {
		t.Run(strategy, func(t *testing.T) {
			t.Parallel()
			bubble.Test(t, func(t *testing.T) {
				yaml := strings.NewReplacer("SCOPE", "any", "max_pages: 100", "max_pages: 20").Replace(topicYAML) + "strategy: " + strategy + "\n"
				s := specOf(t, yaml, "http://up.test/1")
				s.Transport, s.Contact = leading{}, "https://me.test/"
				begun := time.Now()
				sum := run(t, s)
				if sum.Fetched != 20 || sum.StopReason != job.ReasonMaxPages {
					t.Errorf("%d pages fetched, stopped for %s; want 20, %s", sum.Fetched, sum.StopReason, job.ReasonMaxPages)
				}
				if took := time.Since(begun); took > time.Minute {
					t.Errorf("the crawl took %v: it waited for hosts that are down", took)
				}
			})
		})
	}
}
