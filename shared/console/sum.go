package console

import (
	"maps"

	"sluice/shared/state/ledger"
)

// Generation is what a crawl, or a refresh of it, has come to. A document that was
// kept may have been refused later, when more was known.
type Generation struct {
	*ledger.Totals
	Refused map[string]int64        // documents refused later, by rule, counted where they were kept first
	Changes map[ledger.Change]int64 // all entries refused later, by what the refresh had found
	Current int64                   // how many of Refused would still be current
}

// Sum takes over the counts of a crawl and of its refreshes, in their order. A page
// counts each time that it was met; kept are the documents that are current.
func (s *Summary) Sum(generations []Generation) {
	s.Rules, s.Drops = map[string]int64{}, map[string]int64{}
	documents := int64(0) // each time that one was met
	for i, g := range generations {
		s.Fetched += g.Fetched
		s.Rendered += g.Rendered
		s.Rejected += g.Verdicts[ledger.Rejected] + g.Verdicts[ledger.Passed]
		s.Passed += g.Verdicts[ledger.Passed]
		s.Skipped += g.Verdicts[ledger.Skipped]
		s.Redirected += g.Verdicts[ledger.Redirected]
		s.Sources += g.Verdicts[ledger.Source]
		s.Forgotten += g.Verdicts[ledger.Forgotten]
		s.DroppedLinks += g.Dropped
		s.Enqueued += g.Enqueued
		add(s.Rules, g.Rules)
		add(s.Drops, g.Drops)
		documents += g.Verdicts[ledger.Kept]
		s.Kept += g.kept(i == 0) - g.Current
		for rule, n := range g.Refused {
			s.Rules[rule] += n
			s.RefusedLater += n
		}
	}
	s.Rejected += s.RefusedLater
	if s.Fetched > 0 {
		s.HarvestRate = float64(documents-s.RefusedLater) / float64(s.Fetched)
	}
	if s.Generation = len(generations); s.Generation > 1 {
		s.Refresh = generations[s.Generation-1].refreshed()
	}
}

// kept is by how many documents there are more than before.
func (g *Generation) kept(first bool) int64 {
	if first {
		return g.Verdicts[ledger.Kept]
	}
	return g.Totals.Changes[ledger.New] - g.Totals.Changes[ledger.Gone]
}

func (g *Generation) refreshed() Refreshed {
	n := func(c ledger.Change) int64 { return g.Totals.Changes[c] - g.Changes[c] }
	return Refreshed{
		Fetched: g.Fetched, Unchanged: n(ledger.Unchanged), Changed: n(ledger.Changed), Gone: n(ledger.Gone),
		New: n(ledger.New), Unreached: n(ledger.Unreached),
	}
}

// add adds counts, without those that are 0 as they were taken back.
func add(to, from map[string]int64) {
	for name, n := range from {
		to[name] += n
	}
	maps.DeleteFunc(to, func(_ string, n int64) bool { return n == 0 })
}

// OfRun returns the pages that count against MaxPages and the documents among them:
// in a refresh its own.
func (s *Summary) OfRun() (fetched, kept int64) {
	if r := s.Refresh; s.Generation > 1 {
		return r.Fetched, r.Unchanged + r.Changed + r.New
	}
	return s.Fetched, s.Kept
}
