package export

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// account has the counts of a folder's pages.
type account struct {
	Label   string
	Crawl   *Crawl
	Fetched int64
	Kept    int64
	Rules   tally
}

// harvest is the share of the fetched pages that were kept, as the crawl has it.
func (a *account) harvest() float64 {
	switch {
	case a.Crawl != nil:
		return a.Crawl.HarvestRate
	case a.Fetched == 0:
		return 0
	}
	return float64(a.Kept) / float64(a.Fetched)
}

// accounts returns for each folder the counts of its crawl, or else those of
// its files: the rejects are pages that were not kept, and those with a
// response were fetched.
func (e *exporter) accounts(folders []*Source) ([]*account, error) {
	var list []*account
	for i, s := range folders {
		a := &account{Label: s.Label, Crawl: s.Crawl, Rules: tally{}}
		list = append(list, a)
		if s.Crawl != nil {
			a.Fetched, a.Kept = s.Crawl.Fetched, s.Crawl.Kept
			for _, rule := range s.Crawl.Rules {
				a.Rules.add(rule.Name, rule.N)
			}
			continue
		}
		a.Fetched, a.Kept = s.Records, s.Records
		for _, in := range s.Rejects {
			if err := a.read(e.folders[i].Dir, in, s.Open); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

func (a *account) read(dir string, in Input, open bool) error {
	name := filepath.Join(dir, filepath.FromSlash(in.Name))
	return eachLineOf(name, in.Bytes, func(l corpus.Line) error {
		var r corpus.Reject
		if err := json.Unmarshal(l.Text(), &r); err != nil {
			if l.Torn() && open {
				return nil
			}
			return fmt.Errorf("line %d is not a reject: %w", l.Number, err)
		}
		a.Rules.add(r.Rule, 1)
		if r.Status > 0 {
			a.Fetched++
		}
		return nil
	})
}
