package job

import (
	"context"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"sluice/shared/state/ledger"
)

// Sample is a sample of a set of any size: the smallest hashes of its members, in
// ascending order (k minimum values, Bar-Yossef et al. 2002). That of a union follows
// from those of its parts, and adding a member again changes nothing. It does not
// change: With returns another.
type Sample []uint32

// SampleSize is how many hashes a sample has: all of a smaller set.
const SampleSize = 512

// With returns the sample of the set with more members.
func (s Sample) With(hashes ...uint32) Sample {
	var more []uint32
	for _, h := range hashes {
		if len(s) == SampleSize && h >= s[SampleSize-1] {
			continue
		}
		if _, found := slices.BinarySearch(s, h); !found {
			more = append(more, h)
		}
	}
	if more == nil {
		return s
	}
	more = append(more, s...)
	slices.Sort(more)
	more = slices.Compact(more)
	return more[:min(len(more), SampleSize)]
}

// Count estimates how many members the set has; up to 512 it is exact. It grows only
// if the sample changes.
func (s Sample) Count() int64 {
	if len(s) < SampleSize {
		return int64(len(s))
	}
	return int64(math.Round((SampleSize - 1) * (1 << 32) / (float64(s[SampleSize-1]) + 1)))
}

// Coverage is what the documents of a crawl say, in two samples of 2 KB.
type Coverage struct {
	Documents Sample `json:"documents"` // of different ones, by neardup.Mark
	Words     Sample `json:"words"`     // of different ones in their texts
}

// CoverageOf returns the coverage by one document.
func CoverageOf(mark uint64, words []string) Coverage {
	hashes := slices.Grow([]uint32(nil), len(words))
	for _, w := range words {
		hashes = append(hashes, uint32(xxh3.HashString(w)>>32)) //nolint:gosec // half of it
	}
	hashes = slices.Compact(sorted(hashes))
	return Coverage{Sample{uint32(mark >> 32)}, hashes[:min(len(hashes), SampleSize)]} //nolint:gosec // half of it
}

// sorted returns hashes in ascending order, sorted a byte at a time.
func sorted(hashes []uint32) []uint32 {
	other := slices.Clone(hashes)
	for shift := 0; shift < 32; shift += 8 {
		var next [257]int // place of the next hash, by its byte
		for _, h := range hashes {
			next[h>>shift&0xFF+1]++
		}
		for i := range 256 {
			next[i+1] += next[i]
		}
		for _, h := range hashes {
			at := &next[h>>shift&0xFF]
			other[*at] = h
			*at++
		}
		hashes, other = other, hashes
	}
	return hashes
}

// With returns the coverage by two crawls, or two parts of one.
func (c Coverage) With(d Coverage) Coverage {
	return Coverage{c.Documents.With(d.Documents...), c.Words.With(d.Words...)}
}

// Equal reports whether the samples are the same.
func (c Coverage) Equal(d Coverage) bool {
	return slices.Equal(c.Documents, d.Documents) && slices.Equal(c.Words, d.Words)
}

// Coverages keeps the coverage of crawls. It is safe for concurrent use.
type Coverages interface {
	// Cover adds what some documents of a crawl say. Adding it again changes nothing.
	Cover(ctx context.Context, crawl string, c Coverage) error
	// Covered returns what all documents say that any process has added before.
	Covered(ctx context.Context, crawl string) (Coverage, error)
}

// Growth is what came of some pages of a crawl, and what is new of it.
type Growth struct {
	Harvest
	Documents int64 `json:"documents"` // different ones
	Words     int64 `json:"words"`     // different ones in their texts
}

// Grown returns what has come of a whole crawl. Pages that are as an earlier crawl
// kept them do not count as kept.
func Grown(t *ledger.Totals, c Coverage) Growth {
	h := HarvestOf(t)
	h.Kept -= t.Changes[ledger.Unchanged]
	return c.Of(h)
}

// Of returns what has come of pages with this coverage.
func (c Coverage) Of(h Harvest) Growth { return Growth{h, c.Documents.Count(), c.Words.Count()} }

// A crawl ends when of growthPages pages that were read hardly any brought a new
// document, and those that were kept hardly any new word. In a large crawl the period
// is longer, since it must show in the samples.
const (
	growthPages = 1000
	growthShare = 16 // of the documents so far, in a period
)

// GrowthWatch watches a crawl in periods.
type GrowthWatch struct {
	Began Growth `json:"began"`         // of the crawl, when the present period began
	Last  Growth `json:"last,omitzero"` // of the last period that has ended
}

// Go begins another period if one has ended, and reports whether any brought nearly
// nothing new.
func (w *GrowthWatch) Go(now Growth) (saturated bool) {
	period := Growth{Harvest{now.Read - w.Began.Read, now.Kept - w.Began.Kept}, now.Documents - w.Began.Documents, now.Words - w.Began.Words}
	if !w.saturated() && period.Read >= growthPages && period.Kept >= now.Documents/growthShare {
		w.Began, w.Last = now, period
	}
	return w.saturated()
}

func (w *GrowthWatch) saturated() bool {
	return w.Last.Kept > 0 && 10*w.Last.Documents <= w.Last.Kept && 10*w.Last.Words <= w.Last.Kept
}
