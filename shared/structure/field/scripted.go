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
	before := Analyze(t, []Page{fetched})
	text := template.Fold(textOf(fetched.Root))
	var names []string
	for _, f := range Analyze(t, []Page{shown}) {
		at := slices.IndexFunc(t.Fields, func(of template.Field) bool { return of.Name == f.Name })
		kind := t.Fields[at].Type
		if kind == template.Image || kind == template.Link || strings.Contains(text, template.Fold(f.Text)) {
			continue
		}
		has := func(score float64) bool {
			return slices.ContainsFunc(before, func(v Found) bool { return v.Name == f.Name && v.Score >= score })
		}
		// The form of a price says what it is, where the page had none.
		if f.Score >= firmly && !has(f.Score/2) || kind == template.Price && f.Currency != "" && !has(0) {
			names = append(names, f.Name)
		}
	}
	return names
}
