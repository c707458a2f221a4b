package records

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"sluice/shared/state/corpus"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// Seen tells records that stand on several pages, or several times on one: those of one
// site and layer with one URL and one name. By several URLs a record is one if it is equal
// in all fields, and the URLs differ in parameters that do not tell pages apart. A URL that
// records of several names of a list share is not theirs: they are one if all fields are.
// Of a name and the same one cut short on a page, the record with the whole one counts.
type Seen map[[16]byte]bool

// New returns the records of a page that were not there before, and takes notice of them.
// plain is a URL without the parameters that do not tell pages apart.
func (s Seen) New(items []*corpus.Item, t *template.Template, plain func(url string) string) []*corpus.Item {
	items = withoutCut(items, t)
	ofMany := shared(items, t)
	var fresh []*corpus.Item
	for _, i := range items {
		all, _ := i.Fields.MarshalJSON() // texts and numbers
		keys := [][16]byte{keyOf(i, i.URL, string(all))}
		if !ofMany[i.URL] {
			keys = [][16]byte{keyOf(i, i.URL, nameOf(i, t)), keyOf(i, plain(i.URL), string(all))}
		}
		again := false
		for _, k := range keys {
			again = again || s[k]
			s[k] = true
		}
		if !again {
			fresh = append(fresh, i)
		}
	}
	return fresh
}

// withoutCut are the records of a page without those whose name is that of another one
// with the same URL, cut short: "Pears of the nor…".
func withoutCut(items []*corpus.Item, t *template.Template) []*corpus.Item {
	names := map[string][]string{} // by URL
	for _, i := range items {
		names[i.URL] = append(names[i.URL], nameOf(i, t))
	}
	return slices.DeleteFunc(slices.Clone(items), func(i *corpus.Item) bool {
		begin := field.Shortened(nameOf(i, t))
		return i.URL != "" && begin != "" && slices.ContainsFunc(names[i.URL], func(whole string) bool {
			return strings.HasPrefix(template.Fold(whole), begin) && field.Shortened(whole) != begin
		})
	})
}

// shared are the URLs of a page's records that do not belong to one of them alone.
func shared(items []*corpus.Item, t *template.Template) map[string]bool {
	names, all := map[string]string{}, map[string]bool{"": true}
	for _, i := range items {
		name := nameOf(i, t)
		before, known := names[i.URL]
		all[i.URL] = all[i.URL] || known && (name == "" || name != before)
		names[i.URL] = name
	}
	return all
}

func nameOf(i *corpus.Item, t *template.Template) string {
	name := ""
	for n := range t.Fields {
		if t.Fields[n].Heading && i.Fields[n].Value != nil {
			name += fmt.Sprint(i.Fields[n].Value)
		}
	}
	return name
}

func keyOf(i *corpus.Item, url, what string) [16]byte {
	sum := sha256.Sum256([]byte(i.Site + " " + i.Layer + " " + url + "\x00" + what))
	return [16]byte(sum[:16])
}
