package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The names of the strategies, as topic files have them.
const (
	NameSemantic     = "semantic"
	NameAdaptive     = "adaptive"
	NameBestFirst    = "best-first"
	NameBreadthFirst = "breadth-first"
	NameNeighborhood = "neighborhood"
	NamePageRank     = "pagerank"
	NameSharkSearch  = "shark-search"
	NameHybrid       = "hybrid"
)

// Default is the strategy of a topic file that names none.
const Default = NameHybrid

// Settings are what a topic sets of its strategy.
type Settings struct {
	Weights
	Threshold float64 // of the priority, on the scale of the topic's Rel
	Tunnel    int     // weak links in a row (see BestFirst); 0: DefaultTunnel

	Before Strategy // a strategy keeps what the one that it replaces has learned; nil: none
}

// DefaultTunnel is how many weak links in a row a crawl follows unless its topic
// says otherwise.
const DefaultTunnel = 3

var strategies = map[string]func(s Settings) Strategy{
	NameSemantic:     func(s Settings) Strategy { return Semantic{s.Weights, s.Threshold} },
	NameAdaptive:     func(s Settings) Strategy { return newAdaptive(s) },
	NameBestFirst:    func(s Settings) Strategy { return newBestFirst(s) },
	NameBreadthFirst: func(Settings) Strategy { return BreadthFirst{} },
	NameNeighborhood: func(s Settings) Strategy { return newNeighborhood(s) },
	NamePageRank:     func(s Settings) Strategy { return newPageRank(s) },
	NameSharkSearch:  func(s Settings) Strategy { return SharkSearch{s.Threshold} },
	NameHybrid:       func(s Settings) Strategy { return newHybrid(s) },
}

// New returns the strategy of a name. "" is NameSemantic: the first programs knew no
// other and recorded none.
func New(name string, s Settings) (Strategy, error) {
	if build, ok := strategies[cmp.Or(name, NameSemantic)]; ok {
		return build(s), nil
	}
	return nil, fmt.Errorf("no strategy has the name %.40q: use %s", name, strings.Join(Names(), ", "))
}

// DropsWeak reports whether a strategy drops weak links, and with them pages whose
// head says nothing of the topic.
func DropsWeak(name string) bool { return name == "" || name == NameSemantic }

// Adapts reports whether a crawl by a strategy changes thresholds and words while
// it runs (METHOD B3, B4).
func Adapts(name string) bool { return name == NameAdaptive }

// Names returns the names of all strategies, sorted.
func Names() []string { return slices.Sorted(maps.Keys(strategies)) }
