package ledger

import (
	"iter"
	"strings"
)

// Names are a store's names for the sums that make Totals. The last four are
// prefixes: a verdict, rule or change follows.
type Names struct {
	Fetched, Rendered, Below, Relevant, Enqueued, Dropped string
	Verdict, Rule, Drop, Change                           string
}

// Sums yields the contribution of an entry to each sum. A name may come twice.
func (n *Names) Sums(e *Entry) iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		add := func(counts bool, name string, links int) bool { return !counts || yield(name, int64(links)) }
		ok := add(e.Fetched, n.Fetched, 1) && add(e.Rendered, n.Rendered, 1) && add(e.Below, n.Below, 1) && add(e.Relevant, n.Relevant, 1) &&
			add(true, n.Enqueued, e.Enqueued) && add(true, n.Dropped, e.Dropped) &&
			add(e.Change != "", n.Change+string(e.Change), 1) && add(true, n.Verdict+string(e.Verdict), 1)
		for rule, links := range e.Drops {
			ok = ok && yield(n.Drop+rule, int64(links))
		}
		switch e.Verdict {
		case Passed, Rejected, Skipped, Dead:
			_ = ok && add(e.Rule != "", n.Rule+e.Rule, 1)
		}
	}
}

// Totals makes totals of the sums.
func (n *Names) Totals(sums iter.Seq2[string, int64]) *Totals {
	t := &Totals{Verdicts: map[Verdict]int64{}, Rules: map[string]int64{}, Drops: map[string]int64{}}
	for name, sum := range sums {
		switch name {
		case n.Fetched:
			t.Fetched = sum
		case n.Rendered:
			t.Rendered = sum
		case n.Below:
			t.Below = sum
		case n.Relevant:
			t.Relevant = sum
		case n.Enqueued:
			t.Enqueued = sum
		case n.Dropped:
			t.Dropped = sum
		default:
			if v, ok := strings.CutPrefix(name, n.Verdict); ok {
				t.Verdicts[Verdict(v)] = sum
			} else if rule, ok := strings.CutPrefix(name, n.Rule); ok {
				t.Rules[rule] = sum
			} else if rule, ok := strings.CutPrefix(name, n.Drop); ok {
				t.Drops[rule] = sum
			} else if change, ok := strings.CutPrefix(name, n.Change); ok {
				t.AddChange(Change(change), sum)
			}
		}
	}
	return t
}
