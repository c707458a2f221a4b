package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/forget"
)

// SiftFile is where a folder keeps what was sifted into it. One that has it has
// no crawl.
const SiftFile = "sift.json"

// refusedFile is where a folder without a store keeps the forget.List of what
// must not come back: the URLs and hosts that were named, and those that turned
// out to be of the same pages. It holds hashes.
const refusedFile = "forgotten.list"

// forgottenKey is where the store keeps that list.
const forgottenKey = "forgotten"

// ReadForgotten returns what must not come back into a folder without a crawl:
// what was taken out of it, and what its log names. A log that cannot be read is
// an error.
func ReadForgotten(dir string) (*forget.List, error) {
	list := new(forget.List)
	text, err := os.ReadFile(filepath.Join(dir, refusedFile))
	if err == nil {
		err = list.UnmarshalText(text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what is forgotten in %s: %w", dir, err)
	}
	targets, err := loggedTargets(filepath.Join(dir, ForgottenFile))
	if err != nil {
		return nil, err
	}
	return list.Join(forget.NewSet(targets).List()), nil
}

// loggedTargets returns what a log names.
func loggedTargets(path string) (targets []forget.Target, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	err = forget.EachLine(f, func(line []byte) error {
		var l forget.Done
		if err := json.Unmarshal(line, &l); err != nil {
			if !bytes.HasSuffix(line, []byte("\n")) {
				return nil // torn: its call was not ended, and is repeated
			}
			return err
		}
		t, err := forget.Parse(l.Target)
		targets = append(targets, t)
		return err
	})
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return targets, nil
}

// readForgotten reads what a crawl must not fetch again.
func readForgotten(ctx context.Context, st *sqlitestore.Store) (*forget.List, error) {
	list := new(forget.List)
	text, _, err := st.Meta(ctx, forgottenKey)
	if err != nil {
		return nil, err
	}
	return list, list.UnmarshalText([]byte(text))
}

// refuse adds pages to those that must not come back: by a crawl, or by a sift.
func (f *forgetting) refuse(ctx context.Context, pages *forget.List) error {
	if f.sift {
		known, err := ReadForgotten(f.dir)
		if err != nil {
			return err
		}
		text, err := known.Join(pages).MarshalText()
		if err != nil {
			return err
		}
		return filecorpus.Write(f.path(refusedFile), text)
	}
	if f.store == "" {
		return nil
	}
	return f.write(func(st *sqlitestore.Store) error {
		known, err := readForgotten(ctx, st)
		if err != nil {
			return err
		}
		text, err := known.Join(pages).MarshalText()
		if err != nil {
			return err
		}
		return st.SetMeta(ctx, forgottenKey, string(text))
	})
}
