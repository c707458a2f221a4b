package field

import (
	"slices"
	"strings"

	"sluice/shared/structure/template"
)

// Scripted returns the fields that scripts add to a page: it has them as a browser shows it,
// and neither their texts nor other values of them as it was fetched. The page may be the
// same in all else, so that its layer is taken for static.
func Scripted(t *template.Template, fetched, shown Page) []string {
	fetched.withOthers, shown.withOthers = true, true // it may be a list
	had := Analyze(t, []Page{fetched})
	text := template.Fold(textOf(fetched.Root))
	var names []string
	for _, f := range Analyze(t, []Page{shown}) {
		at := slices.IndexFunc(t.Fields, func(of template.Field) bool { return of.Name == f.Name })
		if kind := t.Fields[at].Type; kind == template.Image || kind == template.Link || f.Score < firmly || strings.Contains(text, template.Fold(f.Text)) {
			continue
		}
		if !slices.ContainsFunc(had, func(v Found) bool { return v.Name == f.Name && 2*v.Score >= f.Score }) {
			names = append(names, f.Name)
		}
	}
	return names
}
