package sections

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sluice/shared/rank/urlshape"
)

// Options of a Table. Zero values are the defaults.
type Options struct {
	Pairs   int    // of one draw; default 200
	Redraws int    // default 20
	Seed    uint64 // of the draws
}

// Defaults of Options.
const (
	DefaultPairs   = 200
	DefaultRedraws = 20
)

// Share is the mean of a share over the redraws, and its range.
type Share struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Row is a line of the table: a setting, decided by one form.
type Row struct {
	Setting string          `json:"setting"`
	Params  urlshape.Params `json:"params"`  // the shipped constants
	Shipped Share           `json:"shipped"` // accuracy at the shipped threshold
	Simple  Share           `json:"simple"`  // accuracy of the simple rule: same host and first directory
	Cuts    []Cut           `json:"cuts"`    // accuracy at other thresholds
}

// Cut is the accuracy at a threshold, the other constants being the shipped
// ones.
type Cut struct {
	Threshold float64 `json:"threshold"`
	Accuracy  Share   `json:"accuracy"`
}

// Table draws from all, and pairs of sections from named: webs whose labels are
// sections of their sites. The paper's form decides settings across hosts,
// since within a host its containment decides before any score; the path form
// decides sections.
func Table(all, named *Set, opts Options) ([]Row, error) {
	opts.Pairs = cmp.Or(opts.Pairs, DefaultPairs)
	opts.Redraws = cmp.Or(opts.Redraws, DefaultRedraws)
	var rows []Row
	for _, line := range []struct {
		set     *Set
		setting Setting
		form    urlshape.Form
	}{
		{all, SameHost, urlshape.FormPaper},
		{all, Siblings, urlshape.FormPaper},
		{named, Sections, urlshape.FormPath},
	} {
		row, err := line.set.row(line.setting, urlshape.DefaultParams(line.form), opts)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// row draws a setting again and again and counts the right decisions.
func (s *Set) row(setting Setting, params urlshape.Params, opts Options) (Row, error) {
	row := Row{Setting: setting.String(), Params: params}
	thresholds := grid()
	right := make([][]float64, len(thresholds)+2) // by threshold; then the shipped one and the simple rule
	for redraw := range opts.Redraws {
		random := rand.New(rand.NewPCG(opts.Seed, uint64(redraw)))
		pairs, err := s.draw(setting, opts.Pairs, random)
		if err != nil {
			return row, err
		}
		hits := make([]int, len(right))
		for _, p := range pairs {
			same, score, scored := params.Compare(p.x.shape, p.y.shape)
			for i, t := range thresholds {
				count(&hits[i], p.same == (!scored || score > t))
			}
			count(&hits[len(thresholds)], p.same == same)
			count(&hits[len(thresholds)+1], p.same == simple(p.x, p.y))
		}
		for i, n := range hits {
			right[i] = append(right[i], float64(n)/float64(len(pairs)))
		}
	}
	for i, t := range thresholds {
		row.Cuts = append(row.Cuts, Cut{t, share(right[i])})
	}
	row.Shipped, row.Simple = share(right[len(thresholds)]), share(right[len(thresholds)+1])
	return row, nil
}

// grid are the thresholds of the table: 0.05 to 0.95.
func grid() []float64 {
	var thresholds []float64
	for i := 1; i < 20; i++ {
		thresholds = append(thresholds, float64(i)/20)
	}
	return thresholds
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// simple is the rule to beat: same host and same first directory.
func simple(x, y *entry) bool { return x.host == y.host && x.first == y.first }

func share(values []float64) Share {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return Share{Mean: sum / float64(len(values)), Low: slices.Min(values), High: slices.Max(values)}
}
