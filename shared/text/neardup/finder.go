package neardup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"sluice/shared/extsort"

	"github.com/zeebo/xxh3"
)

// Doc is a document as the finder needs it.
type Doc struct {
	ID        string
	Text      string    // main text
	Site      string    // registrable domain or host
	Source    string    // the origin that the page names, "" if it names none
	Published time.Time // zero: unknown
	Fetched   time.Time
}

// Options are the optional inputs of New.
type Options struct {
	// TempDir is where the index is kept that does not fit into memory; "" is
	// the system's.
	TempDir string
	// Held is how many entries of the index are held in memory, of 8 bytes;
	// 0 is 4194304, 32 MB for each of two steps.
	Held int
}

const defaultHeld = 4 << 20

// MaxDocs is how many documents one Finder takes.
const MaxDocs = math.MaxUint32

// Finder finds the documents that repeat others: first every document is
// added, then Find compares them. One goroutine at a time may use it.
type Finder struct {
	docs  []entry
	index *extsort.Sorter[uint64] // key of a shingle, document
	pairs *extsort.Sorter[uint64] // two texts that share one
	stats Stats
	scratch
}

// entry is what is kept of each document, 40 bytes.
type entry struct {
	digest  Digest
	id      uint64 // hash: breaks ties
	earlier int32  // minutes since 1970, see earliest
	length  uint32 // characters of the normalised text
	sketch  uint16 // hashes in the index
	origin  origin
}

// Stats says what finding cost.
type Stats struct {
	Docs       int   // documents that were added
	Texts      int   // different ones among them, after normalisation
	Candidates int   // pairs of texts that were compared
	Copies     int   // of these, pairs in which one repeats the other
	Memory     int64 // bytes: the tables kept per document
	Index      int64 // bytes: entries of the index, in memory or in files
}

// New returns an empty Finder. The caller must call Close.
func New(o Options) *Finder {
	if o.Held <= 0 {
		o.Held = defaultHeld
	}
	return &Finder{index: extsort.New(extsort.Numbers, o.TempDir, o.Held), pairs: extsort.New(extsort.Numbers, o.TempDir, o.Held)}
}

// Add adds a document. Documents are known by their ordinal: that of the first
// is 0.
func (f *Finder) Add(d *Doc) error {
	if len(f.docs) == MaxDocs {
		return errors.New("add document: there are too many")
	}
	normal := Normalise(d.Text)
	f.runes = appendCompared(f.runes[:0], normal)
	length := len(f.runes)
	if length == maxCompared {
		length = utf8.RuneCountInString(normal)
	}
	e := entry{
		digest:  DigestOf(normal),
		id:      xxh3.HashString(d.ID),
		earlier: earliest(d),
		length:  uint32(length),
		origin:  originOf(d.Source, d.Site),
	}
	if length >= minNear {
		f.hashes = appendShingles(f.hashes[:0], f.runes, shingleWeight)
		sketch := sketchOf(f.hashes)
		e.sketch = uint16(len(sketch))
		for _, h := range sketch {
			if err := f.index.Add(mix(h)&^math.MaxUint32 | uint64(len(f.docs))); err != nil {
				return fmt.Errorf("add document %q: %w", d.ID, err)
			}
		}
	}
	f.docs = append(f.docs, e)
	return nil
}

// Read returns the text of a document that was added, the same as then.
type Read func(ordinal int) (string, error)

// Find compares the documents and returns which repeats which. The result
// depends on the documents alone: neither on their order nor on Options. Texts
// are read back when needed, some more than once. It is called once.
func (f *Finder) Find(ctx context.Context, read Read) (*Result, error) {
	t := f.texts()
	if err := f.pair(ctx, t); err != nil {
		return nil, fmt.Errorf("find candidates: %w", err)
	}
	edges, err := f.compare(ctx, t, read)
	if err != nil {
		return nil, fmt.Errorf("compare texts: %w", err)
	}
	f.stats.Docs, f.stats.Texts, f.stats.Copies = len(f.docs), len(t.best), len(edges)
	f.stats.Memory = int64(len(f.docs))*(entrySize+2*rankSize) + int64(len(t.best))*(rankSize+standSize)
	f.stats.Index = 8 * (f.index.Count() + f.pairs.Count())
	return &Result{Stats: f.stats, texts: t, stands: resolve(t, edges)}, nil
}

// Close removes the index.
func (f *Finder) Close() error {
	if err := errors.Join(f.index.Close(), f.pairs.Close()); err != nil {
		return fmt.Errorf("remove index: %w", err)
	}
	return nil
}
