package structure

import "strings"

// furnitureWords are parts of names of what pages have beside their content.
var furnitureWords = map[string]bool{
	"nav": true, "navbar": true, "navigation": true, "menu": true, "menus": true, "submenu": true, "footer": true, "foot": true, "breadcrumb": true,
	"breadcrumbs": true, "crumb": true, "crumbs": true, "pagination": true, "pager": true, "paging": true, "paginator": true, "pages": true,
	"tagcloud": true, "copyright": true, "sitemap": true, "friendlink": true, "friendlinks": true, "toolbar": true, "topbar": true,
	"dropdown": true, "sidenav": true, "subnav": true, "topnav": true, "share": true, "social": true, "login": true, "cookie": true, "lang": true, "languages": true,
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
	return named(a, furnitureWords, true)
}

// named reports whether a class or the ID has one of the words, at its beginning
// or end if edges is set: view-with-filters is a view.
func named(a attributes, known map[string]bool, edges bool) bool {
	for _, c := range append(a.class, a.id) {
		first, last := "", ""
		for word := range words(c) {
			if !edges && known[word] {
				return true
			}
			if first == "" {
				first = word
			}
			last = word
		}
		if known[first] || known[last] {
			return true
		}
	}
	return false
}

// besideWords are parts of the names of lists that lead away from a page.
var besideWords = map[string]bool{
	"sidebar": true, "side": true, "aside": true, "related": true, "relate": true, "relative": true, "recommend": true, "recommended": true,
	"recommendation": true, "recommendations": true, "hot": true, "rank": true, "ranking": true, "guess": true, "also": true, "similar": true, "bought": true,
}

// isBeside reports whether an element says of itself that it is a side matter.
func isBeside(tag string, a attributes) bool {
	if tag == "body" || tag == "main" {
		return false
	}
	if tag == "aside" || a.role == "complementary" {
		return true
	}
	return named(a, besideWords, false)
}

// isHead reports whether an element says of itself that it is the head of a page,
// or of a part of it.
func isHead(tag string, a attributes) bool {
	return tag == "header" || tag != "body" && named(a, headWords, true)
}

var headWords = map[string]bool{"header": true}

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
