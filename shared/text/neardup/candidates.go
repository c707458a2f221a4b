package neardup

import (
	"context"
	"math"
	"slices"
)

// Bounds of the pairs that one shingle makes.
const (
	fullGroup = 8 // texts: groups up to this size are paired completely
	hubs      = 4 // of a larger group: the texts with which the others are paired
)

// pair writes the pairs of texts that share a shingle of their sketches, one
// for each shingle. A shingle that many share, of a form or
// a set phrase, leads each of them to the first few alone: true copies are led
// together by what is rarer, and copies of a text that is itself so frequent by
// meeting the same few.
func (f *Finder) pair(ctx context.Context, t *texts) error {
	var group []uint32
	key := uint64(math.MaxUint64)
	for x, err := range f.index.Sorted() {
		if err != nil {
			return err
		}
		if x>>32 != key {
			if err := f.pairGroup(ctx, group); err != nil {
				return err
			}
			key, group = x>>32, group[:0]
		}
		if doc := uint32(x); t.best[t.of[doc]] == doc {
			group = append(group, t.of[doc])
		}
	}
	return f.pairGroup(ctx, group)
}

func (f *Finder) pairGroup(ctx context.Context, group []uint32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.Sort(group)
	group = slices.Compact(group) // two shingles may have one key
	first := len(group)
	if first > fullGroup {
		first = hubs
	}
	for i, a := range group[:first] {
		for _, b := range group[i+1:] {
			if err := f.pairs.Add(uint64(a)<<32 | uint64(b)); err != nil {
				return err
			}
		}
	}
	return nil
}

// candidate is a text that shares shingles with another.
type candidate struct {
	text   uint32
	shared uint32 // shingles
}

// likely reports whether so many shared shingles may be those of copies. If a
// fifth of a text's characters is changed, 20 % of the shingles are the same on
// average.
func likely(a, b *entry, shared uint32) bool {
	return shared >= max(3, uint32(min(a.sketch, b.sketch))/16)
}
