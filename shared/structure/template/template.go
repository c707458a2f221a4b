// Package template reads site templates (METHOD C4, C5). A template describes a
// kind of page: the names and values of its fields, and the elements of its lists.
// It says nothing of any site; package field finds the fields of a site by it.
package template

import "regexp"

// Template is a checked template file; docs/templates.md lists its fields and
// their defaults.
type Template struct {
	Name    string   // letters, digits and hyphens
	Lists   []string // paths of a list and its records, best first: "div/ul/li"
	Weights Weights
	Fields  []Field // in the order of the file
}

// Weights are how much a match in an attribute counts, as multiples of 1/10 of
// the lexicon's weight: at 10 it counts once.
type Weights struct {
	Name, ID, Class float64
	ItemProp        float64 // itemprop, property and rel
	Other           float64 // any other attribute
}

// Field is a field of a page or of a record of a list.
type Field struct {
	Name    string
	Type    Type
	Heading bool // it names the page: headings and the page's title have it
	Many    bool // it holds several entries, one a line: those of a list or a table

	Words      []Word   // lexicon of attributes: "price", "jiage", "jg"
	Labels     []string // texts beside the value: "价格", "Author"
	Properties []string // of itemprop, JSON-LD and <meta>: "price", "og:title"

	Avoid   []string       // words of labels and attributes of other values: "shipping", "传真"
	Values  []string       // what values usually are: "Italian", "全职"
	Form    *regexp.Regexp // what usual values match; nil for none
	Pattern *regexp.Regexp // what a value contains; nil for anything

	folded []string        // labels without marks
	usual  map[string]bool // values without marks
	avoid  []string        // as Fold has them
}

// Word is a word of the lexicon of attributes, in lower case.
type Word struct {
	Text   string
	Weight float64
}

// Type says how the value of a field is read.
type Type string

// The types of fields.
const (
	Text   Type = "text"
	Price  Type = "price"
	Date   Type = "date"
	Number Type = "number"
	Image  Type = "image"
	Link   Type = "link"
)

// Types are all types.
func Types() []Type { return []Type{Text, Price, Date, Number, Image, Link} }

// defaults returns a template without fields, with the weights and lists of the
// paper.
func defaults() *Template {
	return &Template{
		Lists:   []string{"div/ul/li", "div/p", "p/p"},
		Weights: Weights{Name: 10, ID: 15, Class: 10, ItemProp: 10, Other: 10},
	}
}

// defaultWeight is that of a word without one.
const defaultWeight = 5
