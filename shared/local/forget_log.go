package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sluice/shared/local/filecorpus"
	"sluice/shared/state/forget"
)

// ForgottenFile is the log of what was forgotten: a line of JSON for each call
// and target.
const ForgottenFile = "forgotten.jsonl"

// begunFile notes what a call is to remove, from before it begins until the log
// has it.
const begunFile = "forgotten.begun.json"

// logged is a line of ForgottenFile.
type logged struct {
	At time.Time `json:"at"`
	ForgottenTarget
	Files   []string `json:"files"`
	Exports []string `json:"exports"`
}

// begun is what begunFile holds.
type begun struct {
	Targets []ForgottenTarget `json:"targets"`
	Files   []string          `json:"files"`
	Exports []string          `json:"exports"`
	Logged  int64             `json:"logged"` // bytes of the log before the call
}

// takeUp reads what a call has noted that was broken off. Its targets are also
// those of this call, whatever was named.
func (f *forgetting) takeUp(targets []forget.Target) error {
	data, err := os.ReadFile(filepath.Join(f.dir, begunFile))
	if err == nil {
		f.begun = new(begun)
		err = json.Unmarshal(data, f.begun)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what was begun: %w", err)
	}
	var all []forget.Target
	if f.begun != nil {
		if f.begun.Logged < 0 || slices.ContainsFunc(f.begun.Exports, f.outside) {
			return fmt.Errorf("read what was begun: %s is damaged, or not of this folder", begunFile)
		}
		for _, t := range f.begun.Targets {
			target, err := forget.Parse(t.Target)
			if err != nil {
				return fmt.Errorf("read what was begun: %w", err)
			}
			all = append(all, target)
		}
	}
	for _, t := range targets {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	f.set = forget.NewSet(all)
	return nil
}

// sumUp puts together what the survey has found, and what went before the call
// of which this one is the repetition was broken off.
func (f *forgetting) sumUp() {
	for i, t := range f.set.Targets() {
		f.out.Targets = append(f.out.Targets, ForgottenTarget{t.String(), *f.set.Tally(i)})
	}
	if f.begun == nil {
		return
	}
	// What had not gone was found again, so that the greater number is the sum.
	for i, t := range f.begun.Targets {
		f.out.Targets[i].Tally = t.Most(f.out.Targets[i].Tally)
	}
	f.out.Files = union(f.begun.Files, f.out.Files)
	f.out.Exports = union(f.begun.Exports, f.out.Exports)
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

// union appends to a list what it has not.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// noteBegun keeps what is about to go.
func (f *forgetting) noteBegun() error {
	if err := f.opts.effect("note"); err != nil {
		return err
	}
	b := begun{Targets: f.out.Targets, Files: f.out.Files, Exports: f.out.Exports}
	info, err := os.Stat(filepath.Join(f.dir, ForgottenFile))
	switch {
	case err == nil:
		b.Logged = info.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("find log: %w", err)
	}
	if f.begun != nil {
		b.Logged = min(b.Logged, f.begun.Logged) // it may have come into the log
	}
	f.begun = &b
	data, err := json.Marshal(&b)
	if err != nil {
		return fmt.Errorf("note what goes: %w", err)
	}
	return filecorpus.Write(filepath.Join(f.dir, begunFile), data)
}

// log notes what went, and that nothing is left to do.
func (f *forgetting) log() error {
	if err := f.opts.effect("log"); err != nil {
		return err
	}
	path := filepath.Join(f.dir, ForgottenFile)
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read log: %w", err)
	}
	before = before[:min(f.begun.Logged, int64(len(before)))]
	lines := bytes.NewBuffer(before[:bytes.LastIndexByte(before, '\n')+1]) // a line that was torn says nothing
	enc := json.NewEncoder(lines)
	enc.SetEscapeHTML(false)
	for _, t := range f.out.Targets {
		if err := enc.Encode(logged{f.opts.now().UTC().Truncate(time.Second), t, f.out.Files, f.out.Exports}); err != nil {
			return fmt.Errorf("encode log: %w", err)
		}
	}
	if err := filecorpus.Write(path, lines.Bytes()); err != nil {
		return err
	}
	if err := f.opts.effect("end"); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(f.dir, begunFile)); err != nil {
		return fmt.Errorf("end call: %w", err)
	}
	return nil
}
