// Package sections repeats the paper's Table 6 (METHOD A9, A14): how often the
// structure of two URLs decides correctly whether they belong together. It
// draws labelled pairs from frozen webs, many times over with a fixed seed, and
// compares both forms of package urlshape with the simplest rule. It also
// measures the purpose of the comparison, the vote over a history (A10).
package sections

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/rank/urlshape"
	"sluice/shared/web/urlnorm"
)

// Setting is a way to draw pairs: what they share, and what the others differ
// in.
type Setting int

// The settings. Half of the pairs are the same, half different; pages are drawn
// with equal chances among those that qualify.
const (
	// SameHost: two pages of one host, against two of different registrable
	// domains.
	SameHost Setting = iota
	// Siblings: two pages on different hosts of one registrable domain, against
	// two of different domains, one of which has such hosts.
	Siblings
	// Sections: two pages of one section, that is of one label on one host,
	// against two of different labels, wherever they are.
	Sections
)

// entry is a page to draw.
type entry struct {
	url, host, domain, label string
	first                    string // directory of the path, "" if none
	shape                    urlshape.Shape
}

func (e *entry) section() string { return e.host + " " + e.label }

// Set is the pages to draw pairs from. It is safe for concurrent use.
type Set struct {
	entries []entry
	groups  map[string][]int // of entries by host, domain or section, see keys
	domains map[string]int   // hosts of a registrable domain
}

// NewSet takes the labelled articles of the webs, or all labelled pages of a
// web without articles. It ignores the label frozenweb.None.
func NewSet(webs ...*frozenweb.Web) (*Set, error) {
	s := &Set{groups: map[string][]int{}, domains: map[string]int{}}
	for _, w := range webs {
		articles := slices.ContainsFunc(w.Pages, func(p frozenweb.Page) bool { return p.Kind == frozenweb.Article })
		for i := range w.Pages {
			p := &w.Pages[i]
			if p.Label == "" || p.Label == frozenweb.None || p.URL == "" || articles && p.Kind != frozenweb.Article {
				continue
			}
			if err := s.add(p); err != nil {
				return nil, err
			}
		}
	}
	if len(s.entries) == 0 {
		return nil, errors.New("no page has a label")
	}
	return s, nil
}

func (s *Set) add(p *frozenweb.Page) error {
	shape, err := urlshape.Of(p.URL)
	if err != nil {
		return err
	}
	u, err := url.Parse(p.URL)
	if err != nil {
		return fmt.Errorf("split url: %w", err)
	}
	host := strings.ToLower(u.Hostname())
	e := entry{url: p.URL, host: host, domain: urlnorm.RegistrableDomain(host), label: p.Label, shape: shape}
	if first, _, ok := strings.Cut(strings.TrimLeft(u.Path, "/"), "/"); ok {
		e.first = first
	}
	if len(s.groups["host "+host]) == 0 {
		s.domains[e.domain]++
	}
	for _, key := range []string{"host " + e.host, "domain " + e.domain, "section " + e.section()} {
		s.groups[key] = append(s.groups[key], len(s.entries))
	}
	s.entries = append(s.entries, e)
	return nil
}

// pair is two entries and the answer looked for.
type pair struct {
	x, y *entry
	same bool
}

// tries limits the draws for one pair.
const tries = 10_000

// draw draws n pairs, every other one the same.
func (s *Set) draw(setting Setting, n int, random *rand.Rand) ([]pair, error) {
	pairs := make([]pair, 0, n)
	for len(pairs) < n {
		same := len(pairs)%2 == 0
		p, ok := s.one(setting, same, random)
		if !ok {
			return nil, fmt.Errorf("draw pairs of URLs (%s): the webs have no %s", setting, setting.lacks(same))
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

func (s *Set) one(setting Setting, same bool, random *rand.Rand) (pair, bool) {
	for range tries {
		x := &s.entries[random.IntN(len(s.entries))]
		if setting == Siblings && s.domains[x.domain] < 2 {
			continue
		}
		y := &s.entries[random.IntN(len(s.entries))]
		if same {
			group := s.groups[setting.group(x)]
			y = &s.entries[group[random.IntN(len(group))]]
		}
		if x.url != y.url && setting.fits(x, y, same) {
			return pair{x, y, same}, true
		}
	}
	return pair{}, false
}

// group is the key that pages belonging together share.
func (setting Setting) group(e *entry) string {
	switch setting {
	case SameHost:
		return "host " + e.host
	case Siblings:
		return "domain " + e.domain
	default:
		return "section " + e.section()
	}
}

// fits reports whether two pages are a pair of the setting.
func (setting Setting) fits(x, y *entry, same bool) bool {
	switch {
	case setting == Sections && !same:
		return x.label != y.label
	case !same:
		return x.domain != y.domain
	case setting == Siblings:
		return x.host != y.host
	}
	return true
}

// String names the setting as the table does.
func (setting Setting) String() string {
	switch setting {
	case SameHost:
		return "same host, other domain"
	case Siblings:
		return "sibling hosts, other domain"
	default:
		return "same section, other section"
	}
}

// lacks says which pages were missing.
func (setting Setting) lacks(same bool) string {
	switch {
	case setting == Sections && !same:
		return "pages of two labels"
	case setting == Siblings:
		return "domain with two hosts, or no other domain"
	case !same:
		return "pages of two registrable domains"
	case setting == SameHost:
		return "two pages of one host"
	}
	return "two pages of one section"
}
