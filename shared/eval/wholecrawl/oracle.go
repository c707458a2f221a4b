package wholecrawl

import (
	"sluice/shared/eval/frozenweb"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Links are the links between the pages of a web, by the pages' places in it.
type Links [][]int

// ReadLinks parses all pages of a web.
func ReadLinks(web *frozenweb.Web) Links {
	places := map[*frozenweb.Page]int{}
	for i := range web.Pages {
		places[&web.Pages[i]] = i
	}
	links := make(Links, len(web.Pages))
	for i := range web.Pages {
		p := &web.Pages[i]
		if to := web.Page(p.Redirect); to != nil {
			links[i] = []int{places[to]}
			continue
		}
		u, err := urlnorm.Parse(p.URL)
		if err != nil {
			continue
		}
		_, parsed, err := page.Read(p.Body, p.Type, u)
		if err != nil {
			continue // no page with links
		}
		for _, l := range parsed.Links {
			if to := web.Page(l.URL.String()); to != nil {
				links[i] = append(links[i], places[to])
			}
		}
	}
	return links
}

// Oracle is the crawl of somebody who knows the labels of all pages, but not the
// links of those that were not fetched yet: it fetches a wanted page if it has a
// link to one, else the page that it has known for longest. It ends after maxPages;
// 0: at the end of the web.
func (q Question) Oracle(links Links, seeds []string, maxPages int) *Outcome {
	o := &Outcome{Name: "oracle"}
	var wanted, others []int
	seen := make([]bool, len(links))
	add := func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		if p := &q.Web.Pages[i]; q.wants(p) && q.in(p.URL) {
			wanted = append(wanted, i)
		} else {
			others = append(others, i)
		}
	}
	for _, seed := range seeds {
		if i := place(q.Web, seed); i >= 0 {
			add(i)
		}
	}
	for len(wanted)+len(others) > 0 && (maxPages == 0 || len(o.Fetched) < maxPages) {
		from := &wanted
		if len(wanted) == 0 {
			from = &others
		}
		next := (*from)[0]
		*from = (*from)[1:]
		o.Fetched = append(o.Fetched, q.Web.Pages[next].URL)
		for _, to := range links[next] {
			add(to)
		}
	}
	return o
}
