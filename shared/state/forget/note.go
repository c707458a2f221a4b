package forget

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// note is what a call removes, kept until the log has it. Pages and Documents are
// what the survey learned: the records that it learned them from may be gone when
// the next call reads the note.
type note struct {
	Targets   []Done         `json:"targets"`
	Pages     map[string]int `json:"pages"`     // by the target they go with
	Documents []string       `json:"documents"` // their IDs
	Files     []string       `json:"files"`
	Exports   []string       `json:"exports"`
	Logged    *int64         `json:"logged"` // the mark of the call in the log
}

// logged is a line of the log.
type logged struct {
	At    time.Time `json:"at"`
	Crawl string    `json:"crawl,omitempty"`
	Done
	Files   []string `json:"files"`
	Exports []string `json:"exports,omitzero"`
}

var errNote = errors.New("the note is damaged")

// takeUp reads the note of a call that was interrupted. Its targets are also those
// of this call.
func (r *run) takeUp(ctx context.Context, targets []Target) error {
	data, err := r.place.Note(ctx)
	if err == nil && data != nil {
		r.begun = new(note)
		err = json.Unmarshal(data, r.begun)
	}
	var all []Target
	if err == nil && r.begun != nil {
		l, n := r.begun.Logged, len(r.begun.Targets)
		if l == nil || *l < 0 || n == 0 {
			err = errNote
		}
		for _, target := range r.begun.Pages {
			if target < 0 || target >= n {
				err = errNote
			}
		}
		for _, t := range r.begun.Targets {
			target, terr := Parse(t.Target)
			err = errors.Join(err, terr)
			all = append(all, target)
		}
	}
	if err != nil {
		return fmt.Errorf("read what was begun: %w", err)
	}
	for _, t := range targets {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	r.plan.Set = NewSet(all)
	if r.begun != nil {
		r.plan.Set.restore(r.begun.Pages, r.begun.Documents)
	}
	return nil
}

// sumUp adds what the survey found to what the interrupted call removed.
func (r *run) sumUp() {
	p := r.plan
	for i, t := range p.Set.Targets() {
		p.Targets = append(p.Targets, Done{t.String(), *p.Set.Tally(i)})
	}
	if r.begun == nil {
		return
	}
	// What was not yet removed was found again: the greater number is the sum.
	for i, t := range r.begun.Targets {
		p.Targets[i].Tally = t.Most(p.Targets[i].Tally)
	}
	p.Files = union(r.begun.Files, p.Files)
	p.Exports = union(r.begun.Exports, p.Exports)
}

// union appends to a list what it does not contain.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// noteBegun stores the note before anything is removed.
func (r *run) noteBegun(ctx context.Context) error {
	if err := r.opts.Effect("note"); err != nil {
		return err
	}
	mark, err := r.place.Mark(ctx)
	if err != nil {
		return err
	}
	if r.begun != nil {
		mark = min(mark, *r.begun.Logged) // it may have come into the log
	}
	pages, documents := r.plan.Set.learned()
	r.begun = &note{Targets: r.plan.Targets, Pages: pages, Documents: documents, Files: r.plan.Files, Exports: r.plan.Exports, Logged: &mark}
	data, err := json.Marshal(r.begun)
	if err != nil {
		return fmt.Errorf("note what goes: %w", err)
	}
	return r.place.SetNote(ctx, data)
}

// ending returns the effects that log what went and remove the note.
func (r *run) ending() []Effect {
	return []Effect{
		{"log", r.log},
		{"end", func(ctx context.Context) error { return r.place.SetNote(ctx, nil) }},
	}
}

func (r *run) log(ctx context.Context) error {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	at := r.opts.Now().UTC().Truncate(time.Second)
	for _, t := range r.plan.Targets {
		if err := enc.Encode(logged{at, r.plan.Crawl, t, r.plan.Files, r.plan.Exports}); err != nil {
			return fmt.Errorf("encode log: %w", err)
		}
	}
	return r.place.Log(ctx, *r.begun.Logged, lines.Bytes())
}
