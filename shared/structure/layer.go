package structure

import (
	"net/url"
	"regexp"
)

// Layers of a site (METHOD C1).
const (
	CategoryLayer = "category" // leads to lists: a home page, an index of sections
	ListLayer     = "list"     // leads to pages of details
	DetailLayer   = "detail"   // one article, product or notice
)

const (
	sections   = 4   // so many lists, none with half of all records, are sections
	mostlyList = 0.8 // of the text in records, from which a page with a main text is a list
	quietList  = 0.6 // the same where no sentence is outside of the records
)

// Layer tells the layer of a page, from its lists and what else is known of it: its URL, nil
// if it is not, whether it has a main text, that is no list of links, and a pagination. A later
// page without a main text is that of a list, be its records found or not. The home page of
// a site is no details.
func (p *Page) Layer(at *url.URL, text, paged bool) string {
	if len(p.Lists) == 0 && !text && p.later {
		return ListLayer
	}
	if len(p.Lists) == 0 || text && !paged && p.share < mostlyList && !(p.quiet && p.share >= quietList) {
		if isHome(at) {
			return CategoryLayer
		}
		return DetailLayer
	}
	records, most := 0, 0
	for _, l := range p.Lists {
		records += len(l.Records)
		most = max(most, len(l.Records))
	}
	if !paged && len(p.Lists) >= sections && 2*most < records {
		return CategoryLayer
	}
	return ListLayer
}

// index is the path of a home page.
var index = regexp.MustCompile(`(?i)^/?(?:(?:index|default|home)\.\w+)?$`)

// isHome reports whether a URL is that of the home page of a host.
func isHome(at *url.URL) bool {
	return at != nil && at.Host != "" && at.RawQuery == "" && IsHomePath(at.Path)
}

// IsHomePath reports whether a path is that of a home page.
func IsHomePath(path string) bool { return index.MatchString(path) }
