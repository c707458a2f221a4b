package boilerplate

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// Rule rejects a page of which only boilerplate remains, either learned or
// furniture on any host.
const Rule = "boilerplate_only"

// Learned is what was learned of a host: the lines that are the site's. It does
// not change, and is safe for concurrent use. A nil Learned has none.
type Learned struct {
	lines   map[hash]bool // true: in any place, false: at an edge
	version string
}

func newLearned(lines map[hash]bool) *Learned {
	l := &Learned{lines: lines}
	if len(lines) == 0 {
		return l
	}
	var b []byte
	for _, h := range slices.Sorted(maps.Keys(lines)) {
		b = h.append(b)
		if lines[h] {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	sum := xxh3.Hash128(b).Bytes()
	l.version = hex.EncodeToString(sum[:8])
	return l
}

// Version names what was learned: 16 hex digits, "" for nothing. What is of one
// version removes the same lines.
func (l *Learned) Version() string {
	if l == nil {
		return ""
	}
	return l.version
}

// Removed is how much was removed of a text.
type Removed struct {
	Lines      int // those of letters or digits
	Characters int // Unicode characters, without the ends of lines
}

// Remove returns a text without the lines that are the site's. The other lines
// are as they were. What is left is "" where it has no letter and no digit.
//
// Lines of signs alone go with the lines around them.
func (l *Learned) Remove(text string) (string, Removed) {
	if l == nil || len(l.lines) == 0 {
		return text, Removed{}
	}
	var f folder
	lines, at := split(text, &f)
	placed := l.find(lines)
	if !slices.Contains(placed, true) {
		return text, Removed{}
	}
	var rest strings.Builder
	var gone Removed
	next, raw := 0, 0 // in lines, in all lines
	for s := range strings.Lines(text) {
		var remove bool
		if next < len(lines) && at[next] == raw {
			remove = placed[next]
			next++
			if remove {
				gone.Lines++
			}
		} else {
			remove = (next == 0 || placed[next-1]) && (next == len(lines) || placed[next])
		}
		if remove {
			gone.Characters += utf8.RuneCountInString(strings.TrimRight(s, "\r\n"))
		} else {
			rest.WriteString(s)
		}
		raw++
	}
	switch {
	case gone.Lines == len(lines):
		return "", gone
	case strings.HasSuffix(text, "\n"):
		return rest.String(), gone
	}
	return strings.TrimSuffix(rest.String(), "\n"), gone
}

// find says of each line whether it is removed.
func (l *Learned) find(lines []line) []bool {
	placed := make([]bool, len(lines))
	v := viewOf(lines)
	for i, ok := range v.place(func(h hash) bool { _, known := l.lines[h]; return known }) {
		if v.cut > 0 && i >= v.cut {
			i += len(lines) - len(v.lines)
		}
		placed[i] = ok
	}
	for i, line := range lines {
		placed[i] = placed[i] || l.lines[line.hash]
	}
	return placed
}
