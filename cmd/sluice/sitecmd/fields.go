package sitecmd

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"text/tabwriter"

	"golang.org/x/net/html"

	"sluice/cmd/sluice/cli"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// maxRecords are the records of a list that its fields are found by.
const maxRecords = 50

// fields are the fields of a page, or of the first record of a list, by name.
type fields map[string]field.Found

// read is a page that was read, for the fields of all pages together.
type read struct {
	result *pageResult
	page   field.Page
}

// foundOn are the fields of a template on pages, which share their paths.
func foundOn(t *template.Template, all []read) []field.Found {
	pages := make([]field.Page, len(all))
	for i := range all {
		pages[i] = all[i].page
	}
	return field.Analyze(t, pages)
}

// addFields finds the fields of a template on pages of one site.
func (a *analyzed) addFields(t *template.Template, all []read) error {
	found := foundOn(t, all)
	x, err := field.NewExtractor(t, found)
	if err != nil {
		return fmt.Errorf("read fields: %w", err)
	}
	for i := range all {
		values := x.Extract(all[i].page)
		on := fields{}
		for _, f := range found {
			if v, ok := values[f.Name]; ok {
				f.Value = v
				on[f.Name] = f
			}
		}
		all[i].result.Fields = &on
	}
	a.Fields = byName(found)
	a.template = t
	return nil
}

// order sorts the lists behind the main one by the precedence of the template.
func order(t *template.Template, lists []structure.List) {
	if len(lists) < 2 {
		return
	}
	slices.SortStableFunc(lists[1:], func(a, b structure.List) int {
		return cmp.Compare(t.Precedence(formOf(&a)), t.Precedence(formOf(&b)))
	})
}

// formOf is the path of elements to the records of a list: "body/div/ul/li".
func formOf(l *structure.List) string {
	path := l.Records[0][0].Data
	for n := l.Records[0][0].Parent; n != nil && n.Type == html.ElementNode; n = n.Parent {
		if n.Data != "tbody" {
			path = n.Data + "/" + path
		}
	}
	return path
}

// fieldsOf are the fields of the records of a list.
func fieldsOf(t *template.Template, l *structure.List, base *url.URL) *fields {
	var records []field.Page
	for _, r := range l.Records[:min(len(l.Records), maxRecords)] {
		records = append(records, field.Page{Root: r[0], Rest: r[1:], Base: base})
	}
	return byName(field.Analyze(t, records))
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
