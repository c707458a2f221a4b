package step_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// sitemapIndex is a file of a web that lists sitemaps.
func sitemapIndex(url string, parts ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s --\n200\nContent-Type: text/xml\n\n<sitemapindex>", url)
	for _, p := range parts {
		fmt.Fprintf(&b, "<sitemap><loc>%s</loc></sitemap>", p)
	}
	b.WriteString("</sitemapindex>\n")
	return b.String()
}

// urlSet is a sitemap of pages.
func urlSet(url string, pages ...string) string {
	s := strings.ReplaceAll(sitemapIndex(url, pages...), "sitemapindex", "urlset")
	s = strings.ReplaceAll(s, "<sitemap>", "<url>")
	return strings.ReplaceAll(s, "</sitemap>", "</url>")
}

func sourceLink(url string) frontier.Link {
	l := link(url)
	l.IsSource, l.Parent = true, "http://a.test/"
	return l
}

// Sitemaps and feeds of a host count towards neither budget of pages. Those that another
// host names do: there may be any number of hosts.
func TestSourcesCostNoPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+sitemapIndex("http://a.test/index.xml", "http://a.test/gone.xml", "http://a.test/part.xml", "http://b.test/far.xml")+
		urlSet("http://a.test/part.xml", "http://a.test/1", "http://a.test/2", "http://a.test/0.rss", "http://a.test/3")+
		urlSet("http://a.test/0.rss")+urlSet("http://b.test/far.xml"))
	w.plan.PagesPerHost = 3
	w.crawl(t, sourceLink("http://a.test/index.xml"))
	w.wantFates(t, map[string]string{
		"http://a.test/index.xml": "source", "http://a.test/part.xml": "source", "http://a.test/gone.xml": "rejected http_404",
		"http://a.test/0.rss": "source", "http://b.test/far.xml": "source",
		"http://a.test/1": "kept", "http://a.test/2": "kept", "http://a.test/3": "kept",
	})
	st := w.lease(t).State
	totals, err := w.store.Ledger().Totals(t.Context(), crawlID)
	if err != nil || totals.Fetched != 4 || st.Pages != 3 || st.Sources != 4 {
		t.Errorf("%d pages fetched, of a.test %d and %d sources (%v); want 4 with b.test's sitemap, 3 and 4", totals.Fetched, st.Pages, st.Sources, err)
	}
}

// A page where a sitemap should be is a page of the budgets.
func TestPageInPlaceOfSource(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	l := sourceLink("http://a.test/1")
	if out := w.run(t, l); out.Fetched != 1 || w.lease(t).State.Pages != 1 {
		t.Errorf("%d pages fetched, %d of the host; want 1 and 1", out.Fetched, w.lease(t).State.Pages)
	}
}

// Indexes that lead to indexes without end are read to a depth.
func TestNestedSitemaps(t *testing.T) {
	t.Parallel()
	var archive string
	for i := range 9 {
		archive += sitemapIndex(fmt.Sprintf("http://a.test/%d.xml", i), fmt.Sprintf("http://a.test/%d.xml", i+1))
	}
	w := newWorld(t, archive+urlSet("http://a.test/deep.xml", "http://a.test/deeper.xml")+urlSet("http://a.test/deeper.xml"))
	deep := sourceLink("http://a.test/deep.xml")
	deep.Nested = 3
	w.crawl(t, sourceLink("http://a.test/0.xml"), deep)
	w.wantFates(t, map[string]string{
		"http://a.test/3.xml": "source", "http://a.test/4.xml": "dropped sitemap_nesting",
		"http://a.test/deep.xml": "source", "http://a.test/deeper.xml": "rejected sitemap_nesting",
	})
}

// A host gives so many sitemaps and no more, whether one index lists them or many.
func TestSitemapsOfHost(t *testing.T) {
	t.Parallel()
	var archive string
	var all, few []string
	for i := range 600 {
		url := fmt.Sprintf("http://a.test/%d.xml", i)
		archive += urlSet(url)
		if all = append(all, url); i < 300 {
			few = append(few, url)
		}
	}
	archive += sitemapIndex("http://a.test/all.xml", all...) + sitemapIndex("http://a.test/few.xml", few...) +
		sitemapIndex("http://a.test/most.xml", all[300:]...)
	for _, indexes := range [][]string{{"/all.xml"}, {"/few.xml", "/most.xml"}} {
		w := newWorld(t, archive)
		var links []frontier.Link
		for _, path := range indexes {
			links = append(links, sourceLink("http://a.test"+path))
		}
		w.crawl(t, links...)
		fates := map[string]int{}
		for _, url := range all {
			fates[w.fate(t, url)]++
		}
		if n := len(w.web.requests()); n != 500 || fates["source"] != 500-len(indexes) || fates["dropped host_sources"]+fates["skipped host_sources"] != 100+len(indexes) {
			t.Errorf("%v: %d requests, sitemaps %v; want 500 requests, and the others dropped or skipped by host_sources", indexes, n, fates)
		}
	}
}

// Links beyond the limit of a page are counted.
func TestLinksBeyond(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 5010 {
		fmt.Fprintf(&b, "<a href=http://z.test/%d></a>", i)
	}
	w := newWorld(t, "-- http://a.test/ --\n<title>天气</title>$TEXT"+b.String()+"\n")
	w.plan.Scope = scope(t, urlnorm.ModeHost, "http://a.test/")
	w.run(t, link("http://a.test/"))
	if e := w.trail(t, "http://a.test/").Entry; e.Drops[step.DropBeyond] != 10 || e.Dropped != 5010 {
		t.Errorf("%d links dropped, by rule %v; want 5010, 10 of them by %s", e.Dropped, e.Drops, step.DropBeyond)
	}
}

// Feeds that pages name are read, some of a host: articles may each have one of comments.
func TestFeedsOfPages(t *testing.T) {
	t.Parallel()
	const head = "<title>天气</title><link rel=alternate type=application/rss+xml href=%s>$TEXT"
	archive := "-- http://a.test/ --\n" + fmt.Sprintf(head, "/rss") + "<a href=/in>股市</a>\n" +
		"-- http://a.test/in --\n<meta name=robots content=nofollow>" + fmt.Sprintf(head, "/no") + "\n" +
		"-- http://a.test/rss --\n200\nContent-Type: application/rss+xml\n\n" +
		"<rss><channel><item><title>股市</title><link>http://a.test/on</link></item></channel></rss>\n"
	links := []frontier.Link{link("http://a.test/")}
	want := map[string]string{"http://a.test/rss": "source", "http://a.test/on": "rejected http_404", "http://a.test/no": "absent"}
	for i := range 25 {
		url := fmt.Sprintf("http://a.test/%c", 'a'+i)
		archive += "-- " + url + " --\n" + fmt.Sprintf(head, url+"/feed") + "<link rel=alternate type=application/rss+xml href=/rss>\n"
		links = append(links, link(url))
		if want[url+"/feed"] = "rejected http_404"; i >= 19 {
			want[url+"/feed"] = "dropped host_sources"
		}
	}
	w := newWorld(t, archive)
	w.crawl(t, links...)
	w.wantFates(t, want)
	if st := w.lease(t).State; st.Feeds != 20 || st.Sources != 20 {
		t.Errorf("%d feeds taken up and %d read, want 20", st.Feeds, st.Sources)
	}
	w = newWorld(t, archive)
	w.plan.Structured = true
	w.crawl(t, links[0])
	w.wantFates(t, map[string]string{"http://a.test/rss": "absent"})
}
