package fidelity

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/metric"
)

func TestJudge(t *testing.T) {
	source := &Source{Text: lines(first, second, "【编辑:李明】")}
	n, credit := size(first, second), 7
	kept := func(text ...string) *Document { return &Document{headline, lines(text...)} }
	pages := []Page{
		{URL: "http://b.test/1", Host: "b.test", Document: kept(first, second), Source: source},
		{URL: "http://b.test/2", Host: "b.test", Document: kept(first, share, share), Source: source},
		{URL: "http://b.test/3", Host: "b.test", Rule: "no_text", Detail: "why", Source: source},
		{URL: "http://a.test/1", Host: "a.test", Document: kept(third)}, // of unknown source
		{URL: "http://a.test/2", Host: "a.test", Rule: "list_page"},
		{URL: "http://a.test/3", Host: "a.test", Kind: Media, Rule: "media_only"},
		{URL: "http://a.test/4", Host: "a.test", Kind: Media, Document: kept(share)},
		{URL: "http://a.test/", Host: "a.test", Kind: Other, Rule: "list_page"},
	}
	same := cmp.Comparer(func(a, b metric.Number) bool { return a == b || a != a && b != b })
	nan := metric.Number(math.NaN())
	of := func(part, whole int) metric.Number { return metric.Number(float64(part) / float64(whole)) }
	b := Row{
		Host: "b.test", Articles: Share{3, 2}, Compared: 2, Foreign: 1, Rules: map[string]int{"no_text": 1},
		Characters: Characters{
			Source: 2 * (n + credit), Kept: n + size(first), Credits: 2 * credit, Cut: 2 * credit,
			Text: n + size(first, share, share), Own: n + size(first), Refused: n + credit,
		},
		Kept: of(n+size(first), 2*(n+credit)), KeptBody: of(n+size(first), 2*n), KeptOfAll: of(n+size(first), 3*(n+credit)),
		Clean: of(n+size(first), n+size(first, share, share)),
	}
	all := b
	all.Host, all.Articles, all.Rules = "", Share{5, 3}, map[string]int{"no_text": 1, "list_page": 1}
	all.Media, all.Others = Share{2, 1}, Share{1, 0}
	want := &Table{
		Total: all,
		Hosts: []Row{{
			Host: "a.test", Articles: Share{2, 1}, Media: Share{2, 1}, Others: Share{1, 0}, Rules: map[string]int{"list_page": 1},
			Kept: nan, KeptBody: nan, KeptOfAll: nan, Clean: nan,
		}, b},
		Foreign: []Line{{share, 1}},
		Missing: []Line{{second, 1}},
		Refusals: []Refusal{
			{"http://a.test/2", "list_page", "", 0},
			{"http://b.test/3", "no_text", "why", n + credit},
		},
	}
	if diff := cmp.Diff(want, Judge(pages), same); diff != "" {
		t.Errorf("Judge (-want +got):\n%s", diff)
	}
}
