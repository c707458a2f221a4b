package ledger_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/ledger"
)

// book is a Reader in memory, by crawl and URL, that counts what it is asked.
type book struct {
	entries map[string]map[string]*ledger.Entry
	asked   map[string]int
}

func (b *book) Entries(_ context.Context, crawl string, urls []string) ([]*ledger.Entry, error) {
	entries, ok := b.entries[crawl]
	if !ok {
		return nil, errors.New("no such crawl")
	}
	b.asked[crawl] += len(urls)
	out := make([]*ledger.Entry, len(urls))
	for i, u := range urls {
		out[i] = entries[u]
	}
	return out, nil
}

func kept(at int64) *ledger.Entry {
	return &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Offset: at}
}

func TestGenerations(t *testing.T) {
	t.Parallel()
	var (
		gone     = &ledger.Entry{Verdict: ledger.Rejected, Rule: "gone", Fetched: true, Change: ledger.Gone}
		robots   = &ledger.Entry{Verdict: ledger.Rejected, Rule: "robots", Change: ledger.Gone}
		down     = &ledger.Entry{Verdict: ledger.Dead, Rule: "http_500", Fetched: true}
		noAnswer = &ledger.Entry{Verdict: ledger.Rejected, Rule: "dns"}
		notFound = &ledger.Entry{Verdict: ledger.Rejected, Rule: "http_404", Fetched: true}
		source   = &ledger.Entry{Verdict: ledger.Source, Fetched: true}
		first    = kept(1)
		second   = kept(2)
	)
	tests := []struct {
		name               string
		newest, old, older *ledger.Entry
		want               ledger.Past
	}{
		{name: "never seen"},
		{name: "only long ago", older: first, want: ledger.Past{Last: first, Kept: first}},
		{name: "a new version", newest: second, old: first, want: ledger.Past{Last: second, Kept: second}},
		{name: "gone", newest: gone, older: first, want: ledger.Past{Last: gone, Kept: first}},
		{name: "forbidden", newest: robots, old: first, want: ledger.Past{Last: robots, Kept: first}},
		{name: "gone and back", newest: second, old: gone, older: first, want: ledger.Past{Last: second, Kept: second}},
		{name: "a server that is down", newest: down, old: first, want: ledger.Past{Last: first, Kept: first}},
		{name: "no answer", newest: noAnswer, old: first, want: ledger.Past{Last: first, Kept: first}},
		{name: "down after it was gone", newest: down, old: gone, older: first, want: ledger.Past{Last: gone, Kept: first}},
		{name: "no answer ever", newest: down, old: noAnswer},
		{name: "never kept", newest: notFound, old: notFound, want: ledger.Past{Last: notFound}},
		{name: "a source", newest: down, old: source, want: ledger.Past{Last: source}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := &book{asked: map[string]int{}, entries: map[string]map[string]*ledger.Entry{
				"c@3": {"u": tt.newest}, "c@2": {"u": tt.old}, "c": {"u": tt.older},
			}}
			g := ledger.Generations{Reader: b, Crawls: []string{"c@3", "c@2", "c"}}
			past, err := g.Past(t.Context(), []string{"u"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]ledger.Past{tt.want}, past); diff != "" {
				t.Errorf("past (-want +got):\n%s", diff)
			}
			entries, err := g.Entries(t.Context(), []string{"u"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]*ledger.Entry{tt.want.Last}, entries); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

// Each URL keeps its place, and older generations are asked only for what no
// newer one keeps.
func TestGenerationsAskNoMoreThanTheyNeed(t *testing.T) {
	t.Parallel()
	b := &book{asked: map[string]int{}, entries: map[string]map[string]*ledger.Entry{
		"new": {"a": kept(1), "c": kept(3)}, "old": {"a": kept(9), "b": kept(2)},
	}}
	g := ledger.Generations{Reader: b, Crawls: []string{"new", "old"}}
	past, err := g.Past(t.Context(), []string{"a", "b", "c", "b", "d"})
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, p := range past {
		if p.Kept == nil {
			got = append(got, 0)
		} else {
			got = append(got, p.Kept.Offset)
		}
	}
	if diff := cmp.Diff([]int64{1, 2, 3, 2, 0}, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"new": 5, "old": 3}, b.asked); diff != "" {
		t.Errorf("URLs asked for (-want +got):\n%s", diff)
	}
	g.Crawls = append(g.Crawls, "lost")
	if _, err := g.Past(t.Context(), []string{"d"}); err == nil {
		t.Error("a generation that cannot be read is no error")
	}
}
