package hosts

import (
	"cmp"
	"slices"
	"strings"

	"sluice/shared/web/pathmatch"
)

// rule is one Allow or Disallow line.
type rule struct {
	pattern pathmatch.Pattern
	allow   bool
}

func newRule(pattern string, allow bool) rule {
	return rule{pattern: pathmatch.Compile(pattern), allow: allow}
}

// sortRules puts the rule that decides first: longest pattern, then Allow.
func sortRules(rules []rule) []rule {
	slices.SortFunc(rules, func(a, b rule) int {
		x, y := a.pattern.String(), b.pattern.String()
		if c := cmp.Compare(len(y), len(x)); c != 0 {
			return c
		}
		if a.allow != b.allow {
			if a.allow {
				return -1
			}
			return 1
		}
		return strings.Compare(x, y)
	})
	return slices.CompactFunc(rules, func(a, b rule) bool {
		return a.allow == b.allow && a.pattern.String() == b.pattern.String()
	})
}
