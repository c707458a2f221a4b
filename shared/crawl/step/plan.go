package step

import (
	"math/rand/v2"
	"time"

	"github.com/zeebo/xxh3"

	"sluice/shared/crawl/reading"
	"sluice/shared/rank"
	"sluice/shared/rank/urlshape"
	"sluice/shared/state/forget"
	"sluice/shared/state/limits"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// Plan defines a crawl: how it reads pages, which links it follows, and its
// limits. A Plan does not change; see Step.Adjust.
type Plan struct {
	*reading.Reader

	AnchorThreshold   float64 // on a page that is not relevant a link is followed from here on; 0: only for a topic word
	PriorityThreshold float64 // the priority of links without any score: after everything better
	Strategy          rank.Strategy
	Structure         urlshape.Params
	SampleSize        int // n of the structure vote, METHOD A10

	Scope        *urlnorm.Scope
	Revisits     limits.Revisits // of a refresh: the known pages that it fetches again
	Forgotten    *forget.List    // never fetched, nor recorded by their URLs; nil: none
	MaxDepth     int             // links from a seed
	PagesPerHost int             // budget of one host
	Delay        time.Duration   // between two fetches on a host; robots.txt may ask for more
	Overrides    []limits.Override

	// Render says which pages a browser shows: topic.RenderAuto or topic.RenderAlways;
	// "": none.
	Render string

	// Template is that of a structured crawl, nil in a topical one: a page is dynamic, too,
	// if scripts add one of its fields.
	Template *template.Template

	// Graph records the links of every page that is read, for a strategy that orders
	// by the graph of links (METHOD B5).
	Graph bool

	// Archive says what the archive holds: corpus.ArchiveKept and its kin; "" is that.
	Archive string

	// Seed makes the crawl reproducible: the structure vote of a page draws
	// from the history with it. 0 draws at random.
	Seed uint64
}

// rng returns the source of the structure vote of one page.
func (p *Plan) rng(url string) *rand.Rand {
	if p.Seed == 0 {
		return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	return rand.New(rand.NewPCG(p.Seed, xxh3.HashString(url)))
}

// reproducible reports whether the crawl goes in rounds (see
// frontier.Backlog).
func (p *Plan) reproducible() bool { return p.Seed != 0 }
