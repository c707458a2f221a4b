package forget

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/shared/web/urlnorm"
)

// List is the pages and hosts that a crawl must not fetch again. It holds only
// their hashes, so it does not show what was forgotten. The nil List is empty. It
// does not change while a crawl uses it.
type List struct {
	hashes map[hash]struct{}
}

// hash is the beginning of the SHA-256 of a place: it is infeasible to make a
// URL with the hash of another.
type hash [16]byte

func (p place) hash() hash {
	sum := sha256.Sum256([]byte(string(p.kind) + " " + p.name))
	return hash(sum[:16])
}

// Len returns the number of listed URLs and hosts.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.hashes)
}

// Contains reports whether a page or its host is listed.
func (l *List) Contains(u urlnorm.URL) bool {
	if l.Len() == 0 || u.IsZero() {
		return false
	}
	return slices.ContainsFunc(around(u), l.has)
}

func (l *List) has(p place) bool {
	_, ok := l.hashes[p.hash()]
	return ok
}

// Join returns the union of two lists.
func (l *List) Join(other *List) *List {
	joined := &List{hashes: map[hash]struct{}{}}
	for _, from := range []*List{l, other} {
		if from != nil {
			maps.Copy(joined.hashes, from.hashes)
		}
	}
	return joined
}

// MarshalText implements encoding.TextMarshaler: a line for each hash, sorted.
func (l *List) MarshalText() ([]byte, error) {
	lines := make([]string, 0, l.Len())
	if l != nil {
		for h := range l.hashes {
			lines = append(lines, base64.RawURLEncoding.EncodeToString(h[:]))
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n")), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *List) UnmarshalText(text []byte) error {
	read := map[hash]struct{}{}
	for line := range strings.FieldsSeq(string(text)) {
		b, err := base64.RawURLEncoding.DecodeString(line)
		if err != nil || len(b) != len(hash{}) {
			return fmt.Errorf("read list of what is forgotten: %.40q is not a hash", line)
		}
		read[hash(b)] = struct{}{}
	}
	l.hashes = read
	return nil
}
