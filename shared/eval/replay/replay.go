// Package replay decides the links and pages of a finished crawl again, under
// another topic, strategy or threshold and without fetching, and says what would
// change.
//
// Every link is judged once, on the page that ranked it best, with the structure
// vote that it had then. A strategy that learns has learned from all pages before.
// Pages that are archived are read again. Of others the ledger has title and scores:
// another topic scores them by their titles, and whether it would keep them is not
// known. The text around a link and the graph of links were not recorded, so
// strategies that need them see none. Pages that the crawl never met are missing.
package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

// Result is what would change.
type Result struct {
	Dir    string `json:"dir"`
	Before Rules  `json:"before"`
	After  Rules  `json:"after"`
	Links  Links  `json:"links"`
	Pages  Pages  `json:"pages"`
}

// Rules are those by which links are judged.
type Rules struct {
	Topic     string  `json:"topic"`
	Strategy  string  `json:"strategy"`
	Threshold float64 `json:"threshold"` // of the priority
}

// Links counts the links that a strategy judges: not seeds, nor those that scope,
// depth or robots.txt exclude.
type Links struct {
	Judged      int            `json:"judged"`
	Followed    int            `json:"followed"`     // by the crawl
	Still       int            `json:"still"`        // of these, followed again
	NowDropped  int            `json:"now_dropped"`  // followed by the crawl
	Drops       map[string]int `json:"drops"`        // these by rule
	Unreached   int            `json:"unreached"`    // followed by the crawl, on a page that would not be fetched
	NowFollowed int            `json:"now_followed"` // dropped by the crawl
	Order       metric.Number  `json:"order"`        // Spearman's correlation of the orders before and after, of those that are still followed
	ByTitle     int            `json:"by_title"`     // on a page without archive, which another topic judges by its title alone

	MostDropped  []Link `json:"most_dropped"`  // the best of NowDropped
	MostFollowed []Link `json:"most_followed"` // the best of NowFollowed
}

// Link is a link whose fate changes, with its priorities.
type Link struct {
	URL    string  `json:"url"`
	Anchor string  `json:"anchor"`
	Parent string  `json:"parent"`
	Rule   string  `json:"rule"` // that drops it, or did
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// Pages counts the pages that were fetched.
type Pages struct {
	Kept      int            `json:"kept"`      // by the crawl
	Still     int            `json:"still"`     // of these, kept again
	Refused   int            `json:"refused"`   // of these, refused
	Rules     map[string]int `json:"rules"`     // these by rule
	Unreached int            `json:"unreached"` // of these, not fetched
	NowKept   int            `json:"now_kept"`  // refused by the crawl for their text
	Undecided int            `json:"undecided"` // refused by the crawl and not archived, and would be read
	Removed   []Page         `json:"removed"`   // the first of Refused
	Added     []Page         `json:"added"`     // the first of NowKept
}

// Page is a page whose fate changes.
type Page struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Rule  string `json:"rule"` // that refuses it, or did
}

// examples is how many links and pages are listed of each kind.
const examples = 20

// replay is the state of one.
type replay struct {
	dir    string
	plan   *step.Plan
	scored bool            // by the words of the crawl, so that its scores hold
	texts  bool            // the crawl judged pages by their texts, too
	kept   map[string]bool // final URLs of the documents
	pages  map[string]*page
	links  []*candidate
	result *Result
}

// page is a URL that the crawl has finished.
type page struct {
	url   string
	entry *ledger.Entry
	trace step.Trace
	link  *candidate // to it

	description float64
	relevant    bool
	byTitle     bool // judged by it

	keep    bool   // it would be kept, if it were fetched
	refused string // else, of a document, the rule that refuses it
	unknown bool   // it would be read, and is not archived
}

// candidate is a link under judgement.
type candidate struct {
	link frontier.Link
	rule string // by which the crawl dropped it

	judged  bool // by the strategy
	now     string
	order   float64
	tie     float64
	value   float64
	reached bool // its page would be fetched
}

// Run decides the crawl in a folder again. Without a topic it is that of the
// crawl; the variants change it.
func Run(ctx context.Context, dir string, other *topic.Compiled, variants ...wholecrawl.Variant) (_ *Result, err error) {
	folder, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	own, err := folder.ReadTopic()
	if err != nil {
		return nil, fmt.Errorf("replay: read the topic of the crawl: %w", err)
	}
	after := own
	if other != nil {
		after = other
	}
	r := &replay{dir: dir, scored: after.ID == own.ID, texts: !rank.DropsWeak(own.File.Strategy), kept: map[string]bool{}, pages: map[string]*page{}}
	for _, v := range variants {
		after = v.Of(after)
	}
	r.result = &Result{Dir: dir, Before: rules(own), After: rules(after)}
	if r.plan, err = planOf(after); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	kept, err := wholecrawl.Kept(dir)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	for _, url := range kept {
		r.kept[url] = true
	}
	if err := r.read(ctx, folder); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if err := r.judgePages(ctx); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if err := r.judgeLinks(ctx); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	r.countLinks()
	r.countPages()
	return r.result, nil
}

func rules(t *topic.Compiled) Rules {
	return Rules{Topic: t.File.Name, Strategy: cmp.Or(t.File.Strategy, rank.NameSemantic), Threshold: t.File.Thresholds.Priority}
}

// planOf returns how the links and pages of a topic are judged.
func planOf(t *topic.Compiled) (*step.Plan, error) {
	reader, err := plan.Reader(t)
	if err != nil {
		return nil, err
	}
	return (&plan.Params{Topic: t}).Adjust(&step.Plan{Reader: reader})
}

// read reads what the crawl met: pages and links.
func (r *replay) read(ctx context.Context, folder *local.Folder) error {
	followed := map[string]bool{}
	for ends, err := range folder.Ends(ctx) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, end := range ends {
			if followed[end.URL] {
				continue
			}
			followed[end.URL] = true
			p := &page{url: end.URL, entry: end.Entry}
			if err := json.Unmarshal(end.Entry.Trace, &p.trace); err != nil {
				return fmt.Errorf("read the trace of %s: %w", end.URL, err)
			}
			p.link = &candidate{link: p.trace.Link}
			r.pages[end.URL] = p
			r.links = append(r.links, p.link)
		}
	}
	for links, err := range folder.Waiting(ctx) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, l := range links {
			if !followed[l.URL] {
				followed[l.URL] = true
				r.links = append(r.links, &candidate{link: l})
			}
		}
	}
	for list, err := range folder.Dropped(ctx) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, d := range list {
			if !followed[d.Link.URL] && byStrategy(d.Rule) {
				r.links = append(r.links, &candidate{link: d.Link, rule: d.Rule})
			}
		}
	}
	return nil
}
