package export

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"path/filepath"
	"strconv"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// atOnce is how many records are looked up in a ledger at a time.
const atOnce = 500

// census asks the ledger of a folder, for some documents at a time, which of them
// count.
type census struct {
	ledger Ledger // nil: all do
	batch  []asked
}

type asked struct {
	d      *corpus.Document
	answer func(counts bool) error
}

// ask has answer called, now or later.
func (c *census) ask(ctx context.Context, d *corpus.Document, answer func(counts bool) error) error {
	if c.batch = append(c.batch, asked{d, answer}); len(c.batch) < atOnce {
		return nil
	}
	return c.flush(ctx)
}

// flush answers what was asked.
func (c *census) flush(ctx context.Context) error {
	batch := c.batch
	c.batch = nil
	if err := ctx.Err(); err != nil {
		return err
	}
	entries := make([]*ledger.Entry, len(batch))
	if c.ledger != nil && len(batch) > 0 {
		urls := make([]string, len(batch))
		for i := range batch {
			urls[i] = batch[i].d.FinalURL
		}
		var err error
		if entries, err = c.ledger.Entries(ctx, urls); err != nil {
			return fmt.Errorf("ask the ledger: %w", err)
		}
	}
	for i, a := range batch {
		if err := a.answer(c.ledger == nil || entries[i].KeptAt(a.d.WARC.File, a.d.WARC.Offset)); err != nil {
			return err
		}
	}
	return nil
}

// Ledger says how URLs ended. Folder's crawl has one.
type Ledger interface {
	// Entries returns the entry of each URL, in order, nil if there is none.
	Entries(ctx context.Context, urls []string) ([]*ledger.Entry, error)
	// Current returns every record that an entry points at, some at a time and
	// in any order: those for which Entries says so. One may come repeatedly.
	// Of a running crawl it has at least the records that were finished when it
	// was called.
	Current(ctx context.Context) iter.Seq2[[]Pointed, error]
}

// Pointed is a record that a ledger points at.
type Pointed struct {
	URL  string // final
	WARC corpus.Location
}

// mark identifies a record: the document and its place. It is part of a
// cryptographic hash, so that no page can pass for another.
type mark [16]byte

func markOf(url string, at corpus.Location) mark {
	return cutMark([]byte(url + "\n" + at.File + "\n" + strconv.FormatInt(at.Offset, 10)))
}

// markLine marks a record by its line where that says nothing of a place.
func markLine(d *corpus.Document, text []byte) mark {
	if d.WARC.File == "" {
		return cutMark(text)
	}
	return markOf(d.FinalURL, d.WARC)
}

func cutMark(b []byte) mark {
	sum := sha256.Sum256(b)
	return mark(sum[:16])
}

// roll lists the records of a folder that count, and which of them were met. It
// takes some 30 bytes of memory for each.
type roll struct {
	ledger Ledger // nil for a folder without: every record counts
	met    map[mark]bool
	absent int // listed and not met
}

// newRoll lists what a ledger points at.
func newRoll(ctx context.Context, l Ledger) (*roll, error) {
	r := &roll{ledger: l, met: map[mark]bool{}}
	if l == nil {
		return r, nil
	}
	for list, err := range l.Current(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list what the ledger points at: %w", err)
		}
		for _, p := range list {
			r.met[markOf(p.URL, p.WARC)] = false
		}
	}
	r.absent = len(r.met)
	return r, nil
}

// meet notes that a record is there, and reports whether it is listed and
// whether it was met before.
func (r *roll) meet(m mark) (listed, again bool) {
	again, listed = r.met[m]
	if listed && !again {
		r.absent--
	}
	r.met[m] = true
	return listed, again
}

// missing visits what is listed, was not met, and counts still: a crawl that is
// running may have taken it out meanwhile.
func (r *roll) missing(ctx context.Context, visit func(Pointed)) error {
	if r.absent == 0 {
		return nil
	}
	for list, err := range r.ledger.Current(ctx) {
		if err != nil {
			return fmt.Errorf("list what the ledger points at: %w", err)
		}
		for _, p := range list {
			m := markOf(p.URL, p.WARC)
			if met, listed := r.met[m]; listed && !met {
				r.meet(m)
				visit(p)
			}
		}
	}
	return nil
}

// sweep marks the records in the files of a folder, without checking them.
func (r *roll) sweep(ctx context.Context, dir string) error {
	files, err := inputs(dir, corpus.DocumentFolder, linesEnd)
	if err != nil {
		return err
	}
	for _, in := range files {
		err := eachLineOf(filepath.Join(dir, filepath.FromSlash(in.Name)), in.Bytes, func(l corpus.Line) error {
			if d, err := readDocument(l.Text()); err == nil {
				if m := markOf(d.FinalURL, d.WARC); !r.met[m] {
					r.meet(m)
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
