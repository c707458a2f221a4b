package optout

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sluice/shared/web/pathmatch"
	"sluice/shared/web/robotstxt"
)

// maxLine bounds a line that is kept, in bytes. A longer one is passed over.
const maxLine = 2048

// Lines are the lines of a robots.txt or ai.txt about the use of pages: those
// of the group for our product, or else for "*". Nil says nothing. Lines don't
// change and are safe for concurrent use; their JSON is the lines as written.
type Lines struct{ lines []line }

// line is one statement about the paths that its pattern fits.
type line struct {
	means   mechanism
	pattern pathmatch.Pattern
	pages   bool // about all pages, with any path
	allow   bool
	text    string
}

// mechanism is the kind of a line. Each kind is judged separately: by the
// longest pattern that matches.
type mechanism int

const (
	byNone     mechanism = iota
	byAccess             // Allow and Disallow of ai.txt, about training
	byTraining           // AllowAITraining and DisallowAITraining, draft-canel-robots-ai-control
	bySignal             // Content-Signal
	byUsage              // Content-Usage, draft-ietf-aipref-attach
)

// Refusal returns the line, as written, that asks not to use a path from
// pathmatch.Path; "" for none.
func (l *Lines) Refusal(path string) string {
	if l == nil {
		return ""
	}
	judged := byNone
	for i := range l.lines {
		ln := &l.lines[i]
		if ln.means == judged || !ln.pages && !ln.pattern.Match(path) {
			continue
		}
		if !ln.allow {
			return ln.text
		}
		judged = ln.means
	}
	return ""
}

// newLines orders lines, by mechanism, so that the one that decides is the first
// that fits: the one with the longest pattern. Of two as long, Allow decides as it does in robots.txt; of usage
// preferences the one that forbids.
func newLines(lines []line) *Lines {
	if len(lines) == 0 {
		return nil
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		if c := cmp.Or(cmp.Compare(a.means, b.means), cmp.Compare(len(b.pattern.String()), len(a.pattern.String()))); c != 0 {
			return c
		}
		first := a.means == byAccess || a.means == byTraining
		switch a.allow {
		case b.allow:
			return 0
		case first:
			return -1
		}
		return 1
	})
	return &Lines{lines: lines}
}

// readLine makes a statement of a line, if it is one.
func readLine(l *robotstxt.Line) (line, bool) {
	ln := line{text: l.Text}
	path := l.Value
	switch l.Key {
	case "allow", "disallow":
		ln.means, ln.allow, ln.pages = byAccess, l.Key == "allow", isPageKind(path)
	case "allowaitraining", "disallowaitraining":
		ln.means, ln.allow = byTraining, l.Key == "allowaitraining"
	case "contentsignal", "contentusage":
		ln.means = bySignal
		if l.Key == "contentusage" {
			ln.means = byUsage
		}
		var preferences string
		path, preferences = cutPath(path)
		s := training(preferences)
		if s == silent {
			return line{}, false
		}
		ln.allow = s == allows
	default:
		return line{}, false
	}
	if path == "" || path[0] != '/' && path[0] != '*' {
		return line{}, false // as in robots.txt, it cannot match
	}
	ln.pattern = pathmatch.Compile(path)
	return ln, true
}

// cutPath splits the value of a usage line into its path, "" for all paths, and
// the preferences.
func cutPath(value string) (path, preferences string) {
	if !strings.HasPrefix(value, "/") {
		return "/", value
	}
	if end := strings.IndexAny(value, " \t"); end >= 0 {
		return value[:end], value[end:]
	}
	return value, ""
}

// isPageKind reports whether a pattern of ai.txt names the kind of files that
// pages are. Its generator writes kinds as endings, and means texts of all
// addresses.
func isPageKind(pattern string) bool {
	switch strings.TrimSuffix(strings.TrimPrefix(fold(pattern), "/"), "$") {
	case "*.txt", "*.html", "*.htm":
		return true
	}
	return false
}

// MarshalJSON implements json.Marshaler.
func (l *Lines) MarshalJSON() ([]byte, error) {
	text := make([]string, len(l.lines))
	for i := range l.lines {
		text[i] = l.lines[i].text
	}
	return json.Marshal(text)
}

// UnmarshalJSON decodes the result of MarshalJSON.
func (l *Lines) UnmarshalJSON(data []byte) error {
	var text []string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("read stored lines: %w", err)
	}
	var lines []line
	for _, t := range text {
		if l, ok := robotstxt.Parse(t); ok {
			if ln, ok := readLine(&l); ok {
				lines = append(lines, ln)
			}
		}
	}
	*l = Lines{}
	if sorted := newLines(lines); sorted != nil {
		*l = *sorted
	}
	return nil
}
