package sqlitestore

import (
	"context"
	"fmt"
)

// Meta returns a value that SetMeta stored, and whether there is one.
func (s *Store) Meta(ctx context.Context, key string) (string, bool, error) {
	var value string
	var ok bool
	err := s.read(ctx, func(c *conn) (err error) {
		ok, err = c.one("SELECT value FROM meta WHERE key = ?", func(r row) { value = r.text(0) }, key)
		return err
	})
	if err != nil {
		return "", false, fmt.Errorf("read meta %s: %w", key, err)
	}
	return value, ok, nil
}

// SetMeta stores a small value, such as the configuration of a crawl.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	err := s.write(ctx, func(tx *tx) error { return setMeta(tx, key, value) })
	if err != nil {
		return fmt.Errorf("write meta %s: %w", key, err)
	}
	return nil
}

// setMeta stores a string or bytes.
func setMeta(tx *tx, key string, value any) error {
	_, err := tx.exec("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value)
	return err
}
