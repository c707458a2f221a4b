package quality

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sluice/shared/fault"
)

// ParseRules reads the quality section of a topic file over the rules of
// Default(language). A key is the name of a rule; its value switches it on or
// off (true, false, on, off) or is its threshold, a number in the range of its
// signal, which switches it on, too.
//
// The error joins all that is wrong: unknown names and values that are neither
// of these.
func ParseRules(language string, settings map[string]any) (Rules, error) {
	rules := Default(language)
	primary := primaryOf(language)
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		setting, err := parseSetting(name, primary, settings[name])
		if err != nil {
			problems = append(problems, err)
			continue
		}
		rules[name] = setting
	}
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("parse quality rules: %w", err)
	}
	return rules, nil
}

// Names returns the names of all rules, in the order in which Check asks.
func Names() []string {
	names := make([]string, 0, len(catalogue))
	for i := range catalogue {
		names = append(names, catalogue[i].name)
	}
	return names
}

// Retired are the names of rules that gained nothing (docs/ablation.md). Settings of
// them, in topics of earlier crawls, change nothing.
var Retired = []string{
	"quality_urls", "quality_braces", "quality_long_words", "quality_mean_word", "quality_few_marks", "quality_many_marks",
	"quality_mean_clause", "quality_bullet_lines", "quality_duplicate_lines", "quality_duplicate_paragraphs",
	"quality_top_2gram", "quality_top_3gram", "quality_top_4gram", "quality_repeated_5gram", "quality_repeated_6gram",
	"quality_repeated_7gram", "quality_repeated_8gram", "quality_repeated_9gram",
}

// Validate reports what ParseRules would refuse, of rules made by other means.
func (r Rules) Validate() error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if _, err := parseSetting(name, "", r[name].Threshold); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

func parseSetting(name, language string, value any) (Setting, error) {
	rule := find(name)
	if rule == nil {
		return Setting{}, fmt.Errorf("unknown rule %q: the rules are %s", clip(name), strings.Join(Names(), ", "))
	}
	if on, ok := parseSwitch(value); ok {
		threshold, known := rule.in(language)
		if on && !known {
			return Setting{}, fmt.Errorf("%s has no threshold for this language: write a number", name)
		}
		return Setting{On: on, Threshold: threshold}, nil
	}
	threshold, ok := parseNumber(value)
	if !ok || math.IsNaN(threshold) || threshold < 0 || threshold > rule.highest() {
		return Setting{}, fmt.Errorf("%s is %s: write on, off or a number from 0 to %s",
			name, clip(fmt.Sprintf("%v", value)), number(rule.highest()))
	}
	return Setting{On: true, Threshold: threshold}, nil
}

// parseSwitch reads what YAML 1.1 and 1.2 make of on and off.
func parseSwitch(value any) (on, ok bool) {
	switch value {
	case true, "on":
		return true, true
	case false, "off":
		return false, true
	}
	return false, false
}

// parseNumber reads the numbers that YAML and JSON have.
func parseNumber(value any) (float64, bool) {
	switch value := value.(type) {
	case float64:
		return value, true
	case int:
		return float64(value), true
	case int64:
		return float64(value), true
	case uint64:
		return float64(value), true
	}
	return 0, false
}

func find(name string) *rule {
	for i := range catalogue {
		if catalogue[i].name == name {
			return &catalogue[i]
		}
	}
	return nil
}

// clip shortens what a message quotes.
func clip(text string) string { return fault.Clip(text, 60) }
