package sitecmd

import (
	"sluice/shared/structure"
	"sluice/shared/web/urlnorm"
)

// findCategories makes categories of lists whose records are lists: of those that lead to
// other pages of the sample, more do to lists than to details.
func findCategories(all []read) {
	layers := map[urlnorm.URL]string{}
	for _, p := range all {
		if p.result.at == nil {
			continue
		}
		if u, err := urlnorm.Parse(p.result.at.String()); err == nil {
			layers[u] = p.sample.Layer
		}
	}
	for i := range all {
		p := &all[i]
		if p.sample.Layer != structure.ListLayer || len(p.sample.Lists) == 0 {
			continue
		}
		lists, details := 0, 0
		for _, to := range structure.RecordLinks(p.sample.Lists[0].Records, p.sample.Page.Base) {
			u, _ := urlnorm.Parse(to) // the zero URL is of no page
			switch layers[u] {
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
