package rank

import (
	"sync"

	"sluice/shared/rank/linkgraph"
	"sluice/shared/web/urlnorm"
)

// PageRank follows every link, those to the pages of the highest PageRank first
// (METHOD B5, B7), in the graph of the pages that were read and of their links.
//
// The ranks are computed again when the buffer of new pages is full. It holds a tenth
// of the pages that were read before, at least rankBuffer: so the work for a page
// does not grow with the crawl. A page that came later has the rank of one without
// links to it.
type PageRank struct {
	mu    sync.RWMutex
	graph linkgraph.Graph
	ranks []float64 // by the pages' numbers
	read  int       // pages whose links are in the graph
	fresh int       // of them those in the buffer
}

const (
	rankBuffer = 50
	rankShare  = 10      // pages that were read for one in the buffer
	rankPages  = 300_000 // of the graph, some 60 MB; links to further ones are left out
)

var _ GraphReader = (*PageRank)(nil)

func newPageRank(s Settings) *PageRank {
	if before, ok := s.Before.(*PageRank); ok {
		return before
	}
	return new(PageRank)
}

// Judge implements Strategy.
func (s *PageRank) Judge(l Link) Judgement {
	s.mu.RLock()
	defer s.mu.RUnlock()
	rank := 1 - linkgraph.Damping
	if n, ok := s.graph.Find(l.URL.String()); ok && n < len(s.ranks) {
		rank = s.ranks[n]
	}
	return Judgement{Order: Order{Priority: rank}}
}

// Line implements Strategy.
func (*PageRank) Line() float64 { return 0 }

// ReadLinks implements GraphReader.
func (s *PageRank) ReadLinks(page urlnorm.URL, links []urlnorm.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, ok := s.number(page.String())
	if !ok {
		return
	}
	for _, u := range links {
		if to, ok := s.number(u.String()); ok {
			s.graph.Link(from, to)
		}
	}
	s.read++
	if s.fresh++; s.fresh >= max(rankBuffer, (s.read-s.fresh)/rankShare) {
		s.ranks, s.fresh = s.graph.Ranks(linkgraph.Damping), 0
	}
}

// number returns the number of a page in the graph, unless that is full.
func (s *PageRank) number(page string) (int, bool) {
	if len(s.graph.Pages()) >= rankPages {
		return s.graph.Find(page)
	}
	return s.graph.Number(page), true
}
