package sitecmd

import (
	"sluice/shared/structure"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
)

// findShort makes lists of the pages that look like details and are other pages of a list
// of their site, with few records: the last one, say.
func findShort(t *template.Template, all []read) {
	for i := range all {
		p := &all[i]
		if p.sample.Layer != structure.DetailLayer {
			continue
		}
		for _, other := range all {
			if other.sample.Layer != structure.ListLayer || len(other.sample.Lists) == 0 || host(p.result) != host(other.result) {
				continue
			}
			l := other.sample.Lists[0].List
			path, err := structure.ParsePath(l.RecordXPath)
			if err != nil {
				continue
			}
			l.Records = structure.NewModel(other.sample.Page.Root, path, l.Siblings).Records(p.sample.Page.Root)
			if len(l.Records) == 0 {
				continue
			}
			l.Region = l.Records[0][0].Parent
			p.sample.Layer, p.result.Layer = structure.ListLayer, structure.ListLayer
			p.sample.Lists = site.Lists(t, []structure.List{l}, p.sample.Page.Base)
			p.result.Lists = []listResult{resultOf(&p.sample.Lists[0], t != nil)}
			break
		}
	}
}

// host is that of a page, "" of a file.
func host(p *pageResult) string {
	if p.at == nil {
		return ""
	}
	return p.at.Host
}
