package records

import (
	"crypto/sha256"
	"fmt"

	"sluice/shared/state/corpus"
	"sluice/shared/structure/template"
)

// Seen tells records that stand on several pages, or several times on one: those of one
// site and layer with one URL and one name. By several URLs a record is one if it is equal
// in all fields, and the URLs differ in parameters that do not tell pages apart. A URL that
// records of several names of a list share is not theirs: they are one if all fields are.
type Seen map[[16]byte]bool

// New returns the records of a page that were not there before, and takes notice of them.
// plain is a URL without the parameters that do not tell pages apart.
func (s Seen) New(items []*corpus.Item, t *template.Template, plain func(url string) string) []*corpus.Item {
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
