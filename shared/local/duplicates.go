package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"sluice/shared/dataset/export"
	"sluice/shared/fault"
	"sluice/shared/local/filecorpus"
	"sluice/shared/state/corpus"
)

// markDuplicates notes on each document which one it repeats. Only documents
// that count are compared: a version is no copy of the one before.
func (c *Crawl) markDuplicates(ctx context.Context) (err error) {
	finder, err := export.NearDuplicates(c.spec.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, finder.Close()) }()
	m := &marking{Crawl: c, finder: finder, was: map[int]string{}, is: map[int]string{}}
	if err := m.gather(ctx); err != nil {
		return fmt.Errorf("look for duplicates: %w", err)
	}
	if err := finder.Find(ctx, m.text, m.repeats); err != nil {
		return fmt.Errorf("look for duplicates: %w", err)
	}
	if maps.Equal(m.was, m.is) {
		return nil // the corpus says so already
	}
	if err := c.corpus.Revise(ctx, m.mark); err != nil {
		return fmt.Errorf("mark duplicates: %w", err)
	}
	return nil
}

// marking is one search for duplicates. Lines are counted from 0 over all files.
type marking struct {
	*Crawl
	finder  export.Duplicates
	waiting []waitingLine // not looked up yet, in order
	read    int           // lines
	marked  int           // lines

	compared []place        // documents that count, as the finder numbers them
	was, is  map[int]string // ID of what a line's document repeats: as it says, and as was found
}

type waitingLine struct {
	place
	d *corpus.Document
}

// place is where a document is.
type place struct {
	line int
	at   filecorpus.Place
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
		if d.DuplicateOf != "" {
			m.was[m.read] = d.DuplicateOf
		}
		m.waiting = append(m.waiting, waitingLine{place{m.read, at}, d})
		m.read++
		if len(m.waiting) < lookUp {
			return nil
		}
		return m.add(ctx)
	})
	if err != nil {
		return err
	}
	return m.add(ctx)
}

// add takes those that wait.
func (m *marking) add(ctx context.Context) error {
	urls := make([]string, len(m.waiting))
	for i := range m.waiting {
		urls[i] = m.waiting[i].d.FinalURL
	}
	entries, err := generations(m.store, m.crawls()).Entries(ctx, urls)
	if err != nil {
		return err
	}
	for i, w := range m.waiting {
		if !entries[i].KeptAt(w.d.WARC.File, w.d.WARC.Offset) {
			continue
		}
		m.compared = append(m.compared, w.place)
		if err := m.finder.Add(w.d); err != nil {
			return err
		}
	}
	m.waiting = m.waiting[:0]
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

// repeats takes note of what was found.
func (m *marking) repeats(n, stays int64) error {
	d, err := m.document(stays)
	if err != nil {
		return err
	}
	m.is[m.compared[n].line] = d.ID
	return nil
}

func (m *marking) document(n int64) (*corpus.Document, error) {
	line, err := m.corpus.Document(m.compared[n].at)
	if err != nil {
		return nil, err
	}
	return readDocument(line)
}

// mark notes what the next line repeats.
func (m *marking) mark(line []byte) ([]byte, error) {
	of, was := m.is[m.marked], m.was[m.marked]
	m.marked++
	if of == was {
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
