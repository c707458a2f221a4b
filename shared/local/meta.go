package local

import (
	"context"
	"encoding/json"
	"fmt"

	"sluice/shared/local/sqlitestore"
)

// keepJSON keeps a value in the store.
func keepJSON(ctx context.Context, st *sqlitestore.Store, key string, value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		err = st.SetMeta(ctx, key, string(text))
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", key, err)
	}
	return nil
}

// readJSON reads a value that is kept in the store; without one it leaves value as it
// is.
func readJSON(ctx context.Context, st *sqlitestore.Store, key string, value any) error {
	text, _, err := st.Meta(ctx, key)
	if err == nil && text != "" {
		err = json.Unmarshal([]byte(text), value)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", key, err)
	}
	return nil
}
