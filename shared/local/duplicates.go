package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sluice/shared/corpus"
	"sluice/shared/export"
	"sluice/shared/fault"
	"sluice/shared/ledger"
	"sluice/shared/local/filecorpus"
)

// markDuplicates notes on each document which one it repeats. Only documents
// that count are compared: a version is no copy of the one before.
func (c *Crawl) markDuplicates(ctx context.Context) (err error) {
	finder, err := export.NearDuplicates(c.spec.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, finder.Close()) }()
	m := &marking{Crawl: c, finder: finder, of: map[int32]string{}}
	if err := m.gather(ctx); err != nil {
		return fmt.Errorf("look for duplicates: %w", err)
	}
	err = finder.Find(ctx, m.text, func(n, stays int64) error {
		d, err := m.document(stays)
		if err == nil {
			m.of[int32(n)] = d.ID
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("look for duplicates: %w", err)
	}
	if err := c.corpus.Revise(ctx, m.mark); err != nil {
		return fmt.Errorf("mark duplicates: %w", err)
	}
	return nil
}

// marking is one search for duplicates.
type marking struct {
	*Crawl
	finder  export.Duplicates
	waiting []*corpus.Document // lines that nobody has looked up yet, in order
	at      []filecorpus.Place // of them

	lines  []int32            // for every line what number it is compared as; -1: not at all
	places []filecorpus.Place // by number
	of     map[int32]string   // number of a copy to the ID of what it repeats

	next int // line to be marked
}

// lookUp is how many documents are looked up at a time.
const lookUp = 500

// gather hands the documents that count to the finder.
func (m *marking) gather(ctx context.Context) error {
	err := m.corpus.Documents(ctx, func(at filecorpus.Place, line []byte) error {
		d, err := readDocument(line)
		if err != nil {
			return err
		}
		m.waiting, m.at = append(m.waiting, d), append(m.at, at)
		if len(m.waiting) < lookUp {
			return nil
		}
		return m.add(ctx)
	})
	return errors.Join(err, m.add(ctx))
}

// add takes those that wait.
func (m *marking) add(ctx context.Context) error {
	urls := make([]string, len(m.waiting))
	for i, d := range m.waiting {
		urls[i] = d.FinalURL
	}
	entries, err := generations(m.store, m.crawls()).Entries(ctx, urls)
	if err != nil {
		return err
	}
	for i, d := range m.waiting {
		e := entries[i]
		if e == nil || e.Verdict != ledger.Kept || e.Segment != d.WARC.File || e.Offset != d.WARC.Offset {
			m.lines = append(m.lines, -1)
			continue
		}
		m.lines = append(m.lines, int32(len(m.places)))
		m.places = append(m.places, m.at[i])
		if err := m.finder.Add(d); err != nil {
			return err
		}
	}
	m.waiting, m.at = m.waiting[:0], m.at[:0]
	return nil
}

// text reads the text of a document again.
func (m *marking) text(n int64) (string, error) {
	d, err := m.document(n)
	if err != nil {
		return "", err
	}
	return d.Text, nil
}

func (m *marking) document(n int64) (*corpus.Document, error) {
	line, err := m.corpus.Document(m.places[n])
	if err != nil {
		return nil, err
	}
	return readDocument(line)
}

// mark notes what the next line repeats.
func (m *marking) mark(line []byte) ([]byte, error) {
	n := m.lines[m.next]
	m.next++
	var is struct {
		DuplicateOf string `json:"duplicate_of"`
	}
	if err := json.Unmarshal(line, &is); err != nil {
		return nil, fault.New(fault.Broken, "corpus_read", fmt.Errorf("document: %w", err))
	}
	of := m.of[n]
	if of == is.DuplicateOf {
		return line, nil
	}
	d, err := readDocument(line)
	if err != nil {
		return nil, err
	}
	d.DuplicateOf = of
	return d.AppendJSON(nil)
}

func readDocument(line []byte) (*corpus.Document, error) {
	d := new(corpus.Document)
	if err := json.Unmarshal(line, d); err != nil {
		return nil, fault.New(fault.Broken, "corpus_read", fmt.Errorf("document: %w", err))
	}
	return d, nil
}
