package sqlitestore

import (
	"context"
	"testing"
	"time"

	"sluice/shared/conformance"
	"sluice/shared/state/frontier/frontiertest"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
	"sluice/shared/state/ledger/ledgertest"
	"sluice/shared/text/boilerplate"
	"sluice/shared/text/boilerplate/boilerplatetest"
	"sluice/shared/web/hosts/hoststest"
)

func newClock() *conformance.Clock {
	return conformance.NewClock(time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC))
}

// deliveries whose visibility the suite runs out.
const (
	testVisibility  = time.Minute
	testMaxReceives = 3
)

func testOptions(c *conformance.Clock) Options {
	return Options{Visibility: testVisibility, MaxReceives: testMaxReceives, Poll: time.Millisecond, Now: c.Now}
}

func TestQueue(t *testing.T) {
	for name, lanes := range map[string]int{"exact order": 0, "one lane": 1, "lanes": 5} {
		t.Run(name, func(t *testing.T) {
			frontiertest.RunQueue(t, func(t *testing.T) *frontiertest.Queue {
				c := newClock()
				opts := testOptions(c)
				opts.Lanes = lanes
				return queueHarness(open(t, opts), c)
			})
		})
	}
}

func queueHarness(s *Store, c *conformance.Clock) *frontiertest.Queue {
	q := s.Queue()
	return &frontiertest.Queue{
		Queue: q, DeadLetters: q, Gauge: q,
		Visibility: testVisibility, MaxReceives: testMaxReceives, Advance: c.Advance,
		Inject: func(body []byte) error { return inject(s, body) },
		Buried: func(crawl string) (map[string]string, error) {
			letters, err := q.DeadLetters(context.Background(), crawl)
			out := map[string]string{}
			for _, l := range letters {
				out[l.Link.URL] = l.Reason
			}
			return out, err
		},
		Dead: func() (n int, err error) {
			err = s.read(context.Background(), func(c *conn) error {
				_, err := c.one("SELECT count(*) FROM dead", func(r row) { n = int(r.int(0)) })
				return err
			})
			return n, err
		},
	}
}

// inject puts a body into the queue that Send would not let in.
func inject(s *Store, body []byte) error {
	return s.write(context.Background(), func(tx *tx) error {
		_, err := tx.exec(`INSERT INTO messages (crawl, host, links, priority, best_tie, lane, rank, tie, status, visible, receives, body)
			VALUES ('', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, ?)`, body)
		return err
	})
}

func TestBacklog(t *testing.T) {
	frontiertest.RunBacklog(t, func(t *testing.T) *frontiertest.Backlog {
		s := open(t, testOptions(newClock()))
		b := s.Backlog()
		return &frontiertest.Backlog{
			Backlog: b, Directory: b, Raiser: b,
			Closed: func(crawl, host string) (string, error) {
				all, err := s.Hosts(t.Context(), crawl, 1000)
				for _, h := range all {
					if h.Host == host {
						return h.Closed, err
					}
				}
				return "", err
			},
		}
	})
}

func TestLedger(t *testing.T) {
	harness := func(t *testing.T) *ledgertest.Harness {
		c := newClock()
		s := open(t, testOptions(c))
		l := s.Ledger()
		return &ledgertest.Harness{Ledger: l, History: l, Accounts: l, Reader: l, Decisions: l, Reviver: l, Accepter: s, Now: c.Now, Advance: c.Advance}
	}
	ledgertest.Run(t, harness)
	ledgertest.RunDecisions(t, harness)
}

func TestHosts(t *testing.T) {
	hoststest.Run(t, func(t *testing.T) *hoststest.Harness {
		c := newClock()
		s := open(t, testOptions(c))
		return &hoststest.Harness{Leases: s.Leases(), RobotsCache: s.Robots(), Now: c.Now, Advance: c.Advance}
	})
}

func TestBoilerplate(t *testing.T) {
	boilerplatetest.Run(t, func(t *testing.T) func() boilerplate.Store {
		s := open(t, testOptions(newClock()))
		return func() boilerplate.Store { return s.Boilerplate() }
	})
}

func TestCoverages(t *testing.T) {
	jobtest.RunCoverages(t, func(t *testing.T) jobtest.Coverages {
		s := open(t, testOptions(newClock()))
		return jobtest.Coverages{Coverages: s.Coverages(), Again: func() job.Coverages { return s.Coverages() }}
	})
}
