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

// note is what a call is to remove, kept until the log has it.
type note struct {
	Targets []Done   `json:"targets"`
	Files   []string `json:"files"`
	Exports []string `json:"exports"`
	Logged  *int64   `json:"logged"` // the mark of the call in the log
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

// takeUp reads what a call has noted that was broken off. Its targets are also
// those of this call, whatever was named.
func (r *run) takeUp(ctx context.Context, targets []Target) error {
	data, err := r.place.Note(ctx)
	if err == nil && data != nil {
		r.begun = new(note)
		err = json.Unmarshal(data, r.begun)
	}
	var all []Target
	if err == nil && r.begun != nil {
		if l := r.begun.Logged; l == nil || *l < 0 || len(r.begun.Targets) == 0 {
			err = errNote
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
	return nil
}

// sumUp puts together what the survey has found, and what went before the call
// of which this one is the repetition was broken off.
func (r *run) sumUp() {
	p := r.plan
	for i, t := range p.Set.Targets() {
		p.Targets = append(p.Targets, Done{t.String(), *p.Set.Tally(i)})
	}
	if r.begun == nil {
		return
	}
	// What had not gone was found again, so that the greater number is the sum.
	for i, t := range r.begun.Targets {
		p.Targets[i].Tally = t.Most(p.Targets[i].Tally)
	}
	p.Files = union(r.begun.Files, p.Files)
	if p.Exports != nil {
		p.Exports = union(r.begun.Exports, p.Exports)
	}
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
	r.begun = &note{Targets: r.plan.Targets, Files: r.plan.Files, Exports: r.plan.Exports, Logged: &mark}
	data, err := json.Marshal(r.begun)
	if err != nil {
		return fmt.Errorf("note what goes: %w", err)
	}
	return r.place.SetNote(ctx, data)
}

// ending are the effects that note what went, and that nothing is left to do.
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
