package urlshape

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Form says how two URLs are compared.
type Form string

const (
	// FormPaper is METHOD A9 to the letter: hosts have the same structure if
	// one contains the other (so equal hosts have); the similarity of parts is
	// that of their character sets; nothing is clamped or normalised.
	FormPaper Form = "paper"

	// FormPath is ours: it distinguishes sections within a host. No host passes
	// by containment; parts are alike if their classes are equal (words as they
	// are, digits, dates and ids by their kind); weights are never below 0, and
	// each similarity is divided by the sum of its weights over the longer
	// list, so that it is in 0..1, as is the score if alpha + beta = 1.
	FormPath Form = "path"
)

// Params are the constants of A9. They form one scale: a threshold means
// something together with the others only.
type Params struct {
	Form      Form    `json:"form" yaml:"form"`
	Alpha     float64 `json:"alpha" yaml:"alpha"`         // weight of the hosts' similarity
	Beta      float64 `json:"beta" yaml:"beta"`           // weight of the paths' similarity
	Threshold float64 `json:"threshold" yaml:"threshold"` // the same structure above it
	A         float64 `json:"a" yaml:"a"`                 // weight of the first host part
	B         float64 `json:"b" yaml:"b"`                 // reduction for each further host part
	D         float64 `json:"d" yaml:"d"`                 // divides the similarity of two parts "www"
	APath     float64 `json:"a_path" yaml:"a_path"`       // weight of the first path part, halved with each further
}

// DefaultParams returns constants fitted for a form: the paper's for sections
// in subdomains against other domains (0.95 right, and nearly all pairs within
// one host; see eval/sections), the path form's so that two URLs are the same
// if their leading directory is, on hosts with the same leading label other
// than "www". The form may be empty: paper.
//
// In the paper's form all labels of a host weigh nearly the same, since
// siblings share the last ones, and "www" almost nothing.
func DefaultParams(form Form) Params {
	if form == FormPath {
		return Params{Form: FormPath, Alpha: 0.5, Beta: 0.5, Threshold: 0.75, A: 0.6, B: 0.3, D: 8, APath: 1}
	}
	return Params{Form: FormPaper, Alpha: 0.8, Beta: 0.2, Threshold: 0.6, A: 0.4, B: 0.025, D: 100, APath: 0.3}
}

// Validate reports every error of p: an unknown form, a constant that is not a
// number or too large for scores, a d that is not positive. An empty form is
// valid and means paper.
func (p Params) Validate() error {
	const largest = 1e6
	var errs []error
	if p.Form != "" && p.Form != FormPaper && p.Form != FormPath {
		errs = append(errs, fmt.Errorf("unknown structure form %q: want paper or path", p.Form))
	}
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"alpha", p.Alpha}, {"beta", p.Beta}, {"threshold", p.Threshold},
		{"a", p.A}, {"b", p.B}, {"d", p.D}, {"a_path", p.APath},
	} {
		if math.IsNaN(c.value) || math.Abs(c.value) > largest {
			errs = append(errs, fmt.Errorf("structure constant %s is %v: want at most %g", c.name, c.value, largest))
		}
	}
	if p.D < 1/largest {
		errs = append(errs, fmt.Errorf("structure constant d is %v: want more than 0", p.D))
	}
	return errors.Join(errs...)
}

// Compare reports whether two URLs have the same structure, and returns the
// score and whether there is one: in the paper's form hosts that contain each
// other are the same without a score (0, false). Compare is symmetric and does
// not allocate.
func (p Params) Compare(x, y Shape) (same bool, score float64, scored bool) {
	if p.Form == FormPath {
		score = p.Alpha*p.classHosts(x, y) + p.Beta*p.classPaths(x.path, y.path)
		return score > p.Threshold, score, true
	}
	if strings.Contains(x.host, y.host) || strings.Contains(y.host, x.host) {
		return true, 0, false
	}
	score = p.Alpha*p.setHosts(x.name, y.name) + p.Beta*p.setPaths(x.path, y.path)
	return score > p.Threshold, score, true
}

// setHosts is the paper's hostSim.
func (p Params) setHosts(x, y []part) float64 {
	sum, weight := 0.0, p.A
	for i := range min(len(x), len(y)) {
		j := jaccard(&x[i], &y[i])
		if x[i].www && y[i].www {
			j /= p.D
		}
		sum += weight * j
		weight -= p.B
	}
	return sum
}

// setPaths is the paper's pathSim.
func (p Params) setPaths(x, y []part) float64 {
	sum, weight := 0.0, p.APath
	for i := range min(len(x), len(y)) {
		sum += weight * jaccard(&x[i], &y[i])
		weight /= 2
	}
	return sum
}

// classHosts is the path form's hostSim. If both parts are "www", d divides the
// weight: they say little either way.
func (p Params) classHosts(x, y Shape) float64 {
	if x.host == y.host {
		return 1
	}
	sum, all, weight := 0.0, 0.0, p.A
	for i := range max(len(x.name), len(y.name)) {
		w := max(weight, 0)
		if i < min(len(x.name), len(y.name)) && x.name[i].class == y.name[i].class {
			if x.name[i].www {
				w /= p.D
			}
			sum += w
		}
		all += w
		weight -= p.B
	}
	return ratio(sum, all)
}

// classPaths is the path form's pathSim. Two paths without parts are alike.
func (p Params) classPaths(x, y []part) float64 {
	if len(x) == 0 && len(y) == 0 {
		return 1
	}
	sum, all, weight := 0.0, 0.0, max(p.APath, 0)
	for i := range max(len(x), len(y)) {
		if i < min(len(x), len(y)) && x[i].class == y[i].class {
			sum += weight
		}
		all += weight
		weight /= 2
	}
	return ratio(sum, all)
}

func ratio(sum, all float64) float64 {
	if all == 0 {
		return 0
	}
	return sum / all
}

// Vote is METHOD A10: whether more than half of a random sample of the history
// has the same structure as u. Without a sample it is false.
func Vote(p Params, u Shape, sample []Shape) bool {
	votes := 0
	for i := range sample {
		if same, _, _ := p.Compare(u, sample[i]); same {
			votes++
		}
	}
	return 2*votes > len(sample)
}
