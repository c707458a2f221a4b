package local

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/shared/dataset/export"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

var _ export.Ledger = (*Folder)(nil)

// Entries implements export.Ledger. It answers for all generations: a document
// is current where the entry points at its record. An older version, and a
// document whose page is gone, are in the files, but no entry points at them.
func (f *Folder) Entries(ctx context.Context, urls []string) ([]*ledger.Entry, error) {
	return generations(f.store, f.set.crawls(f.set.Topic)).Entries(ctx, urls)
}

// Current implements export.Ledger. A page is known by the trace of its entry.
func (f *Folder) Current(ctx context.Context) iter.Seq2[[]export.Pointed, error] {
	return func(yield func([]export.Pointed, error) bool) {
		for ends, err := range f.Ends(ctx) {
			var list []export.Pointed
			for _, end := range ends {
				if e := end.Entry; e.Verdict == ledger.Kept {
					list = append(list, export.Pointed{URL: end.URL, WARC: corpus.Location{File: e.Segment, Offset: e.Offset, Length: e.Length}})
				}
			}
			if !yield(list, err) || err != nil {
				return
			}
		}
	}
}

// Ends returns the ends of all pages, some at a time, in the order in which they
// were first written. That of a page which several generations have met is the
// newest; it may come repeatedly.
func (f *Folder) Ends(ctx context.Context) iter.Seq2[[]ledger.End, error] {
	return func(yield func([]ledger.End, error) bool) {
		for traces, err := range f.store.EachTrace(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			for chunk := range slices.Chunk(traces, atOnce) {
				ends, err := f.ends(ctx, tracedURLs(chunk))
				if !yield(ends, err) || err != nil {
					return
				}
			}
		}
	}
}

// ends returns the ends of those URLs that have one.
func (f *Folder) ends(ctx context.Context, urls []string) ([]ledger.End, error) {
	entries, err := f.Entries(ctx, urls)
	if err != nil {
		return nil, err
	}
	var ends []ledger.End
	for i, e := range entries {
		if e != nil {
			ends = append(ends, ledger.End{URL: urls[i], Entry: e})
		}
	}
	return ends, nil
}

// Waiting returns the links that were not fetched yet, some at a time.
func (f *Folder) Waiting(ctx context.Context) iter.Seq2[[]frontier.Link, error] {
	return func(yield func([]frontier.Link, error) bool) {
		for links, err := range f.store.EachWaiting(ctx, f.set.Crawl) {
			if !yield(links, err) || err != nil {
				return
			}
		}
		f.store.EachQueued(ctx, f.set.Crawl)(yield)
	}
}

// Dropped returns the decisions not to follow a link, some at a time. The link may
// have been followed all the same, from another page.
func (f *Folder) Dropped(ctx context.Context) iter.Seq2[[]ledger.Decision, error] {
	return f.store.EachDropped(ctx)
}

// Verify reports what is wrong with the file of the crawl's state as such.
func (f *Folder) Verify(ctx context.Context) error { return f.store.Verify(ctx) }

// Dataset is the folder as an export reads it. It is good until Close.
func (f *Folder) Dataset(ctx context.Context) (*export.Folder, error) {
	s, err := f.Status(ctx)
	if err != nil {
		return nil, err
	}
	c := &export.Crawl{
		Name: s.Crawl, Topic: f.set.Topic, Fetched: s.Fetched, Kept: s.Kept, HarvestRate: s.HarvestRate, Parameters: f.parameters(),
		Refreshes: s.Generation - 1, Refresh: lastRefresh(&s.Summary),
	}
	for name, n := range s.Rules {
		c.Rules = append(c.Rules, export.Count{Name: name, N: n})
	}
	slices.SortFunc(c.Rules, func(a, b export.Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return &export.Folder{Dir: f.dir, Ledger: f, Open: s.StopReason == "", Crawl: c, Rejected: s.Rejected}, nil
}

// lastRefresh lists what the last refresh came to; nothing of a first crawl.
func lastRefresh(s *Summary) []export.Count {
	if s.Generation < 2 {
		return nil
	}
	r := s.Refresh
	return []export.Count{
		{Name: "fetched", N: r.Fetched}, {Name: string(ledger.Unchanged), N: r.Unchanged}, {Name: string(ledger.Changed), N: r.Changed},
		{Name: string(ledger.Gone), N: r.Gone}, {Name: string(ledger.New), N: r.New}, {Name: string(ledger.Unreached), N: r.Unreached},
	}
}

// parameters lists what the crawl was run with, as its settings and its topic
// have it.
func (f *Folder) parameters() []export.Parameter {
	set := &f.set
	list := []export.Parameter{{Name: "topic_version", Value: set.TopicVersion}}
	list = append(list, f.topicParameters()...)
	list = append(list,
		export.Parameter{Name: "seeds", Value: strconv.Itoa(len(set.Seeds)) + ": " + strings.Join(set.Seeds, " ")},
		export.Parameter{Name: "delay", Value: set.Delay.String()},
	)
	for _, limit := range set.Given() {
		list = append(list, export.Parameter{Name: limit.Key, Value: limit.Value.String()})
	}
	if set.Scope != nil {
		list = append(list, export.Parameter{Name: "scope", Value: fmt.Sprintf("%s, allow %s, deny %s", set.Scope.Mode, strings.Join(set.Scope.Allow, " "), strings.Join(set.Scope.Deny, " "))})
	}
	if set.RandomSeed > 0 {
		list = append(list, export.Parameter{Name: "random_seed", Value: strconv.FormatUint(set.RandomSeed, 10)})
	}
	return list
}

// topicParameters are those of the topic that the folder keeps; none where it
// cannot be read any more, which is no reason to have no dataset.
func (f *Folder) topicParameters() []export.Parameter {
	t, err := f.ReadTopic()
	if err != nil {
		return nil
	}
	file := t.File
	list := []export.Parameter{
		{Name: "language", Value: file.Language},
		{Name: "words", Value: strconv.Itoa(len(file.Words))},
		{Name: "strategy", Value: cmp.Or(file.Strategy, rank.NameSemantic)},
		{Name: "scope.mode", Value: string(file.Scope.Mode)},
		{Name: "scope.allow", Value: strings.Join(file.Scope.Allow, " ")},
		{Name: "scope.deny", Value: strings.Join(file.Scope.Deny, " ")},
		{Name: "budgets.max_pages", Value: strconv.Itoa(file.Budgets.MaxPages)},
		{Name: "budgets.max_pages_per_host", Value: strconv.Itoa(file.Budgets.MaxPagesPerHost)},
		{Name: "budgets.max_depth", Value: strconv.Itoa(file.Budgets.MaxDepth)},
		{Name: "budgets.overrides", Value: strings.Join(file.Budgets.Overrides, ", ")},
	}
	numbers := map[string]float64{
		"thresholds.description": file.Thresholds.Description, "thresholds.priority": file.Thresholds.Priority,
		"thresholds.body": file.Thresholds.Body, "thresholds.anchor": file.Thresholds.Anchor,
		"weights.alpha": file.Weights.Alpha, "weights.beta": file.Weights.Beta, "weights.lambda": file.Weights.Lambda,
	}
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		list = append(list, export.Parameter{Name: name, Value: fmt.Sprintf("%.6g", numbers[name])})
	}
	return list
}
