package opscmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

func explained(x *console.Explanation) string {
	w := new(bytes.Buffer)
	explanationPage(w, x)
	return w.String()
}

// Pages are hostile: what they say must not drive the terminal.
func TestExplanationIsClean(t *testing.T) {
	t.Parallel()
	page := explained(&console.Explanation{
		URL: "http://www.example.com/", Fate: "rejected", Rule: "http_404",
		Trace: &step.Trace{Title: "a\x1b[2J\r\nrule  none", Charset: "utf-8"},
		Link: &frontier.Link{
			Parent: "http://www.example.com/p", Seed: "http://www.example.com/s", Anchor: "b\u2028c\u202e", Depth: 1,
			Priority: 0.25, Parts: frontier.Parts{Description: 0.5},
		},
	})
	want := `http://www.example.com/
fetched or tried, not kept
  rule          http_404
  title         a�[2J  rule  none (utf-8)
  found on      http://www.example.com/p
                1 link from seed http://www.example.com/s
  anchor        b c�
  priority      0.25, from description 0.5, anchor 0, structure 0 (eq. 5)
`
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A refresh that does not reach a page takes nothing out of the corpus.
func TestExplanationOfUnreached(t *testing.T) {
	t.Parallel()
	for change, want := range map[ledger.Change]bool{ledger.Unreached: true, ledger.Gone: false, "": false} {
		page := explained(&console.Explanation{
			URL: "http://www.example.com/", Fate: "dead", Rule: "timeout", Entry: &ledger.Entry{Verdict: ledger.Dead, Change: change},
		})
		if strings.Contains(page, "stays in the corpus") != want {
			t.Errorf("change %q: that the document stays is to be said: %t, got\n%s", change, want, page)
		}
	}
}

// A link below the priority threshold was followed for a reason.
func TestExplanationOfPriority(t *testing.T) {
	t.Parallel()
	c := console.Constants{Alpha: 0.5, Beta: 0.5, Lambda: 0.1, PriorityThreshold: 0.4, AnchorThreshold: 0.2}
	for _, test := range []struct {
		name        string
		strategy    string
		parts       frontier.Parts
		anchorsOff  bool
		dropped     bool
		want, never string
	}{
		{"above", "", frontier.Parts{Description: 1}, false, false, "0.5 is above the threshold 0.4", "let pass"},
		{"dropped", "", frontier.Parts{Anchor: 0.2}, false, true, "0.1 is not above the threshold 0.4", "let pass"},
		{"relevant anchor", "semantic", frontier.Parts{Anchor: 0.2}, false, false, "let pass by the relevance of its anchor, below the threshold 0.4", "topic word"},
		{"topic word", "", frontier.Parts{Anchor: 0.1}, false, false, "let pass by a topic word in its anchor, below the threshold 0.4", "relevance of"},
		{"no anchor threshold", "", frontier.Parts{Anchor: 0.2}, true, false, "let pass by a topic word", "relevance of"},
		{"weak", "best-first", frontier.Parts{Anchor: 0.2}, false, false, "0.1 is followed late, not above the threshold 0.4", "let pass"},
		{"inherited", "adaptive", frontier.Parts{Anchor: 0.2}, false, false, "0.1 of 100 is inherited", "without eq. 5"},
		{"changed", "adaptive", frontier.Parts{Anchor: 0.2}, false, false, "changed this threshold 2 times, to 0.3 at least and 0.4 at most; last after 200 pages (raise)", "let pass"},
		{"not changed", "best-first", frontier.Parts{Anchor: 0.2}, false, false, "followed late", "changed this threshold"},
		{"learned", "hybrid", frontier.Parts{Anchor: 0.2, Like: 0.25}, false, false, "0.25 of pages like it were kept", "let pass"},
		{"by its neighbours", "neighborhood", frontier.Parts{Anchor: 0.2, Like: 0.25}, false, false, "weighted mean", "probability"},
	} {
		c := c
		c.Strategy = test.strategy
		if test.anchorsOff {
			c.AnchorThreshold = 0
		}
		x := &console.Explanation{Dropped: test.dropped, Link: &frontier.Link{
			Parent: "http://www.example.com/", Parts: test.parts,
			Priority: c.Alpha*test.parts.Description + c.Beta*test.parts.Anchor,
		}}
		if test.strategy == "adaptive" {
			c.Changes = []console.Change{{Fetched: 100, Rule: "lower", Threshold: 0.3}, {Fetched: 200, Rule: "raise", Threshold: 0.4}}
		}
		x.Constants = &c
		page := explained(x)
		if !strings.Contains(page, test.want) || strings.Contains(page, test.never) {
			t.Errorf("%s: want %q and no %q in\n%s", test.name, test.want, test.never, page)
		}
	}
}
