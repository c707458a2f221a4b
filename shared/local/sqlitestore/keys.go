package sqlitestore

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/zeebo/xxh3"

	"sluice/shared/fault"
	"sluice/shared/web/urlnorm"
)

// key is the key of a URL of a crawl. Its first 4 bytes are a hash of the host,
// so that the URLs of a site are together on few pages of the file; the other
// 12 are a hash of the URL. Two URLs of one host collide with a probability of
// n²/2⁹⁷, 10⁻¹⁵ for a host of ten million URLs, and the later one would count
// as known.
type key [16]byte

func (s *Store) key(crawl int64, url string) key {
	seed := s.seed ^ uint64(crawl)*0x9e3779b97f4a7c15 //nolint:gosec // any 64 bits
	var k key
	h := xxh3.HashString128Seed(url, seed)
	binary.BigEndian.PutUint32(k[:4], uint32(xxh3.HashStringSeed(urlnorm.HostOf(url), seed))) //nolint:gosec // truncated on purpose
	binary.BigEndian.PutUint32(k[4:8], uint32(h.Hi))                                          //nolint:gosec // truncated on purpose
	binary.BigEndian.PutUint64(k[8:], h.Lo)
	return k
}

// maxCrawls and maxRounds bound what fits into a history id (history.go).
const (
	maxCrawls = 1 << 11
	maxRounds = 1 << 20
)

// crawlID returns the number of a crawl, which it gets at first use.
func (s *Store) crawlID(ctx context.Context, name string) (int64, error) {
	if v, ok := s.crawls.Load(name); ok {
		id, _ := v.(int64) // nothing else is stored
		return id, nil
	}
	if s.ops == nil { // open for reading: nothing is known of the crawl
		return 0, nil
	}
	var id int64
	err := s.write(ctx, func(tx *tx) error {
		if _, err := tx.exec("INSERT OR IGNORE INTO crawls (name) VALUES (?)", name); err != nil {
			return err
		}
		_, err := tx.one("SELECT id FROM crawls WHERE name = ?", func(r row) { id = r.int(0) }, name)
		return err
	})
	switch {
	case err != nil:
		return 0, err
	case id >= maxCrawls:
		return 0, fault.New(fault.Permanent, "store", errors.New("too many crawls in one store"))
	}
	s.crawls.Store(name, id)
	return id, nil
}

// readCrawl is read, with the number of a crawl.
func (s *Store) readCrawl(ctx context.Context, crawl string, f func(c *conn, id int64) error) error {
	id, err := s.crawlID(ctx, crawl)
	if err != nil {
		return err
	}
	return s.read(ctx, func(c *conn) error { return f(c, id) })
}

// writeCrawl is write, with the number of a crawl.
func (s *Store) writeCrawl(ctx context.Context, crawl string, run func(tx *tx, id int64) error) error {
	id, err := s.crawlID(ctx, crawl)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *tx) error { return run(tx, id) })
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }
