package structure

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Where in the name of an element a word counts: view-with-filters is a view.
const (
	atEdge   = false
	anywhere = true
)

// furnitureWords are parts of names of what pages have beside their content.
var furnitureWords = map[string]bool{
	"nav": atEdge, "navbar": atEdge, "navigation": atEdge, "menu": atEdge, "menus": atEdge, "submenu": atEdge, "footer": atEdge, "foot": atEdge, "breadcrumb": anywhere,
	"breadcrumbs": anywhere, "crumb": atEdge, "crumbs": atEdge, "pagination": anywhere, "pager": atEdge, "paging": atEdge, "paginator": anywhere, "pages": atEdge,
	"tagcloud": atEdge, "copyright": atEdge, "sitemap": atEdge, "friendlink": atEdge, "friendlinks": atEdge, "toolbar": atEdge, "topbar": atEdge,
	"dropdown": atEdge, "sidenav": atEdge, "subnav": atEdge, "topnav": atEdge, "share": atEdge, "social": atEdge, "login": atEdge, "cookie": atEdge, "lang": atEdge, "languages": atEdge,
}

// isFurniture reports whether an element says of itself that it is no content.
func isFurniture(tag string, a attributes) bool {
	switch tag {
	case "nav", "footer":
		return true
	case "body", "main", "article":
		return false
	}
	switch a.role {
	case "navigation", "contentinfo", "menu", "menubar", "toolbar", "tablist":
		return true
	}
	return named(a, furnitureWords)
}

// named reports whether a class or the ID has one of the words where it counts.
func named(a attributes, known map[string]bool) bool {
	for _, c := range append(a.class, a.id) {
		first, last := true, false
		for word := range words(c) {
			everywhere, is := known[word]
			if everywhere || is && first {
				return true
			}
			first, last = false, is
		}
		if last {
			return true
		}
	}
	return false
}

// besideWords are parts of the names of lists that lead away from a page.
var besideWords = map[string]bool{
	"sidebar": anywhere, "side": anywhere, "aside": anywhere, "related": anywhere, "relate": anywhere, "relative": anywhere, "recommend": anywhere, "recommended": anywhere,
	"recommendation": anywhere, "recommendations": anywhere, "hot": anywhere, "rank": anywhere, "ranking": anywhere, "guess": anywhere, "also": anywhere, "similar": anywhere, "bought": anywhere,
	"filter": atEdge, "filters": atEdge, "facet": atEdge, "facets": atEdge,
}

// isBeside reports whether an element says of itself that it is a side matter.
func isBeside(tag string, a attributes) bool {
	if tag == "body" || tag == "main" {
		return false
	}
	if tag == "aside" || a.role == "complementary" {
		return true
	}
	return named(a, besideWords)
}

// isHead reports whether an element says of itself that it is the head of a page,
// or of a part of it.
func isHead(tag string, a attributes) bool {
	return tag == "header" || tag != "body" && named(a, headWords)
}

var headWords = map[string]bool{"header": atEdge}

// markFurniture spreads the marks of elements over what is in them. An element
// with most of the text of a page is its content even if its name says otherwise,
// unless nearly all of that text is in links.
func (t *tree) markFurniture() {
	content := int32(0)
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.furniture && n.tag != "nav" && n.tag != "footer" {
			n.furniture = 2*n.width <= t.nodes[0].width || 10*n.linked >= 9*n.width
		}
		if n.parent >= 0 && t.nodes[n.parent].furniture {
			n.furniture = true
		}
		if !n.furniture {
			content += n.own
		}
	}
	t.markHollow()
	t.markCaptioned()
	for i := range t.nodes {
		n := &t.nodes[i]
		switch {
		case n.parent >= 0 && t.nodes[n.parent].beside:
			n.beside = true
		case n.head:
			n.beside = 10*n.width <= 9*content
		case n.beside:
			n.beside = 4*n.width <= 3*content
		}
	}
}

// markHollow marks elements that have text in furniture only, and no pictures.
func (t *tree) markHollow() {
	content := make([]bool, len(t.nodes))
	for i := len(t.nodes) - 1; i > 0; i-- {
		n := &t.nodes[i]
		switch {
		case content[i] || !n.furniture && (n.own > 0 || n.tag == "img"):
			content[n.parent] = true
		case n.width > 0:
			n.furniture = true
		}
	}
}

// besideCaption matches the captions of lists that lead away from a page.
var besideCaption = regexp.MustCompile(`^(?i)\PL*(` +
	`((相关|推荐|热门|热点|精彩推荐|编辑推荐|为[您你]推荐|往期)\p{Han}{0,4}|猜[您你]喜欢|延伸阅读|[看买]了[又还]\p{Han}|大家(都|还)?在\p{Han}{1,2}|[您你]可能\p{Han}{1,7})\PL*$|` +
	`(related|recommended|similar|more (from|stories)|read next|trending|most (popular|read|viewed|shared)|(you|people|customers) (also|may|might))\b)`)

// captionStarts are the letters that these begin with.
const captionStarts = "相推热精编为往猜延看买大您你rsmtypcRSMTYPC"

func leadsAway(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		if i := strings.IndexFunc(d.Data, unicode.IsLetter); i >= 0 {
			first, _ := utf8.DecodeRuneInString(d.Data[i:])
			return strings.ContainsRune(captionStarts, first) && besideCaption.MatchString(Record{n}.Text())
		}
	}
	return false
}

// captionWidth is how wide a caption may be, in columns, with a link to more.
const captionWidth = 40

// markCaptioned marks what has such a caption: the element that begins with it, else the
// one after it.
func (t *tree) markCaptioned() {
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.own == 0 || n.width > captionWidth || n.linked > 0 || n.parent < 0 || n.tag == "h1" || !leadsAway(n.html) {
			continue
		}
		at := int32(i)
		for up := t.nodes[at].parent; up > 0 && t.nodes[up].width <= captionWidth; up = t.nodes[up].parent {
			at = up
		}
		if up := t.nodes[at].parent; up > 0 && at == up+1 && t.nodes[up].tag != "main" {
			t.nodes[up].beside = true
		} else if end := t.nodes[at].end; int(end) < len(t.nodes) && t.nodes[end].parent == up {
			t.nodes[end].beside = true
		}
	}
}

// words splits a class name or ID at what is no letter and between lower and
// upper case.
func words(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i <= len(s); i++ {
			letter := i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= 0x80)
			hump := letter && i > start && s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z'
			if letter && !hump {
				continue
			}
			if i > start && !yield(strings.ToLower(s[start:i])) {
				return
			}
			start = i
			if !letter {
				start = i + 1
			}
		}
	}
}
