package field

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xpath"
	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// Extractor reads the fields of pages by paths that were found before.
type Extractor struct {
	fields  []compiled
	plans   []*plan // of all fields; nil where expr is used
	scanner *scanner
}

type compiled struct {
	field *template.Field
	expr  *xpath.Expr
	data  string
	first int // of its plans
	end   int

	current, old bool // the price that customers pay, and one that they paid before
}

// NewExtractor compiles paths. Fields that the template does not have, and paths
// that are no XPath, are errors.
func NewExtractor(t *template.Template, found []Found) (*Extractor, error) {
	x := &Extractor{}
	for _, f := range found {
		at := slices.IndexFunc(t.Fields, func(of template.Field) bool { return of.Name == f.Name })
		if at < 0 {
			return nil, fmt.Errorf("field %q is not in template %s", f.Name, t.Name)
		}
		expr, err := xpath.Compile(f.XPath)
		if err != nil {
			return nil, fmt.Errorf("path of field %s: %w", f.Name, err)
		}
		first := len(x.plans)
		for _, way := range alternatives(f.XPath) {
			p, ok := newPlan(way)
			if !ok {
				x.plans = append(x.plans[:first], nil)
				break
			}
			x.plans = append(x.plans, p)
		}
		x.fields = append(x.fields, compiled{
			field: &t.Fields[at], expr: expr, data: f.Data, first: first, end: len(x.plans),
			current: current(&t.Fields[at]), old: isOld(&t.Fields[at]),
		})
	}
	x.scanner = newScanner(x.plans)
	return x, nil
}

// Extract returns the fields of a page, by name; those that are not there or
// not of their type are left out. It is safe for concurrent use.
func (x *Extractor) Extract(p Page) map[string]Value {
	values := make(map[string]Value, len(x.fields))
	anchors := x.scanner.scan(p.Root)
	for i := range x.fields {
		f := &x.fields[i]
		var texts []string
		for k := f.first; k < f.end && texts == nil; k++ {
			texts = f.texts(x.plans[k], anchors[k], p)
		}
		for _, text := range texts {
			if v, ok := f.value(text, p); ok {
				values[f.field.Name] = v
				break
			}
		}
	}
	x.dropOld(values)
	return values
}

// dropOld leaves out the old prices that are the current one: the product was never dearer.
func (x *Extractor) dropOld(values map[string]Value) {
	for i := range x.fields {
		old, ok := values[x.fields[i].field.Name]
		if !ok || !x.fields[i].old {
			continue
		}
		for k := range x.fields {
			if now, ok := values[x.fields[k].field.Name]; ok && x.fields[k].current && *now.Amount == *old.Amount {
				delete(values, x.fields[i].field.Name)
			}
		}
	}
}

// texts are what a path leads to: one text, but all scripts with JSON-LD.
func (c *compiled) texts(way *plan, anchors []*html.Node, p Page) []string {
	if way == nil {
		return c.evaluate(p)
	}
	if way.anchor.kind == atRoot {
		anchors = []*html.Node{p.Root}
	}
	var texts []string
	for _, n := range anchors {
		if n = follow(n, way.steps); n == nil {
			continue
		}
		switch {
		case c.data != "":
			texts = append(texts, raw(n))
			continue
		case way.attr == "" && c.field.Type == template.Price && p.Root.Type == html.DocumentNode && ofOther(n, p.Base) == others:
			continue
		case way.anchor.kind == byPart && !labelled(c.field, textOf(n)):
			continue // "he told the reporter: ..." names none
		case way.entries(c.field):
			texts = append(texts, c.text(n, p))
			continue
		case way.attr == "":
			return []string{c.text(n, p)}
		}
		if text := structure.Attr(n, way.attr); text != "" {
			return []string{text}
		}
	}
	return c.join(texts)
}

// join makes one text of the entries that a path leads to.
func (c *compiled) join(texts []string) []string {
	if !c.field.Many || c.data != "" || len(texts) == 0 {
		return texts
	}
	return []string{strings.Join(texts, "\n")}
}

// text is that of a node which a path leads to.
func (c *compiled) text(n *html.Node, p Page) string {
	if n.Data == "title" && n.FirstChild != nil {
		n = n.FirstChild // a reader does not see it, but a person has asked for it
	}
	text := textFor(c.field, n)
	if c.field.Heading {
		return wholeName(n, text, p)
	}
	return text
}

// evaluate is texts for any XPath.
func (c *compiled) evaluate(p Page) []string {
	var texts []string
	for nodes := c.expr.Select(htmlquery.CreateXPathNavigator(p.Root)); nodes.MoveNext(); {
		at, ok := nodes.Current().(*htmlquery.NodeNavigator)
		switch {
		case !ok:
		case c.data != "":
			texts = append(texts, raw(at.Current()))
		case at.NodeType() == xpath.AttributeNode:
			return []string{at.Value()}
		case c.field.Many:
			texts = append(texts, c.text(at.Current(), p))
		default:
			return []string{c.text(at.Current(), p)}
		}
	}
	return c.join(texts)
}

func (c *compiled) value(text string, p Page) (Value, bool) {
	if c.data == "" {
		return Clean(c.field, text, p.Base)
	}
	for _, value := range valuesOf(c.field, readJSON(text), c.data) {
		if v, ok := Clean(c.field, value, p.Base); ok {
			return v, true
		}
	}
	return Value{}, false
}
