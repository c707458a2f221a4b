// Package schema reads files and messages strictly: every key is known and given
// once, every value has its type and range, and all problems are reported, each
// with its place.
package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"sluice/shared/fault"
)

// Value is a value of a document, in the words of its format.
type Value interface {
	Place() Place
	Null() bool // a null that has to be left out
	Object() (fields []Field, ok bool)
	List() (items []Value, ok bool)
	Text() (text string, ok bool)
	Number() (n float64, ok bool) // finite
	Source() string               // as it is written; "" where that is no help
	Must(kind Kind) string        // how to write a value of that kind
}

// Kind is the kind of a value.
type Kind int

// The kinds.
const (
	Object Kind = iota
	List
	Text
)

// Field is an entry of an object.
type Field struct {
	Key   string
	Place Place
	Value Value
}

// Place is where a value begins. The zero Place is the document as a whole.
type Place struct{ Line, Column int }

// Problem is one thing that is wrong with a document.
type Problem struct {
	File string // "" for none
	Place
	Message string
}

// Error returns the problem as compilers print theirs: file:line:column.
func (p Problem) Error() string {
	switch {
	case p.File == "":
		return p.Message
	case p.Line == 0:
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// maxProblems is how many problems are reported in full.
const maxProblems = 20

// Problems are all that is wrong with a document, in the order of its lines.
type Problems []Problem

// Error returns a line for each problem, up to 20.
func (p Problems) Error() string { return p.Join("\n") }

// Join returns the problems, up to 20, with sep between them.
func (p Problems) Join(sep string) string {
	var lines []string
	for _, problem := range p[:min(len(p), maxProblems)] {
		lines = append(lines, problem.Error())
	}
	if more := len(p) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more problems", more))
	}
	return strings.Join(lines, sep)
}

// Reader reads one document. It continues after a problem, to report all.
type Reader struct {
	File     string // in front of problems; "" for none
	problems Problems
	places   map[any]Place
}

// Read reads a value into where it belongs.
type Read struct {
	From  func(Value)
	Shape *jsonschema.Schema // what is read, in JSON; nil for one that nobody is told of
}

// Among returns the read of a text that can only have these values.
func (r Read) Among(values ...string) Read {
	for _, value := range values {
		r.Shape.Enum = append(r.Shape.Enum, value)
	}
	return r
}

// With returns the read of an object that has to have these keys.
func (r Read) With(keys ...string) Read {
	r.Shape.Required = append(r.Shape.Required, keys...)
	return r
}

// Fail records a problem.
func (r *Reader) Fail(at Place, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.File, at, fmt.Sprintf(format, args...)})
}

// Problems returns what was wrong so far, in the order of the document.
func (r *Reader) Problems() Problems {
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return r.problems
}

// Mark remembers where the value of a target was read.
func (r *Reader) Mark(target any, at Place) {
	if r.places == nil {
		r.places = make(map[any]Place)
	}
	r.places[target] = at
}

// At returns where the value of a target was read.
func (r *Reader) At(target any) (at Place, given bool) {
	at, given = r.places[target]
	return at, given
}

// Wrong records that a value has another kind than it must have.
func (r *Reader) Wrong(v Value, what string, kind Kind) {
	r.Fail(v.Place(), "%s must be %s", what, v.Must(kind))
}

// Fields returns the entries of an object without repeated keys.
func (r *Reader) Fields(v Value, what string) (fields []Field, ok bool) {
	all, ok := v.Object()
	if !ok {
		r.Wrong(v, what, Object)
		return nil, false
	}
	seen := make(map[string]bool, len(all))
	for _, f := range all {
		if seen[f.Key] {
			r.Fail(f.Place, "%s is repeated in %s: keep one", Clip(f.Key), what)
			continue
		}
		seen[f.Key] = true
		fields = append(fields, f)
	}
	return fields, true
}

// Object reads an object that has only known keys; one whose Read is zero is
// ignored. ended, if it is not nil, gets the keys of the object.
func (r *Reader) Object(what string, known map[string]Read, ended func(given map[string]bool)) Read {
	return Read{Shape: objectShape(known), From: func(v Value) {
		fields, ok := r.Fields(v, what)
		if !ok {
			return
		}
		given := make(map[string]bool, len(fields))
		for _, f := range fields {
			switch read, ok := known[f.Key]; {
			case !ok:
				r.Fail(f.Place, "unknown key %q in %s: the keys are %s", Clip(f.Key), what, strings.Join(names(known), ", "))
			case read.From == nil:
			case f.Value.Null():
				r.Fail(f.Place, "%s is null: leave it out", f.Key)
			default:
				read.From(f.Value)
			}
			given[f.Key] = true
		}
		if ended != nil {
			ended(given)
		}
	}}
}

// objectShape is an object with the keys that are read.
func objectShape(known map[string]Read) *jsonschema.Schema {
	shape := &jsonschema.Schema{
		Type: "object", Properties: make(map[string]*jsonschema.Schema),
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, // none
	}
	for name, read := range known {
		shape.Properties[name] = read.Shape
		if read.Shape == nil {
			shape.Properties[name] = &jsonschema.Schema{Deprecated: read.From == nil}
		}
	}
	return shape
}

// names returns the keys that are read, sorted.
func names(known map[string]Read) []string {
	var names []string
	for name, read := range known {
		if read.From != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Clip shortens what a message quotes.
func Clip(text string) string { return fault.Clip(text, 60) }
