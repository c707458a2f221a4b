package sqlitestore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"sluice/shared/state/ledger"
)

// The history is one dense run of URLs for each round, so that a draw is a
// random position. Entries of a reproducible crawl (round > 0) are staged first
// and get their positions together, in the order of their URLs, when a task of
// a later round asks: positions then don't depend on which task was faster.
// Entries of round 0 get theirs at once.

const positionBits = 32

// historyID is where position pos, from 1, of a crawl's round is stored.
func historyID(crawl, round, pos int64) int64 {
	return (crawl*maxRounds+round)<<positionBits | pos
}

var errRound = errors.New("round is out of range")

// remember adds a relevant URL to the history.
func (tx *tx) remember(crawl int64, round int, url string) error {
	if round > 0 {
		_, err := tx.exec("INSERT OR IGNORE INTO staged VALUES (?, ?, ?)", crawl, round, url)
		return err
	}
	_, err := tx.exec("INSERT INTO runs VALUES (?, 0, 1) ON CONFLICT DO UPDATE SET size = size + 1", crawl)
	if err != nil {
		return err
	}
	_, err = tx.exec("INSERT INTO history SELECT ? + size, ? FROM runs WHERE crawl = ? AND round = 0", historyID(crawl, 0, 0), url, crawl)
	return err
}

// publish gives positions to what is staged for the rounds before end.
func (tx *tx) publish(crawl, end int64) error {
	var rounds []int64
	err := tx.query("SELECT DISTINCT round FROM staged WHERE crawl = ? AND round < ? ORDER BY round", func(r row) error {
		rounds = append(rounds, r.int(0))
		return nil
	}, crawl, end)
	if err != nil {
		return err
	}
	for _, round := range rounds {
		var size int64
		_, err := tx.one("SELECT size FROM runs WHERE crawl = ? AND round = ?", func(r row) { size = r.int(0) }, crawl, round)
		if err != nil {
			return err
		}
		res, err := tx.exec(`INSERT INTO history SELECT ? + row_number() OVER (ORDER BY url), url
			FROM staged WHERE crawl = ? AND round = ?`, historyID(crawl, round, size), crawl, round)
		if err != nil {
			return err
		}
		added, err := res.RowsAffected()
		if err != nil {
			return err
		}
		_, err = tx.exec("INSERT INTO runs VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET size = size + excluded.size", crawl, round, added)
		if err != nil {
			return err
		}
		if _, err := tx.exec("DELETE FROM staged WHERE crawl = ? AND round = ?", crawl, round); err != nil {
			return err
		}
	}
	return nil
}

// Sample implements ledger.History. A call for a round says that the rounds
// before it are over; entries of theirs that come later are drawn from too,
// but after the others.
func (l *Ledger) Sample(ctx context.Context, crawl string, round, n int, rng *rand.Rand) ([]string, error) {
	if n <= 0 {
		return nil, ctx.Err()
	}
	id, err := l.s.crawlID(ctx, crawl)
	if err != nil {
		return nil, fmt.Errorf("sample history: %w", err)
	}
	end := int64(round)
	if round <= 0 || round > maxRounds {
		end = maxRounds
	}
	h, err := l.runs(ctx, id, end)
	if err == nil && h.staged {
		err = l.s.write(ctx, func(tx *tx) error { return tx.publish(id, end) })
		if err == nil {
			h, err = l.runs(ctx, id, end)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("sample history: %w", err)
	}
	urls, err := l.urls(ctx, h.draw(id, n, rng))
	if err != nil {
		return nil, fmt.Errorf("sample history: %w", err)
	}
	return urls, nil
}

// runs is how much history there is, by round.
type runs struct {
	rounds, sizes []int64
	total         int64
	staged        bool // some is not published yet
}

func (l *Ledger) runs(ctx context.Context, crawl, end int64) (runs, error) {
	var h runs
	err := l.s.read(ctx, func(c *conn) error {
		var err error
		h.staged, err = c.one("SELECT 1 FROM staged WHERE crawl = ? AND round < ? LIMIT 1", func(row) {}, crawl, end)
		if err != nil {
			return err
		}
		return c.query("SELECT round, size FROM runs WHERE crawl = ? AND round < ? ORDER BY round", func(r row) error {
			h.rounds = append(h.rounds, r.int(0))
			h.sizes = append(h.sizes, r.int(1))
			h.total += r.int(1)
			return nil
		}, crawl, end)
	})
	return h, err
}

// draw returns n different ids, uniformly, in the order drawn, by Floyd's
// algorithm: n random numbers for any total.
func (h *runs) draw(crawl int64, n int, rng *rand.Rand) []int64 {
	n = int(min(int64(n), h.total))
	ids := make([]int64, 0, n)
	drawn := make(map[int64]bool, n)
	for i := h.total - int64(n); i < h.total; i++ {
		p := rng.Int64N(i + 1)
		if drawn[p] {
			p = i
		}
		drawn[p] = true
		ids = append(ids, h.id(crawl, p))
	}
	return ids
}

// id returns where the p-th entry over all rounds is stored.
func (h *runs) id(crawl, p int64) int64 {
	for i, size := range h.sizes {
		if p < size {
			return historyID(crawl, h.rounds[i], p+1)
		}
		p -= size
	}
	panic("sqlitestore: position beyond the history")
}

// urls reads the URLs of ids, in order.
func (l *Ledger) urls(ctx context.Context, ids []int64) ([]string, error) {
	out := make([]string, len(ids))
	place := make(map[int64]int, len(ids))
	args := make([]any, len(ids))
	for i, id := range ids {
		place[id] = i
		args[i] = id
	}
	err := l.s.read(ctx, func(c *conn) error {
		for len(args) > 0 {
			n := min(len(args), 2*batchRows)
			err := c.queryN("SELECT id, url FROM (VALUES [(?)]) CROSS JOIN history ON id = column1", n, args[:n], func(r row) error {
				out[place[r.int(0)]] = r.text(1)
				return nil
			})
			if err != nil {
				return err
			}
			args = args[n:]
		}
		return nil
	})
	return out, err
}

// checkRound refuses a round that has no place among the history's ids.
func checkRound(e *ledger.Entry) error {
	if e.Round < 0 || e.Round >= maxRounds {
		return permanent(fmt.Sprintf("round %d", e.Round), errRound)
	}
	return nil
}
