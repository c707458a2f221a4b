// Package urlshape compares URLs by their structure: METHOD A9 (are two URLs
// built alike?) and A10 (is a link built like most of the history?).
//
// A [Shape] is a URL split once; comparing shapes allocates nothing, so that
// one sample of the history serves all links of a page.
package urlshape

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// errNoHost is the error of Of for a URL without a host.
var errNoHost = errors.New("no host")

// Shape is a URL split into host and path, both into parts. It is immutable
// and safe for concurrent use.
type Shape struct {
	host string // lower case, no port
	name []part // of the host, by "."
	path []part // by "/", empty ones dropped
}

// part is one part of a host or a path, ready for both forms: as the set of
// its characters (paper) and as its class (path).
type part struct {
	ascii [2]uint64 // the set's ASCII characters
	other []rune    // its other characters, ascending
	class string
	www   bool
}

// Of splits a URL as written: nothing is decoded or resolved, only the host is
// put in lower case without user and port. The scheme may be missing; query and
// fragment are ignored.
func Of(u string) (Shape, error) {
	rest := strings.TrimSpace(u)
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.IndexByte(rest, '/'); i > 0 && strings.HasPrefix(rest[i-1:], "://") {
		rest = rest[i:]
	}
	rest = strings.TrimPrefix(rest, "//")
	host, path, _ := strings.Cut(rest, "/")
	host = strings.ToLower(hostname(host))
	if host == "" {
		return Shape{}, fmt.Errorf("split url %.100q: %w", u, errNoHost)
	}
	s := Shape{host: host}
	for text := range strings.SplitSeq(host, ".") {
		s.name = append(s.name, newPart(text, text))
	}
	for text := range strings.SplitSeq(path, "/") {
		if text != "" {
			s.path = append(s.path, newPart(text, classOf(text)))
		}
	}
	return s, nil
}

// hostname returns an authority without user and port.
func hostname(authority string) string {
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	if strings.HasPrefix(authority, "[") {
		inside, _, _ := strings.Cut(authority[1:], "]")
		return inside
	}
	host, _, _ := strings.Cut(authority, ":")
	return host
}

func newPart(text, class string) part {
	p := part{class: class, www: text == "www"}
	for _, r := range text {
		if r < 128 {
			p.ascii[r>>6] |= 1 << (r & 63)
		} else {
			p.other = append(p.other, r)
		}
	}
	slices.Sort(p.other)
	p.other = slices.Compact(p.other)
	return p
}

// jaccard is the size of the intersection of two parts' character sets by that
// of their union: our reading of "part as set". Two empty parts have 0.
func jaccard(x, y *part) float64 {
	both := bits.OnesCount64(x.ascii[0]&y.ascii[0]) + bits.OnesCount64(x.ascii[1]&y.ascii[1])
	either := bits.OnesCount64(x.ascii[0]|y.ascii[0]) + bits.OnesCount64(x.ascii[1]|y.ascii[1])
	common := shared(x.other, y.other)
	both += common
	either += len(x.other) + len(y.other) - common
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}

// shared counts the common elements of two ascending lists.
func shared(x, y []rune) int {
	n := 0
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			x = x[1:]
		case x[0] > y[0]:
			y = y[1:]
		default:
			x, y = x[1:], y[1:]
			n++
		}
	}
	return n
}
