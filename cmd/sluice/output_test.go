package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/local"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

func TestExitCode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, exitDone},
		{"any", errors.New("disk full"), exitFailed},
		{"interrupted", fmt.Errorf("crawl: %w", errStopped), exitStopped},
		{"flag", usage(errors.New("--delay is -1s")), exitUsage},
		{"one of many", errors.Join(errors.New("disk full"), usage(errors.New("--delay is -1s"))), exitUsage},
		{"topic file", topic.Problems{{File: "a.yaml", Line: 1, Column: 2, Message: "no"}}, exitUsage},
		{"folder in use for another crawl", fmt.Errorf("open: %w", local.ErrOther), exitUsage},
		{"file of the user in the folder", fmt.Errorf("open: %w", local.ErrForeign), exitUsage},
		{"no contact", fmt.Errorf("open: %w", local.ErrNoContact), exitUsage},
	} {
		if got := exitCode(test.err); got != test.want {
			t.Errorf("%s: exit code %d, want %d", test.name, got, test.want)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"none", nil, ""},
		{"any", errors.New("disk full"), "sluice: disk full\n"},
		{"many", errors.Join(errors.New("a\n\tb\n\nc"), errors.New("d")), "sluice: a\nsluice: b\nsluice: c\nsluice: d\n"},
		{"wrong usage", usage(errors.New("DIR is missing")), "sluice: DIR is missing\nsluice: see sluice status --help\n"},
		{"hostile", errors.New("open \x1b]0;title\x07: \u202egnp"), "sluice: open \ufffd]0;title\ufffd: \ufffdgnp\n"},
	} {
		var w bytes.Buffer
		report(&w, "sluice status", test.err)
		if diff := cmp.Diff(test.want, w.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Pages are hostile: what they say must not drive the terminal.
func TestExplanationIsClean(t *testing.T) {
	t.Parallel()
	page := explanationPage(&explanation{Explanation: &local.Explanation{
		URL: "http://www.example.com/", Fate: "rejected", Rule: "http_404",
		Trace: &step.Trace{Title: "a\x1b[2J\r\nrule  none", Charset: "utf-8"},
		Link: &frontier.Link{
			Parent: "http://www.example.com/p", Seed: "http://www.example.com/s", Anchor: "b\u2028c\u202e", Depth: 1,
			Priority: 0.25, Parts: frontier.Parts{Description: 0.5},
		},
	}})
	want := `http://www.example.com/
fetched or tried, not kept
  rule          http_404
  title         a�[2J  rule  none (utf-8)
  found on      http://www.example.com/p
                1 link from seed http://www.example.com/s
  anchor        b c�
  priority      0.25, from description 0.5, anchor 0, structure 0 (eq. 5)
`
	if diff := cmp.Diff(want, page.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A refresh that does not reach a page takes nothing out of the corpus.
func TestExplanationOfUnreached(t *testing.T) {
	t.Parallel()
	for change, want := range map[ledger.Change]bool{ledger.Unreached: true, ledger.Gone: false, "": false} {
		page := explanationPage(&explanation{Explanation: &local.Explanation{
			URL: "http://www.example.com/", Fate: "dead", Rule: "timeout", Entry: &ledger.Entry{Verdict: ledger.Dead, Change: change},
		}}).String()
		if strings.Contains(page, "stays in the corpus") != want {
			t.Errorf("change %q: that the document stays is to be said: %t, got\n%s", change, want, page)
		}
	}
}

// A link below the priority threshold was followed for a reason.
func TestExplanationOfPriority(t *testing.T) {
	t.Parallel()
	c := constants{Alpha: 0.5, Beta: 0.5, Lambda: 0.1, PriorityThreshold: 0.4, AnchorThreshold: 0.2}
	for _, test := range []struct {
		name        string
		parts       frontier.Parts
		anchorsOff  bool
		dropped     bool
		want, never string
	}{
		{"above", frontier.Parts{Description: 1}, false, false, "0.5 is above the threshold 0.4", "let pass"},
		{"dropped", frontier.Parts{Anchor: 0.2}, false, true, "0.1 is not above the threshold 0.4", "let pass"},
		{"relevant anchor", frontier.Parts{Anchor: 0.2}, false, false, "let pass by the relevance of its anchor, below the threshold 0.4", "topic word"},
		{"topic word", frontier.Parts{Anchor: 0.1}, false, false, "let pass by a topic word in its anchor, below the threshold 0.4", "relevance of"},
		{"no anchor threshold", frontier.Parts{Anchor: 0.2}, true, false, "let pass by a topic word", "relevance of"},
	} {
		c := c
		if test.anchorsOff {
			c.AnchorThreshold = 0
		}
		x := &local.Explanation{Dropped: test.dropped, Link: &frontier.Link{
			Parent: "http://www.example.com/", Parts: test.parts,
			Priority: c.Alpha*test.parts.Description + c.Beta*test.parts.Anchor,
		}}
		page := explanationPage(&explanation{Explanation: x, Constants: &c}).String()
		if !strings.Contains(page, test.want) || strings.Contains(page, test.never) {
			t.Errorf("%s: want %q and no %q in\n%s", test.name, test.want, test.never, page)
		}
	}
}

func TestRuleInWords(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"robots":         "robots: robots.txt asks not to",
		"redirect_scope": "redirect_scope: it redirects to what is let go: outside of what the topic's scope, or a missing contact, allows",
		"redirect_what":  "redirect_what",
		"http_404":       "http_404",
	} {
		if got := ruleInWords(rule); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	if got := wrap("  ", []string{"priority 833", "anchor 71"}); got != "  priority 833, anchor 71" {
		t.Errorf("short: %q", got)
	}
	var items []string
	for range 40 {
		items = append(items, "http_404 12")
	}
	lines := strings.Split(wrap("  ", items), "\n")
	for _, line := range lines {
		if len(line) > pageWidth || !strings.HasPrefix(line, "  http") {
			t.Errorf("line %q", line)
		}
	}
	if len(lines) != 8 || strings.Count(strings.Join(lines, ""), "http_404 12") != 40 {
		t.Errorf("%d lines for 40 items: %q", len(lines), lines)
	}
}
