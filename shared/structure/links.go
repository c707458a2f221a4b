package structure

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// RecordLinks returns where each record of a list leads, "" for nowhere. All records lead
// there by links at one place, the place that most speaks for on all of them together; a
// record without a link there by one at the next best place.
func RecordLinks(records []Record, base *url.URL) []string {
	links := make([][]recordLink, len(records))
	for i, r := range records {
		links[i] = r.links(base)
	}
	holders := map[string]int{}
	for _, of := range links {
		for j := range of {
			holders[of[j].to]++
		}
	}
	points := pointsOf(links)
	to := make([]string, len(records))
	for i, of := range links {
		if len(of) == 0 {
			continue
		}
		best := slices.MaxFunc(of, func(a, b recordLink) int { // the first of several
			return cmp.Or(cmp.Compare(a.points(points), b.points(points)), cmp.Compare(holders[b.to], holders[a.to]), cmp.Compare(len(a.text), len(b.text)))
		})
		to[i] = best.to
	}
	return to
}

// LinksIn are the addresses of all links in records.
func LinksIn(records []Record, base *url.URL) (all []string) {
	for _, r := range records {
		for _, top := range r {
			for n := range top.Descendants() {
				if to := LeadsTo(n, base); to != "" {
					all = append(all, to)
				}
			}
		}
	}
	return all
}

// points are those of the best of its places.
func (l *recordLink) points(of map[string]float64) float64 {
	best := 0.0
	for _, at := range l.places {
		best = max(best, of[at])
	}
	return best
}

// recordLink is where links of a record lead to.
type recordLink struct {
	to      string
	places  []string // of these links: their paths in the record
	order   []int    // of these links on the page
	text    string   // the longest, of a heading if one is
	picture string   // the address of one that is a picture
	heading bool     // one of them is in a heading
}

// action is an address by which something is done with a record.
var action = regexp.MustCompile(`(?i)(?:^|[/=])(?:cart|basket|checkout|wishlist|login|signin)(?:\.\w+)?(?:\?|/add\b)|(?:^|[/?&=])add[-_]?to[-_]?(?:cart|basket|bag|wishlist)\b`)

// IsAction reports whether an address leads to no page, but does something: it puts a
// product into a cart, say.
func IsAction(href string) bool { return mentions(href, ofActions) && action.MatchString(href) }

// ofActions are words one of which each address has that action matches.
var ofActions = []string{"cart", "basket", "checkout", "wishlist", "login", "signin", "bag"}

// mentions reports whether an address has one of some words, in any case. That is found
// much faster than the match of an expression.
func mentions(address string, words []string) bool {
	address = strings.ToLower(address)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(address, word) })
}

// links are where the links of a record lead, each once, in their order.
func (r Record) links(base *url.URL) []recordLink {
	var links []recordLink
	at, order := map[string]int{}, 0
	add := func(n *html.Node, top int) {
		to := LeadsTo(n, base)
		if to == "" {
			return
		}
		i, known := at[to]
		if !known {
			i = len(links)
			at[to], links = i, append(links, recordLink{to: to})
		}
		l := &links[i]
		path, heading := placeIn(r, top, n)
		if text := (Record{n}).Text(); text != "" && (l.text == "" || heading && !l.heading || heading == l.heading && len(text) > len(l.text)) {
			l.text = text
		}
		order++
		if len(l.places) < maxPlaces && !slices.Contains(l.places, path) {
			l.places, l.order = append(l.places, path), append(l.order, order)
		}
		l.heading = l.heading || heading
		l.picture = cmp.Or(l.picture, pictureIn(n))
	}
	for top, n := range r {
		add(n, top)
		for d := range n.Descendants() {
			add(d, top)
		}
	}
	return links
}

// LeadsTo is where an anchor leads, without the fragment; "" if it leads to no page, or
// does something with the record.
func LeadsTo(n *html.Node, base *url.URL) string {
	if n.Type != html.ElementNode || n.Data != "a" {
		return ""
	}
	href := strings.TrimSpace(Attr(n, "href"))
	u, err := url.Parse(href)
	if err != nil || href == "" || href[0] == '#' || IsAction(href) || slices.Contains(strings.Fields(strings.ToLower(Attr(n, "rel"))), "nofollow") {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if u.Fragment, u.RawFragment = "", ""; u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}
