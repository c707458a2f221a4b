package quality

import (
	"fmt"
	"strconv"
	"strings"
)

// Rules are the rules that judge a text, by name: the name is the rule of the
// reject. Those that are missing are off, so that no rules at all pass
// everything. Nothing changes them after they were made: one value may serve
// many goroutines.
type Rules map[string]Setting

// Setting is how a rule is set.
type Setting struct {
	On        bool    `json:"on" yaml:"on"`
	Threshold float64 `json:"threshold" yaml:"threshold"` // the least or the most that passes
}

// Failure is a rule that a text broke.
type Failure struct {
	Rule   string
	Detail string // the signal, its value and what the rule wants
	Off    bool   // the rule is switched off: it is noted, and refuses nothing
}

// Default returns the rules for texts in a language (BCP 47: zh, en, zh-TW),
// all of them, with thresholds measured on real pages. Those that depend on how
// a language is written (language, stop words, sentences) are measured for Chinese
// and English and off for other languages.
func Default(language string) Rules {
	rules := make(Rules, len(catalogue))
	primary := primaryOf(language)
	for i := range catalogue {
		rule := &catalogue[i]
		threshold, known := rule.in(primary)
		rules[rule.name] = Setting{On: known, Threshold: threshold}
	}
	return rules
}

// primaryOf returns the columns of the catalogue that a language tag stands for.
func primaryOf(tag string) string {
	primary, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	switch primary {
	case "zh", "cmn", "yue", "wuu", "hak", "nan", "zho":
		return chinese
	}
	return primary
}

// Check returns the first rule that a text breaks, and the signal that broke
// it, both "" for a text that breaks none.
func (r Rules) Check(s Signals) (rule, detail string) {
	for _, f := range r.Failures(s) {
		if !f.Off {
			return f.Rule, f.Detail
		}
	}
	return "", ""
}

// Failures returns all rules that a text breaks, in the order of Names; of those
// that are off the ones that have a threshold.
func (r Rules) Failures(s Signals) []Failure {
	var all []Failure
	for i := range catalogue {
		rule := &catalogue[i]
		setting := r[rule.name]
		if (setting.On || setting.Threshold > 0) && s.Characters >= rule.from && !rule.passes(&s, setting.Threshold) {
			all = append(all, Failure{Rule: rule.name, Detail: rule.detail(&s, setting.Threshold), Off: !setting.On})
		}
	}
	return all
}

func (r *rule) passes(s *Signals, threshold float64) bool {
	if r.least {
		return float64(r.value(s)) >= threshold
	}
	return float64(r.value(s)) <= threshold
}

func (r *rule) detail(s *Signals, threshold float64) string {
	bound := "most"
	if r.least {
		bound = "least"
	}
	return fmt.Sprintf("%s is %s, want at %s %s", r.signal, number(float64(r.value(s))), bound, number(threshold))
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
