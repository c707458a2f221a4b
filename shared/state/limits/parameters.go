package limits

import (
	"strconv"
	"strings"
)

// Parameter describes one limit of a crawl, for its flag and for the documents.
type Parameter struct {
	Key     string // of start messages
	Section string // of topic files: "budgets" or "scope"
	Usage   string // with the value's placeholder in backquotes
	Range   string // "" if Usage has it
	Default string // of topic files
}

// Flag returns the name of the flag that sets a limit.
func (p *Parameter) Flag() string { return Flag(p.Key) }

// Flag returns the name of the flag that sets the limit with a key.
func Flag(key string) string {
	switch key {
	case "mode":
		key = "scope_mode"
	case "overrides":
		key = "override"
	}
	return strings.ReplaceAll(key, "_", "-")
}

// Parameters returns all limits of a crawl.
func Parameters() []Parameter {
	pages, entries := "1 to "+thousands(MaxPages), "at most "+thousands(MaxEntries)
	return []Parameter{
		{"max_pages", "budgets", "fetch `N` pages at most", pages, thousands(Default().MaxPages)},
		{"max_pages_per_host", "budgets", "fetch `N` pages of one host at most", pages, "half of the topic file's max_pages"},
		{"max_depth", "budgets", "follow `N` links from a seed at most", "1 to " + thousands(MaxDepth) + "; in a topic file 0, too", strconv.Itoa(Default().MaxDepth)},
		{"max_duration", "budgets", "crawl for `D` at most, as in 90s, 30m or 2h30m", "up to ten years", "no limit"},
		{"overrides", "budgets", "`ENTRY` with limits for some URLs in place of the crawl's, as in 'forum.example.com delay=10s max_pages=200 max_depth=3'; repeatable", entries, "none"},
		{"mode", "scope", "stay within the `MODE` of the seeds: domain (the registrable one), host (with and without www.), prefix (host and folder) or any", "", "domain"},
		{"allow", "scope", "`ENTRY` that is in scope as well: example.com, *.example.com, https://example.com/news/ or a pattern; repeatable", entries, "none"},
		{"deny", "scope", "`ENTRY` that is out of scope in any case, such as /print/* or regexp:[?&]sort=; repeatable", entries, "none"},
	}
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
