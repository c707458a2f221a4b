package sitecmd

import (
	"sluice/shared/structure"
	"sluice/shared/web/urlnorm"
)

// findCategories makes categories of lists whose records are lists: of those that lead to
// other pages of the sample, more do to lists than to details.
func findCategories(all []read) {
	layers := map[string]string{}
	for _, p := range all {
		if p.result.at != nil {
			layers[canonical(p.result.at.String())] = p.sample.Layer
		}
	}
	for i := range all {
		p := &all[i]
		if p.sample.Layer != structure.ListLayer || len(p.sample.Lists) == 0 {
			continue
		}
		lists, details := 0, 0
		for _, to := range structure.RecordLinks(p.sample.Lists[0].Records, p.sample.Page.Base) {
			switch layers[canonical(to)] {
			case structure.ListLayer:
				lists++
			case structure.DetailLayer:
				details++
			}
		}
		if lists > details {
			p.sample.Layer, p.result.Layer = structure.CategoryLayer, structure.CategoryLayer
		}
	}
}

// canonical is a URL as a crawl writes it, "" for none.
func canonical(raw string) string {
	u, err := urlnorm.Parse(raw)
	if err != nil {
		return ""
	}
	return u.String()
}
