package hosts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sluice/shared/web/fetch"
	"sluice/shared/web/optout"
	"sluice/shared/web/pathmatch"
	"sluice/shared/web/robotstxt"
)

// Limits of the data kept of one file.
const (
	maxSitemaps   = 1000
	maxCrawlDelay = 24 * time.Hour
)

// ParseRules reads a robots.txt of any content, as robotstxt.Read does.
func ParseRules(body []byte) *Rules {
	lines := robotstxt.Read(body, fetch.Product)
	r := &Rules{usage: optout.Robots(lines)}
	for _, line := range lines {
		switch line.Key {
		case "allow", "disallow":
			// An empty pattern matches nothing, and neither does one with
			// another first character.
			if line.Ours && (strings.HasPrefix(line.Value, "/") || strings.HasPrefix(line.Value, "*")) {
				r.rules = append(r.rules, newRule(line.Value, line.Key == "allow"))
			}
		case "crawldelay":
			if line.OursStrict {
				r.delay = max(r.delay, crawlDelay(line.Value))
			}
		case "sitemap":
			if line.Value != "" && len(r.sitemaps) < maxSitemaps {
				r.sitemaps = append(r.sitemaps, escape(line.Value))
			}
		}
	}
	r.rules = sortRules(r.rules)
	return r
}

// crawlDelay reads a number of seconds, 0 for anything else.
func crawlDelay(value string) time.Duration {
	s, err := strconv.ParseFloat(value, 64)
	if err != nil || strings.Trim(value, "0123456789.") != "" {
		return 0
	}
	return seconds(s)
}

// seconds turns a number of seconds to a delay of at most a day.
func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), maxCrawlDelay.Seconds()) * float64(time.Second))
}

// escape writes all bytes beyond ASCII as percent escapes.
func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

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
