// Package sqlitestore keeps the state of crawls in one SQLite file: queue,
// backlog, ledger, history, host leases, robots rules. On one machine it replaces
// the cloud's services, with the same semantics. Its memory is constant, also for
// crawls of millions of URLs.
//
// Once a call has returned, its result survives a kill of the process at any
// moment, and a power failure except for the last commits (WAL,
// synchronous=NORMAL). One process writes at a time; others may read.
package sqlitestore

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"sluice/shared/memo"
	"sluice/shared/state/frontier"
)

// Options are the queue's settings and the clock.
type Options struct {
	Visibility  time.Duration // how long a delivery is invisible; 0 means 10 minutes
	MaxReceives int           // receives before a task is dead; 0 means 5
	Poll        time.Duration // how long Receive waits; 0 means 1 second

	// Lanes is how coarse the queue's order is: 0 is exact, by priority; N
	// lanes by the logarithm of priority over LaneBase, as in the cloud.
	Lanes    int
	LaneBase float64 // the priority threshold of the crawl; 0 means 1

	Now func() time.Time // nil means time.Now
}

// Cache sizes in KiB. The writer's holds the upper levels of the URL table of
// a crawl of millions; a reader's is dropped at every commit anyway.
const (
	writerCache = 48 << 10
	readerCache = 4 << 10
	readers     = 4
)

// Store is an open store. It is safe for concurrent use.
type Store struct {
	path string
	opts Options
	seed uint64

	writer  *conn
	ops     chan *op
	commits int // by writeLoop only

	readers chan *conn
	gate    sync.RWMutex // held by reads; locked to empty the WAL

	crawls sync.Map                          // name → int64
	links  *memo.Memo[string, frontier.Link] // decoded, by what is stored
	gauge  gauge
	wake   signal
	turn   atomic.Uint64 // counts receives

	closing   chan struct{}
	closed    chan struct{} // the writer has ended
	closeOnce sync.Once
	closeErr  error
}

// Open opens or creates the store at path. The folder must exist.
func Open(path string, opts Options) (*Store, error) {
	opts.Visibility = cmp.Or(opts.Visibility, 10*time.Minute)
	opts.MaxReceives = cmp.Or(opts.MaxReceives, 5)
	opts.Poll = cmp.Or(opts.Poll, time.Second)
	if !(opts.LaneBase > 0) {
		opts.LaneBase = 1
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	s := &Store{
		path: path, opts: opts, links: memo.New[string, frontier.Link](knownLinks),
		ops:     make(chan *op),
		readers: make(chan *conn, readers),
		closing: make(chan struct{}),
		closed:  make(chan struct{}),
	}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, errors.Join(err, s.closeConns()))
	}
	go s.writeLoop()
	return s, nil
}

func (s *Store) open() error {
	pragmas := []string{"busy_timeout=10000", "synchronous=NORMAL", "temp_store=MEMORY"}

	var err error
	s.writer, err = openConn(s.path, mayCreate, append(pragmas, "journal_mode=WAL", "wal_autocheckpoint=4000",
		pragma("journal_size_limit", maxWAL), pragma("cache_size", -writerCache))...)
	if err != nil {
		return err
	}
	if err := create(s.writer); err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	for range readers {
		c, err := openConn(s.path, mustExist, append(pragmas, pragma("cache_size", -readerCache))...)
		if err != nil {
			return err
		}
		s.readers <- c
	}
	return nil
}

// load reads what the store keeps in memory.
func (s *Store) load() error {
	var lanes int
	var base float64
	_, err := s.writer.one("SELECT seed, lanes, lane_base FROM store", func(r row) {
		s.seed = uint64(r.int(0)) //nolint:gosec // stored as int64 bits
		lanes, base = int(r.int(1)), r.float(2)
	})
	if err != nil {
		return err
	}
	if lanes != s.opts.Lanes || base != s.opts.LaneBase {
		if err := s.transact(func(tx *tx) error { return relane(tx, s.opts) }); err != nil {
			return err
		}
	}
	return s.loadNames(s.writer)
}

// loadNames reads the names of the crawls and what each has queued.
func (s *Store) loadNames(c *conn) error {
	err := c.query("SELECT id, name FROM crawls", func(r row) error {
		s.crawls.Store(r.text(1), r.int(0))
		return nil
	})
	if err != nil {
		return err
	}
	return c.query("SELECT crawl, host, sum(links) FROM messages GROUP BY crawl, host", func(r row) error {
		s.gauge.add(r.text(0), r.text(1), int(r.int(2)))
		return nil
	})
}

// Close waits for writes under way and closes the file. Calls after it fail.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		close(s.closing)
		<-s.closed
		s.gate.Lock() // the last reads have ended
		defer s.gate.Unlock()
		s.closeErr = s.closeConns()
	})
	return s.closeErr
}

// closeConns closes the readers first: the last connection, the writer's,
// then empties the log into the file.
func (s *Store) closeConns() error {
	var errs []error
	for {
		select {
		case c := <-s.readers:
			errs = append(errs, c.close())
			continue
		default:
		}
		break
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	return errors.Join(errs...)
}
