package sqlitestore

import (
	"context"
	"fmt"
)

// Refuse notes that a page which the ledger has as kept is not in the corpus any
// more, by which rule. It may be noted again.
func (s *Store) Refuse(ctx context.Context, crawl, url, rule string) error {
	err := s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		_, err := tx.exec("INSERT INTO refused VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET rule = excluded.rule", id, url, rule)
		return err
	})
	if err != nil {
		return fmt.Errorf("note refusal of %s: %w", url, err)
	}
	return nil
}

// Refused returns how many pages Refuse has noted, by rule.
func (s *Store) Refused(ctx context.Context, crawl string) (map[string]int64, error) {
	rules := map[string]int64{}
	err := s.readRefused(ctx, crawl, func(c *conn, id int64) error {
		return c.query("SELECT rule, count(*) FROM refused WHERE crawl = ? GROUP BY rule", func(r row) error {
			rules[r.text(0)] = r.int(1)
			return nil
		}, id)
	})
	if err != nil {
		return nil, fmt.Errorf("count refusals: %w", err)
	}
	return rules, nil
}

// RefusedPages returns the rule of each page that Refuse has noted.
func (s *Store) RefusedPages(ctx context.Context, crawl string) (map[string]string, error) {
	rules := map[string]string{}
	err := s.readRefused(ctx, crawl, func(c *conn, id int64) error {
		return c.query("SELECT url, rule FROM refused WHERE crawl = ?", func(r row) error {
			rules[r.text(0)] = r.text(1)
			return nil
		}, id)
	})
	if err != nil {
		return nil, fmt.Errorf("list refusals: %w", err)
	}
	return rules, nil
}

// RefusedBy returns the rule by which Refuse has noted a URL, "" where it has
// not.
func (s *Store) RefusedBy(ctx context.Context, crawl, url string) (rule string, err error) {
	err = s.readRefused(ctx, crawl, func(c *conn, id int64) error {
		_, err := c.one("SELECT rule FROM refused WHERE crawl = ? AND url = ?", func(r row) { rule = r.text(0) }, id, url)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("look for refusal of %s: %w", url, err)
	}
	return rule, nil
}

// readRefused reads the table of refusals, unless the file is of a time before
// there was one: a reader adds none.
func (s *Store) readRefused(ctx context.Context, crawl string, f func(c *conn, id int64) error) error {
	return s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		there, err := c.one("SELECT 1 FROM sqlite_schema WHERE name = 'refused'", func(row) {})
		if err != nil || !there {
			return err
		}
		return f(c, id)
	})
}
