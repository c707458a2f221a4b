package structure

import (
	"net/url"

	"golang.org/x/net/html"
)

// RecordLinks returns where each record of a list leads, "" for nowhere: of its links
// that no other record has the one with the longest text, the first of several. A
// record without such a link stands twice in the list: all of its links count.
func RecordLinks(records []Record, base *url.URL) []string {
	links := make([][]recordLink, len(records))
	holders := map[string]int{}
	for i, r := range records {
		links[i] = r.links(base)
		for _, l := range links[i] {
			holders[l.to]++
		}
	}
	to := make([]string, len(records))
	for i := range records {
		longest := -1
		for _, l := range links[i] {
			own := holders[l.to] == 1
			switch {
			case own && holders[to[i]] != 1, own == (holders[to[i]] == 1) && l.text > longest:
				to[i], longest = l.to, l.text
			}
		}
	}
	return to
}

// recordLink is a link of a record, with the length of its longest text in bytes.
type recordLink struct {
	to   string
	text int
}

// links are the links of a record, each once, in their order.
func (r Record) links(base *url.URL) []recordLink {
	var links []recordLink
	at := map[string]int{}
	add := func(n *html.Node) {
		to := leadsTo(n, base)
		if to == "" {
			return
		}
		i, known := at[to]
		if !known {
			i = len(links)
			at[to], links = i, append(links, recordLink{to: to})
		}
		links[i].text = max(links[i].text, len(Record{n}.Text()))
	}
	for _, top := range r {
		add(top)
		for n := range top.Descendants() {
			add(n)
		}
	}
	return links
}

// leadsTo is where an anchor leads, without the fragment; "" if it leads to no page.
func leadsTo(n *html.Node, base *url.URL) string {
	if n.Type != html.ElementNode || n.Data != "a" {
		return ""
	}
	href := Attr(n, "href")
	u, err := url.Parse(href)
	if err != nil || href == "" {
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
