package sqlitestore

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"sluice/shared/state/job"
)

// Coverages implements job.Coverages. What it has read or written of a crawl it
// remembers: no other process writes.
type Coverages struct {
	s *Store

	mu    sync.Mutex
	known map[string]job.Coverage
}

var _ job.Coverages = (*Coverages)(nil)

// Coverages returns the coverage of all crawls in the store. Use one at a time.
func (s *Store) Coverages() *Coverages { return &Coverages{s: s, known: map[string]job.Coverage{}} }

// Cover implements job.Coverages.
func (c *Coverages) Cover(ctx context.Context, crawl string, more job.Coverage) error {
	c.mu.Lock()
	known, err := c.read(ctx, crawl)
	all := known.With(more)
	c.known[crawl] = all
	c.mu.Unlock()
	if err != nil || all.Equal(known) {
		return err
	}
	err = c.s.write(ctx, func(tx *tx) error {
		c.mu.Lock()
		samples := encodeSamples(c.known[crawl]) // with what others have added meanwhile
		c.mu.Unlock()
		return setMeta(tx, samplesKey(crawl), samples)
	})
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.known, crawl)
		return fmt.Errorf("write coverage of %s: %w", crawl, err)
	}
	return nil
}

// Covered implements job.Coverages.
func (c *Coverages) Covered(ctx context.Context, crawl string) (job.Coverage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read(ctx, crawl)
}

func (c *Coverages) read(ctx context.Context, crawl string) (job.Coverage, error) {
	known, ok := c.known[crawl]
	if ok {
		return known, nil
	}
	var samples []byte
	err := c.s.read(ctx, func(conn *conn) error {
		_, err := conn.one("SELECT value FROM meta WHERE key = ?", func(r row) { samples = r.bytes(0) }, samplesKey(crawl))
		return err
	})
	switch {
	case err != nil:
	case samples == nil:
		known, err = c.readText(ctx, crawl)
	default:
		known, err = decodeSamples(samples)
	}
	if err != nil {
		return job.Coverage{}, fmt.Errorf("read coverage of %s: %w", crawl, err)
	}
	c.known[crawl] = known
	return known, nil
}

// readText reads the coverage of a crawl that an older program began.
func (c *Coverages) readText(ctx context.Context, crawl string) (known job.Coverage, err error) {
	text, found, err := c.s.Meta(ctx, "coverage "+crawl)
	if err == nil && found {
		err = json.Unmarshal([]byte(text), &known)
	}
	return known, err
}

func samplesKey(crawl string) string { return "samples " + crawl }

// encodeSamples writes the hashes of both samples after the number of those of documents,
// four bytes each: full samples always take the same place in the file.
func encodeSamples(c job.Coverage) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(c.Documents))) //nolint:gosec // 512 at most
	for _, hash := range slices.Concat(c.Documents, c.Words) {
		b = binary.LittleEndian.AppendUint32(b, hash)
	}
	return b
}

func decodeSamples(b []byte) (job.Coverage, error) {
	var all []uint32
	for ; len(b) >= 4; b = b[4:] {
		all = append(all, binary.LittleEndian.Uint32(b))
	}
	if len(b) > 0 || len(all) == 0 || int(all[0]) >= len(all) {
		return job.Coverage{}, errSamples
	}
	n := 1 + all[0]
	return job.Coverage{Documents: job.Sample(nil).With(all[1:n]...), Words: job.Sample(nil).With(all[n:]...)}, nil
}

var errSamples = errors.New("the samples are cut off")
