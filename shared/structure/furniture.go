package structure

import "strings"

// furnitureWords are parts of names of what pages have beside their content.
var furnitureWords = map[string]bool{
	"nav": true, "navbar": true, "navigation": true, "menu": true, "menus": true, "submenu": true, "footer": true, "foot": true, "breadcrumb": true,
	"breadcrumbs": true, "crumb": true, "crumbs": true, "pagination": true, "pager": true, "paging": true, "paginator": true, "pages": true,
	"tagcloud": true, "copyright": true, "sitemap": true, "friendlink": true, "friendlinks": true, "toolbar": true, "topbar": true,
	"dropdown": true, "sidenav": true, "subnav": true, "topnav": true, "share": true, "social": true, "login": true, "cookie": true, "lang": true, "languages": true,
	"filter": true, "filters": true, "facet": true, "facets": true,
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
	for _, c := range append(a.class, a.id) {
		for word := range words(c) {
			if furnitureWords[word] {
				return true
			}
		}
	}
	return false
}

// markFurniture spreads the marks of elements over what is in them. An element
// with most of the text of a page is its content, whatever its name, unless all
// of it are links.
func (t *tree) markFurniture() {
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.furniture && n.tag != "nav" && n.tag != "footer" {
			n.furniture = 2*n.width <= t.nodes[0].width || 10*n.linked >= 9*n.width
		}
		if n.parent >= 0 && t.nodes[n.parent].furniture {
			n.furniture = true
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
