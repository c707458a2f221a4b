package structure

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

// Layer tells the layer of a page, from its lists and what else is known of it:
// whether it has a main text, that is no list of links, and a pagination. A later page
// without a main text is that of a list, be its records found or not.
func (p *Page) Layer(text, paged bool) string {
	if len(p.Lists) == 0 && !text && p.later {
		return ListLayer
	}
	if len(p.Lists) == 0 || text && !paged && p.share < mostlyList && !(p.quiet && p.share >= quietList) {
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
