package rank

import (
	"fmt"
	"testing"

	"sluice/shared/web/urlnorm"
)

func urlAt(t *testing.T, raw string) urlnorm.URL {
	t.Helper()
	u, err := urlnorm.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// The ranks change when the buffer of new pages is full, and not before (METHOD B5).
func TestPageRank(t *testing.T) {
	s := newPageRank(Settings{})
	judge := func(url string) float64 { return s.Judge(Link{URL: urlAt(t, url)}).Priority }
	read := func(page string, to ...string) {
		var links []urlnorm.URL
		for _, l := range to {
			links = append(links, urlAt(t, l))
		}
		s.ReadLinks(urlAt(t, page), links)
	}
	hub, rare, unknown := "http://a.test/hub", "http://a.test/rare", "http://a.test/unknown"
	for n := range rankBuffer {
		if judge(hub) != judge(unknown) {
			t.Fatalf("after %d pages the hub has %v, an unknown page %v", n, judge(hub), judge(unknown))
		}
		links := []string{hub}
		if n == 0 {
			links = append(links, rare)
		}
		read(fmt.Sprintf("http://a.test/%d", n), links...)
	}
	before := judge(hub)
	if !(before > judge(rare) && judge(rare) > judge(unknown)) {
		t.Errorf("hub %v, rare %v, unknown %v: want them to fall", before, judge(rare), judge(unknown))
	}
	for n := range rankBuffer {
		if judge(hub) != before {
			t.Fatalf("the hub has %v after %d more pages", judge(hub), n)
		}
		read(fmt.Sprintf("http://b.test/%d", n), hub)
	}
	if judge(hub) <= before {
		t.Errorf("the hub has %v, before the second buffer %v", judge(hub), before)
	}
	if next := newPageRank(Settings{Before: s}); next != s {
		t.Error("another plan begins without the graph")
	}
}
