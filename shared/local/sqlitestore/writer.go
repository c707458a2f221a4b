package sqlitestore

import (
	"context"
	"errors"
	"os"
	"runtime"

	"sluice/shared/fault"
)

// maxGroup is how many writes share a commit at most: enough for every worker
// of a crawl, few enough for the last to come soon.
const maxGroup = 256

// maxYields is how often in a row the writer gives the processor away before it
// commits.
const maxYields = 4

// maxWAL is the size of the write-ahead log, in bytes, from which it is
// emptied by force.
const maxWAL = 64 << 20

// errClosed is what calls to a closed store return.
var errClosed = fault.New(fault.Permanent, "store", errors.New("store is closed"))

// op is one write: run is called in a transaction, once or, if its group fails,
// twice. An op that returns its own error has written nothing.
type op struct {
	run  func(*tx) error
	err  error
	done chan struct{}
}

// write runs an op and returns when it is committed. Callers that wait at the
// same time share one transaction, which makes small writes cheap. An op that
// has begun is finished even if ctx ends.
func (s *Store) write(ctx context.Context, run func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.writer == nil {
		return errReadOnly
	}
	o := &op{run: run, done: make(chan struct{})}
	select {
	case s.ops <- o:
		<-o.done
		return o.err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
}

// writeLoop is the one goroutine that writes.
func (s *Store) writeLoop() {
	defer close(s.closed)
	var group []*op
	for {
		select {
		case <-s.closing:
			return
		case o := <-s.ops:
			group = append(group[:0], o)
		}
		group = s.gather(group)
		s.commit(group)
		for _, o := range group {
			close(o.done)
		}
		s.checkpoint()
	}
}

// gather adds the ops of callers that wait right now, or will as soon as they
// get the processor: those the last commit has woken, mostly. With that the
// groups are five times as large and a page costs a sixth less; a timer was
// measured to save nothing on top.
func (s *Store) gather(group []*op) []*op {
	for yields := 0; len(group) < maxGroup; {
		select {
		case o := <-s.ops:
			group = append(group, o)
			yields = 0
		default:
			if yields == maxYields {
				return group
			}
			yields++
			runtime.Gosched()
		}
	}
	return group
}

// commit runs a group in one transaction. If the database fails one of them,
// each runs in a separate transaction, so that the failure affects no other.
func (s *Store) commit(group []*op) {
	err := s.transact(func(tx *tx) error {
		for _, o := range group {
			if o.err = o.run(tx); tx.failed != nil {
				return tx.failed
			}
		}
		return nil
	})
	switch {
	case err == nil:
	case len(group) == 1:
		group[0].err = err
	default:
		for i := range group {
			s.commit(group[i : i+1])
		}
	}
}

// transact runs f in a transaction, commits, and then runs what f left to be
// done after the commit.
func (s *Store) transact(f func(*tx) error) error {
	s.writer.failed = nil
	tx := &tx{conn: s.writer}
	_, err := tx.exec("BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	if err = f(tx); err == nil {
		err = tx.flush()
	}
	if err == nil {
		_, err = tx.exec("COMMIT")
	}
	if err != nil {
		// Some failures (a full disk) have rolled back already, then this
		// fails and there is nothing to add to err.
		_, _ = tx.exec("ROLLBACK")
		return err
	}
	for _, f := range tx.after {
		f()
	}
	return nil
}

// checkpoint empties the write-ahead log where readers, one always beginning
// before another ends, have kept SQLite from starting it afresh: it holds new
// ones back for a moment. The error is the next commit's to report.
func (s *Store) checkpoint() {
	s.commits++
	if s.commits%64 != 0 {
		return
	}
	if fi, err := os.Stat(s.path + "-wal"); err != nil || fi.Size() < maxWAL {
		return
	}
	s.gate.Lock()
	defer s.gate.Unlock()
	_ = s.writer.query("PRAGMA wal_checkpoint(TRUNCATE)", func(row) error { return nil })
}

// read runs f on a read connection: it sees all writes that have returned.
func (s *Store) read(ctx context.Context, f func(*conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.gate.RLock()
	defer s.gate.RUnlock()
	select {
	case c := <-s.readers:
		defer func() { s.readers <- c }()
		return f(c)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
}
