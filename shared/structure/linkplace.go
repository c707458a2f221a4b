package structure

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// What speaks for a place of links, each by the share of its links that are so.
const (
	pointsDistinct = 3   // lead where no other does: a company has several jobs
	pointsEach     = 2   // of the records: they have a link there
	pointsVaried   = 2   // have a text that no other has: "Add to cart" is an action
	pointsHeading  = 3   // are in a heading
	pointsLongest  = 1.5 // have the longest text of their record
	pointsFirst    = 1   // are the first of their record
	pointsPicture  = 1   // are pictures, too
	pointsBehind   = -7  // lead to who is behind the records: their authors, sellers, companies
)

// behind is the address of a company or of somebody else who offers records. What may as well
// be a section of news, such as /business/, is none; /co/7.html is.
var behind = regexp.MustCompile(`(?i)^\w+://[^/?#]+(?:/[^?#]*)?/(?:(?:company|companies|firms?|employers?|gongsi|qiye|brands?|publishers?|authors?|sellers?|vendors?|merchants?)(?:\.\w+\?|[-/].)|co/\d+(?:\.\w+)?$)`)

// ofCompanies are words one of which each address has that behind matches.
var ofCompanies = []string{"compan", "firm", "employer", "gongsi", "qiye", "brand", "publisher", "author", "seller", "vendor", "merchant", "/co/"}

// isBehind reports whether an address is of who is behind a record.
func isBehind(address string) bool {
	return IsPerson(address) || mentions(address, ofCompanies) && behind.MatchString(address)
}

// evidence is what speaks for a place.
type evidence struct {
	links, records, heading, longest, first, picture, behind int
	to, texts                                                map[string]bool
	last                                                     int // record
}

// pointsOf are the points of the places of links, and sets the places.
func pointsOf(links [][]recordLink) map[string]float64 {
	places(links)
	all := map[string]*evidence{}
	for i := range links {
		longest := 0
		for j := range links[i] {
			longest = max(longest, len(links[i][j].text))
		}
		for j := range links[i] {
			l := &links[i][j]
			leadsBehind := isBehind(l.to)
			for _, at := range l.places {
				e := all[at]
				if e == nil {
					e = &evidence{to: map[string]bool{}, texts: map[string]bool{}, last: -1}
					all[at] = e
				}
				e.links++
				e.records += count(e.last != i)
				e.last = i
				e.heading += count(l.heading)
				e.longest += count(l.text != "" && len(l.text) == longest)
				e.first += count(j == 0)
				e.picture += count(l.picture != "")
				e.behind += count(leadsBehind)
				e.to[l.to] = true
				if l.text != "" {
					e.texts[l.text] = true
				}
			}
		}
	}
	points := map[string]float64{}
	for at, e := range all {
		share := func(n int) float64 { return float64(n) / float64(e.links) }
		points[at] = pointsDistinct*share(len(e.to)) + pointsEach*float64(e.records)/float64(len(links)) + pointsVaried*share(len(e.texts)) +
			pointsHeading*share(e.heading) + pointsLongest*share(e.longest) + pointsFirst*share(e.first) + pointsPicture*share(e.picture) +
			pointsBehind*share(e.behind)
	}
	return points
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// places tells links of one path apart: by their text if most records have a link with it,
// and by their order if all records with such links have as many.
func places(links [][]recordLink) {
	having, records := map[string]int{}, 0
	for _, of := range links {
		records += count(len(of) > 0)
		texts := map[string]bool{}
		for j := range of {
			if text := of[j].text; text != "" && !texts[text] {
				texts[text] = true
				having[text]++
			}
		}
	}
	most, even := map[string]int{}, map[string]bool{}
	for _, of := range links {
		times := map[string]int{}
		for j := range of {
			repeated := having[of[j].text] > 1 && 2*having[of[j].text] > records
			for k := range of[j].places {
				at := &of[j].places[k]
				if repeated {
					*at += "=" + of[j].text
				}
				times[*at]++
			}
		}
		for at, n := range times {
			before, known := most[at]
			even[at] = !known || even[at] && before == n
			most[at] = n
		}
	}
	for _, of := range links {
		times := map[string]int{}
		for _, at := range inOrder(of) {
			before := *at
			if even[before] {
				*at += "#" + strconv.Itoa(times[before])
			}
			times[before]++
		}
	}
}

// inOrder are the places of the links of a record, in the order of the page.
func inOrder(of []recordLink) []*string {
	type place struct {
		at    *string
		order int
	}
	var all []place
	for j := range of {
		for k := range of[j].places {
			all = append(all, place{&of[j].places[k], of[j].order[k]})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.order, b.order) })
	places := make([]*string, len(all))
	for i := range all {
		places[i] = all[i].at
	}
	return places
}

// placeIn is the path from a link up to an element of its record, and whether it is in a
// heading.
func placeIn(r Record, top int, n *html.Node) (path string, heading bool) {
	b := strings.Builder{}
	for {
		switch n.Data {
		case "dt":
			heading = true
		case "td", "th", "dd":
			b.WriteString(strconv.Itoa(cellBefore(n)))
		}
		heading = heading || IsHeading(n)
		b.WriteString(n.Data + "/")
		if n == r[top] || n.Parent == nil {
			return b.String() + strconv.Itoa(top), heading
		}
		n = n.Parent
	}
}

// IsHeading reports whether a node is a heading.
func IsHeading(n *html.Node) bool {
	return n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && '1' <= n.Data[1] && n.Data[1] <= '6'
}

// cellBefore is how many elements are in front of one, maxCells at most.
func cellBefore(n *html.Node) (before int) {
	for s := n.PrevSibling; s != nil && before < maxCells; s = s.PrevSibling {
		before += count(s.Type == html.ElementNode)
	}
	return before
}

// maxCells is how many cells of a row are told apart, and maxPlaces how many places of
// links to one address.
const (
	maxCells  = 64
	maxPlaces = 16
)

// avatar is in the names of pictures of people.
var avatar = regexp.MustCompile(`(?i)avatar|portrait|userpic`)

// pictureIn is the address of the picture that a link is, of something else than who wrote
// a record.
func pictureIn(n *html.Node) string {
	for d := range n.Descendants() {
		if d.Type != html.ElementNode || d.Data != "img" {
			continue
		}
		src := cmp.Or(Attr(d, "data-src"), Attr(d, "data-original"), Attr(d, "data-lazy-src"), Attr(d, "srcset"), Attr(d, "src"), "?")
		if avatar.MatchString(Attr(n, "class") + " " + Attr(d, "class") + " " + src) {
			return ""
		}
		return src
	}
	return ""
}
