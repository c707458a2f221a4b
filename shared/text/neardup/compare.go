package neardup

import (
	"container/list"
	"context"
	"fmt"
)

// edge is a pair of texts, one of which repeats the other.
type edge struct {
	a, b       uint32
	similarity float32
	relation   relation
}

// maxKept is how many bytes of texts are kept for further comparisons.
const maxKept = 64 << 20

// compare compares the candidates, each pair once.
func (f *Finder) compare(ctx context.Context, t *texts, read Read) ([]edge, error) {
	c := &comparison{texts: t, read: read, kept: newShelf(maxKept)}
	var row []candidate
	current := uint64(0)
	for x, err := range f.pairs.Sorted() {
		if err != nil {
			return nil, err
		}
		if x>>32 != current {
			if err := c.compare(ctx, uint32(current), row); err != nil {
				return nil, err
			}
			current, row = x>>32, row[:0]
		}
		if n := len(row); n > 0 && row[n-1].text == uint32(x) {
			row[n-1].shared++
			continue
		}
		row = append(row, candidate{uint32(x), 1})
	}
	if err := c.compare(ctx, uint32(current), row); err != nil {
		return nil, err
	}
	f.stats.Candidates = c.count
	return c.edges, nil
}

// comparison reads texts and compares them.
type comparison struct {
	texts   *texts
	read    Read
	kept    *shelf
	aligner aligner
	count   int // pairs
	edges   []edge
}

// compare compares a text with its candidates.
func (c *comparison) compare(ctx context.Context, a uint32, row []candidate) error {
	for _, r := range row {
		if !likely(c.texts.entry(a), c.texts.entry(r.text), r.shared) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		ta, err := c.text(a)
		if err != nil {
			return err
		}
		tb, err := c.text(r.text)
		if err != nil {
			return err
		}
		c.count++
		if rel, similarity := c.aligner.judge(ta, tb); rel != apart {
			c.edges = append(c.edges, edge{a, r.text, float32(similarity), rel})
		}
	}
	return nil
}

// text returns a text ready for comparison.
func (c *comparison) text(number uint32) (*text, error) {
	if t := c.kept.get(number); t != nil {
		return t, nil
	}
	doc := int(c.texts.best[number])
	raw, err := c.read(doc)
	if err != nil {
		return nil, fmt.Errorf("read document %d: %w", doc, err)
	}
	t := newText(Normalise(raw))
	c.kept.put(number, t)
	return t, nil
}

// shelf keeps the texts that were used last.
type shelf struct {
	room  int // bytes
	texts map[uint32]*list.Element
	order list.List // of *shelved, the last used first
}

type shelved struct {
	number uint32
	text   *text
}

func newShelf(room int) *shelf { return &shelf{room: room, texts: make(map[uint32]*list.Element)} }

func (s *shelf) get(number uint32) *text {
	e := s.texts[number]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*shelved).text //nolint:errcheck // put puts nothing else there
}

func (s *shelf) put(number uint32, t *text) {
	s.texts[number] = s.order.PushFront(&shelved{number, t})
	s.room -= t.bytes()
	for s.room < 0 && s.order.Len() > 1 {
		last := s.order.Remove(s.order.Back()).(*shelved) //nolint:errcheck // as above
		delete(s.texts, last.number)
		s.room += last.text.bytes()
	}
}
