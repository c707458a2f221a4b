package forget

import (
	"maps"
	"slices"

	"sluice/shared/web/urlnorm"
)

// Set is what is to be forgotten: the targets, and the URLs that turned out to be
// of the same pages. It is for one goroutine.
type Set struct {
	targets []Target
	places  map[place]int   // by the target they belong to
	ids     map[string]bool // of documents that go
	tallies []Tally
	counted bool

	leads map[place]map[place]bool // from a page that stays so far to those that would go with it

	gone    map[string]bool // URLs of records that go
	orphans map[string]bool // URLs of pages that stay and were found on one that goes
}

// Tally is what goes for a target, or would.
type Tally struct {
	Documents int64 `json:"documents"` // lines of the corpus
	Rejects   int64 `json:"rejects"`   // lines about pages that were not kept
	Records   int64 `json:"records"`   // of WARC files, those of rejects included
	Entries   int64 `json:"entries"`   // of the ledger
	Links     int64 `json:"links"`     // that wait, were skipped or dropped
	Bytes     int64 `json:"bytes"`     // of lines and records, as they are stored
}

// Empty reports whether nothing goes.
func (t *Tally) Empty() bool { return *t == Tally{} }

// Most returns the greater of each of the numbers.
func (t Tally) Most(o Tally) Tally {
	return Tally{
		Documents: max(t.Documents, o.Documents), Rejects: max(t.Rejects, o.Rejects), Records: max(t.Records, o.Records),
		Entries: max(t.Entries, o.Entries), Links: max(t.Links, o.Links), Bytes: max(t.Bytes, o.Bytes),
	}
}

// NewSet returns the set of the targets alone.
func NewSet(targets []Target) *Set {
	s := &Set{
		targets: targets, places: map[place]int{}, ids: map[string]bool{}, tallies: make([]Tally, len(targets)),
		leads: map[place]map[place]bool{}, gone: map[string]bool{}, orphans: map[string]bool{},
	}
	for i, t := range targets {
		if _, ok := s.places[t.place]; !ok {
			s.places[t.place] = i
		}
	}
	return s
}

// Targets returns the targets.
func (s *Set) Targets() []Target { return s.targets }

// Tally returns what goes for a target, as far as it was met.
func (s *Set) Tally(target int) *Tally { return &s.tallies[target] }

// EndCount ends the counting: what is met from now on was counted before.
func (s *Set) EndCount() { s.counted = true }

// Gone returns the URLs of the records that go, as far as they were met.
func (s *Set) Gone() []string { return slices.Sorted(maps.Keys(s.gone)) }

// Orphans returns the URLs of pages that stay, and were found on one that goes.
func (s *Set) Orphans() []string { return slices.Sorted(maps.Keys(s.orphans)) }

// Count returns the tally of the target for which a URL goes. If there is none, or
// the counting has ended, it is a tally that is not read.
func (s *Set) Count(url string) *Tally {
	target, ok := s.Find(url)
	if !ok || s.counted {
		return new(Tally)
	}
	return &s.tallies[target]
}

// count returns the tally for a record of some URLs that goes.
func (s *Set) count(target int, urls ...string) *Tally {
	for _, url := range urls {
		if url != "" {
			s.gone[url] = true
		}
	}
	if s.counted {
		return new(Tally)
	}
	return &s.tallies[target]
}

// Find returns the target for which a URL goes.
func (s *Set) Find(url string) (target int, ok bool) {
	u, err := urlnorm.Parse(url)
	if err != nil {
		return 0, false
	}
	return s.first(around(u))
}

// Has reports whether a URL goes.
func (s *Set) Has(url string) bool {
	_, ok := s.Find(url)
	return ok
}

// HasPort reports whether a host goes on one port alone.
func (s *Set) HasPort() bool {
	return slices.ContainsFunc(s.targets, func(t Target) bool { return t.kind == onePort })
}

// FindHost returns the target for which a host goes with all of its pages.
func (s *Set) FindHost(host string) (target int, ok bool) { return s.first(hostPlaces(host)) }

func (s *Set) first(places []place) (target int, ok bool) {
	for _, p := range places {
		if target, ok = s.places[p]; ok {
			return target, true
		}
	}
	return 0, false
}

// Same notes that two URLs are of one page, requested by the one and found at the
// other: with either the other goes. It reports whether the set has grown.
func (s *Set) Same(asked, found string) bool {
	return asked != found && (s.Redirect(asked, found) || s.Redirect(found, asked))
}

// Redirect notes that a URL redirects to another, and goes with it, now or when the
// other is found to go. It reports whether the set has grown.
func (s *Set) Redirect(from, to string) bool {
	u, err := urlnorm.Parse(from)
	v, errTo := urlnorm.Parse(to)
	if err != nil || errTo != nil {
		return false
	}
	if _, gone := s.first(around(u)); gone {
		return false
	}
	target, ok := s.first(around(v))
	if !ok {
		page := pageOf(v)
		if s.leads[page] == nil {
			s.leads[page] = map[place]bool{}
		}
		s.leads[page][pageOf(u)] = true
		return false
	}
	s.add(pageOf(u), target)
	return true
}

// add adds a page, and those that lead to it.
func (s *Set) add(page place, target int) {
	for pages := []place{page}; len(pages) > 0; {
		page, pages = pages[len(pages)-1], pages[:len(pages)-1]
		if _, ok := s.places[page]; !ok {
			s.places[page] = target
		}
		pages = slices.AppendSeq(pages, maps.Keys(s.leads[page]))
		delete(s.leads, page)
	}
}

// URLs returns the single URLs of the set, with the schemes that each may have.
func (s *Set) URLs() []string {
	var urls []string
	for p := range s.places {
		if p.kind == onePage {
			urls = append(urls, scheme+p.name, "https://"+p.name)
		}
	}
	return urls
}

// learned returns the pages that go, by target, and the IDs of documents that go.
func (s *Set) learned() (pages map[string]int, documents []string) {
	pages = map[string]int{}
	for p, target := range s.places {
		if p.kind == onePage {
			pages[p.name] = target
		}
	}
	return pages, slices.Sorted(maps.Keys(s.ids))
}

// restore adds what learned returned.
func (s *Set) restore(pages map[string]int, documents []string) {
	for name, target := range pages {
		s.add(place{onePage, name}, target)
	}
	for _, id := range documents {
		s.ids[id] = true
	}
}

// List returns the pages and hosts that a crawl has to refuse from now on.
func (s *Set) List() *List {
	l := &List{hashes: make(map[hash]struct{}, len(s.places))}
	for p := range s.places {
		l.hashes[p.hash()] = struct{}{}
	}
	return l
}
