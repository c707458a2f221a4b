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
	"slices"

	"sluice/shared/local/filecorpus"
)

// ForgottenFile is the log of what was forgotten: a line of JSON for each call
// and target.
const ForgottenFile = "forgotten.jsonl"

// begunFile notes what a call is to remove, from before it begins until the log
// has it.
const begunFile = "forgotten.begun.json"

// Note implements forget.Journal. A note that names exports outside the folder
// is an error.
func (f *forgetting) Note(context.Context) ([]byte, error) {
	data, err := os.ReadFile(f.path(begunFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var begun struct{ Exports []string }
	if err == nil {
		err = json.Unmarshal(data, &begun)
	}
	if err == nil && slices.ContainsFunc(begun.Exports, f.outside) {
		err = fmt.Errorf("%s is damaged, or not of this folder", begunFile)
	}
	return data, err
}

// SetNote implements forget.Journal.
func (f *forgetting) SetNote(_ context.Context, note []byte) error {
	if note == nil {
		return os.Remove(f.path(begunFile))
	}
	return filecorpus.Write(f.path(begunFile), note)
}

// outside reports whether a name is not that of a folder inside the folder: one
// that leads out of it, also by a link, or the folder itself.
func (f *forgetting) outside(name string) bool {
	name = filepath.Clean(filepath.FromSlash(name))
	if name == "." || !filepath.IsLocal(name) {
		return true
	}
	base, err := filepath.EvalSymlinks(f.dir)
	if err != nil {
		return true
	}
	at, err := filepath.EvalSymlinks(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false // it went
	}
	return err != nil || at != filepath.Join(base, name)
}

// Mark implements forget.Journal: it is the length of the log.
func (f *forgetting) Mark(context.Context) (int64, error) {
	info, err := os.Stat(f.path(ForgottenFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("find log: %w", err)
	}
	return info.Size(), nil
}

// Log implements forget.Journal.
func (f *forgetting) Log(_ context.Context, mark int64, lines []byte) error {
	before, err := os.ReadFile(f.path(ForgottenFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read log: %w", err)
	}
	before = before[:min(mark, int64(len(before)))]
	before = before[:bytes.LastIndexByte(before, '\n')+1] // a line that was torn says nothing
	return filecorpus.Write(f.path(ForgottenFile), slices.Concat(before, lines))
}
