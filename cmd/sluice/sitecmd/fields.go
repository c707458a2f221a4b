package sitecmd

import (
	"bytes"
	"fmt"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
)

// fields are the fields of a page, or of the first record of a list, by name.
type fields map[string]field.Found

// read is a page that was read, for the fields of all pages together.
type read struct {
	result *pageResult
	sample site.Sample
}

// addFields finds the fields of a template on pages of one site.
func (a *analyzed) addFields(t *template.Template, all []read) error {
	samples := make([]site.Sample, len(all))
	for i := range all {
		samples[i] = all[i].sample
	}
	found := site.Fields(t, samples)
	x, err := field.NewExtractor(t, found)
	if err != nil {
		return fmt.Errorf("read fields: %w", err)
	}
	for i := range all {
		values := x.Extract(all[i].sample.Page)
		on := fields{}
		for _, f := range found {
			if v, ok := values[f.Name]; ok {
				f.Value = v
				on[f.Name] = f
			}
		}
		all[i].result.Fields = &on
	}
	a.Fields, a.found = byName(found), found
	return nil
}

func byName(found []field.Found) *fields {
	named := fields{}
	for _, f := range found {
		named[f.Name] = f
	}
	return &named
}

// printFields prints fields in the order of the template.
func printFields(w *bytes.Buffer, t *template.Template, f *fields, indent string) {
	if f == nil {
		return
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range t.Fields {
		if v, ok := (*f)[t.Fields[i].Name]; ok {
			fmt.Fprintf(tab, "%s%s\t%s\t%s\n", indent, v.Name, cli.Clean(shorten(v.Text)), cli.Clean(v.XPath))
		}
	}
	_ = tab.Flush() // to memory
}
