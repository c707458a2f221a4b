package sqlitestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"modernc.org/sqlite"

	"sluice/shared/fault"
	"sluice/shared/local/filecorpus"
	"sluice/shared/memo"
	"sluice/shared/state/frontier"
)

// errReadOnly is what writes to a store opened by OpenReader return.
var errReadOnly = fault.New(fault.Permanent, "store", errors.New("store is open for reading"))

// ErrEmpty says that a store was never made: its process was killed before.
var ErrEmpty = errors.New("store is empty")

// OpenReader opens the store at path to look into it while another process
// may be writing. What it keeps in memory (Queued) is of the moment it was
// opened. Writes fail. It needs no write access to file or folder, unless a
// process that was killed has left a log beside the file.
func OpenReader(path string) (*Store, error) {
	s, err := openReader(path, mustExist)
	if !lacksAccess(err) {
		return s, err
	}
	mode, merr := modeWithoutAccess(path)
	if merr != nil {
		return nil, errors.Join(err, merr)
	}
	if s, rerr := openReader(path, mode); rerr == nil {
		return s, nil
	}
	return nil, err
}

// lacksAccess reports whether SQLite failed as it does where it may not write.
func lacksAccess(err error) bool {
	const readonly, cantOpen = 8, 14 // SQLITE_READONLY, SQLITE_CANTOPEN
	var failed *sqlite.Error
	return errors.As(err, &failed) && slices.Contains([]int{readonly, cantOpen}, failed.Code()&0xff)
}

// modeWithoutAccess returns how to read a store without write access: as it changes
// where another process writes, else as a file that does not change.
func modeWithoutAccess(path string) (string, error) {
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return readOnly, nil
	}
	busy, err := filecorpus.Busy(filepath.Dir(path))
	if busy || err != nil {
		return readOnly, err
	}
	return unchanging, nil
}

func openReader(path, mode string) (*Store, error) {
	s := &Store{
		path: path, readers: make(chan *conn, 1), links: memo.New[string, frontier.Link](knownLinks),
		closing: make(chan struct{}), closed: make(chan struct{}),
	}
	s.opts.Now = time.Now
	close(s.closed) // there is no writer to wait for
	c, err := openConn(path, mode, "busy_timeout=10000")
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	s.readers <- c
	if err := s.loadFrom(c); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, errors.Join(err, s.closeConns()))
	}
	return s, nil
}

// Verify reads the whole file and reports damaged pages. It does not check the
// contents of rows.
func (s *Store) Verify(ctx context.Context) error {
	var found []error
	err := s.read(ctx, func(c *conn) error {
		return c.query("PRAGMA quick_check(5)", func(r row) error {
			if r.text(0) != "ok" {
				found = append(found, errors.New(r.text(0)))
			}
			return nil
		})
	})
	if err = errors.Join(append(found, err)...); err != nil {
		return fmt.Errorf("verify store %s: %w", s.path, err)
	}
	return nil
}

// loadFrom reads what a reader keeps in memory.
func (s *Store) loadFrom(c *conn) error {
	version, err := c.pragmaInt("user_version")
	if err != nil {
		return err
	}
	switch version {
	case 0:
		return ErrEmpty
	case 1:
		if _, err := c.exec(asVersion2); err != nil {
			return err
		}
	case schemaVersion:
	default:
		return fmt.Errorf("store has version %d, this program reads %d", version, schemaVersion)
	}
	if _, err := c.exec("PRAGMA query_only=1"); err != nil {
		return err
	}
	_, err = c.one("SELECT seed FROM store", func(r row) {
		s.seed = uint64(r.int(0)) //nolint:gosec // stored as int64 bits
	})
	if err != nil {
		return err
	}
	return s.loadNames(c)
}

// Len returns the links of a crawl that wait, closed hosts left out.
func (b *Backlog) Len(ctx context.Context, crawl string) (int, error) {
	n := 0
	err := b.s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		_, err := c.one("SELECT coalesce(sum(links), 0) FROM depth WHERE crawl = ? AND open = 1", func(r row) { n = int(r.int(0)) }, id)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("count backlog: %w", err)
	}
	return n, nil
}
