package template

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"

	"sluice/shared/schema"
)

// maxDepth is how deep a template nests.
const maxDepth = 8

// lists are the elements that hold a list, and the name of its elements.
var lists = map[string]string{
	"lists": "list", "fields": "field", "words": "word", "labels": "label", "avoid": "word", "values": "value", "properties": "property",
}

// element is an element of a template in XML: what YAML calls a field.
type element struct {
	name     string
	place    schema.Place
	attrs    []xml.Attr
	children []*element
	text     string
}

// readXML returns the element <template>, or reports why there is none.
func readXML(r *schema.Reader, data []byte, format schema.Format) (root schema.Value, ok bool) {
	if len(data) > format.MaxBytes {
		r.Fail(schema.Place{}, "the file is larger than %d bytes: %s holds %s", format.MaxBytes, format.Name, format.Holds)
		return nil, false
	}
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	d.CharsetReader = charset.NewReaderLabel
	var open []*element
	var top *element
	for {
		line, column := d.InputPos()
		at := schema.Place{Line: line, Column: column}
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return checkXML(r, top)
		case err != nil:
			line, column := d.InputPos()
			r.Fail(schema.Place{Line: line, Column: column}, "not valid XML: %v", reason(err))
			return nil, false
		}
		switch token := token.(type) {
		case xml.Directive:
			r.Fail(at, "document types and entities are not read: remove this")
			return nil, false
		case xml.StartElement:
			e := &element{name: token.Name.Local, place: at, attrs: token.Copy().Attr}
			if len(open) == maxDepth {
				r.Fail(at, "nested more than %d levels deep", maxDepth)
				return nil, false
			}
			switch {
			case len(open) > 0:
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			case top != nil:
				r.Fail(at, "a second element begins here: a template is one")
				return nil, false
			default:
				top = e
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(token)
			}
		}
	}
}

// reason is a syntax error without its line, which the problem has.
func reason(err error) string {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return syntax.Msg
	}
	return err.Error()
}

// checkXML reports what the values cannot: elements that a list does not have.
func checkXML(r *schema.Reader, top *element) (root schema.Value, ok bool) {
	switch {
	case top == nil:
		r.Fail(schema.Place{}, "the file is empty: a template is an element <template>")
		return nil, false
	case top.name != "template":
		r.Fail(top.place, "the element is <%s>: a template is an element <template>", schema.Clip(top.name))
		return nil, false
	}
	top.check(r)
	return top, true
}

// check reports elements that are called wrongly or have no name, and mends or removes them, so
// that the values are read.
func (e *element) check(r *schema.Reader) {
	e.children = slices.DeleteFunc(e.children, func(c *element) bool {
		if item := lists[e.name]; item != "" && c.name != item {
			r.Fail(c.place, "<%s> in <%s>: write <%s>", schema.Clip(c.name), e.name, item)
			c.name = item
		}
		nameless := e.name == "fields" && c.attr("name") == ""
		if nameless {
			r.Fail(c.place, `a field needs a name: <field name="price">`)
		}
		c.attrs = slices.DeleteFunc(c.attrs, func(a xml.Attr) bool {
			unknown := c.name == "word" && a.Name.Local != "weight"
			if unknown {
				r.Fail(c.place, "unknown attribute %q of <word>: it has only a weight", schema.Clip(a.Name.Local))
			}
			return unknown
		})
		c.check(r)
		return nameless
	})
	if len(e.children) > 0 && strings.TrimSpace(e.text) != "" {
		r.Fail(e.place, "<%s> has both elements and the text %q: remove the text", e.name, schema.Clip(strings.TrimSpace(e.text)))
		e.text = ""
	}
}

func (e *element) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// attribute is an attribute as a value, at the place of its element.
func (e *element) attribute(a xml.Attr) *element {
	return &element{name: a.Name.Local, place: e.place, text: a.Value}
}

func (e *element) Place() schema.Place { return e.place }

// Null is false: an empty element is an empty text.
func (e *element) Null() bool { return false }

// Object returns attributes and child elements; the fields by their names; and
// of a word with a weight that weight.
func (e *element) Object() (fields []schema.Field, ok bool) {
	switch e.name {
	case "word":
		for _, a := range e.attrs {
			fields = append(fields, schema.Field{Key: strings.TrimSpace(e.text), Place: e.place, Value: e.attribute(a)})
		}
		return fields, len(fields) > 0
	case "fields":
		for _, c := range e.children {
			fields = append(fields, schema.Field{Key: c.attr("name"), Place: c.place, Value: c})
		}
		return fields, len(e.attrs) == 0 && e.blank()
	}
	for _, a := range e.attrs {
		if e.name == "field" && a.Name.Local == "name" {
			continue // the key
		}
		fields = append(fields, schema.Field{Key: a.Name.Local, Place: e.place, Value: e.attribute(a)})
	}
	for _, c := range e.children {
		fields = append(fields, schema.Field{Key: c.name, Place: c.place, Value: c})
	}
	return fields, e.blank()
}

func (e *element) blank() bool { return strings.TrimSpace(e.text) == "" }

func (e *element) List() (items []schema.Value, ok bool) {
	for _, c := range e.children {
		items = append(items, c)
	}
	return items, lists[e.name] != "" && e.blank()
}

func (e *element) Text() (text string, ok bool) {
	return strings.TrimSpace(e.text), len(e.children) == 0 && !(e.name == "word" && len(e.attrs) > 0)
}

func (e *element) Number() (value float64, ok bool) {
	value, err := strconv.ParseFloat(strings.TrimSpace(e.text), 64)
	return value, err == nil && len(e.children) == 0 && !math.IsInf(value, 0) && !math.IsNaN(value)
}

func (e *element) Source() string { return strings.TrimSpace(e.text) }

func (e *element) Must(kind schema.Kind) string {
	return [...]string{
		schema.Object: "an element with attributes and elements, without text",
		schema.List:   "a list of elements: <" + e.name + "><" + lists[e.name] + ">…",
		schema.Text:   "a text without elements",
	}[kind]
}
