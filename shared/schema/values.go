package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// TextShape is the shape of any text.
func TextShape() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

// not quotes a value that is refused.
func not(v Value) string {
	if s := v.Source(); s != "" {
		return ", not " + Clip(s)
	}
	return ""
}

// List reads every item of a list of at most most items, which have a shape.
func (r *Reader) List(what string, most int, shape *jsonschema.Schema, item func(i int, v Value)) Read {
	return Read{Shape: &jsonschema.Schema{Type: "array", Items: shape, MaxItems: &most}, From: func(v Value) {
		items, ok := v.List()
		switch {
		case !ok:
			r.Wrong(v, what, List)
		case len(items) > most:
			r.Fail(v.Place(), "%d %s, at most %d", len(items), what, most)
		default:
			for i, v := range items {
				item(i, v)
			}
		}
	}}
}

// Text reads a text that check accepts; nil accepts all.
func (r *Reader) Text(target *string, what string, check func(string) error) Read {
	return Read{Shape: TextShape(), From: func(v Value) {
		text, ok := v.Text()
		switch {
		case !ok && v.Null():
			r.Fail(v.Place(), "%s is null: leave it out", what)
			return
		case !ok:
			r.Wrong(v, what, Text)
			return
		}
		r.Mark(target, v.Place())
		if check != nil {
			if err := check(text); err != nil {
				r.Fail(v.Place(), "%v", err)
				return
			}
		}
		*target = text
	}}
}

// Texts reads a list of at most most texts, each of which check accepts.
func (r *Reader) Texts(target *[]string, what string, most int, check func(name, text string) error) Read {
	return r.List(what, most, TextShape(), func(i int, v Value) {
		var text string
		name, before := fmt.Sprintf("%s[%d]", what, i), len(r.problems)
		r.Text(&text, name, func(text string) error { return check(name, text) }).From(v)
		if len(r.problems) == before {
			*target = append(*target, text)
		}
	})
}

// Bounds are the numbers that a field accepts.
type Bounds struct {
	Least, Most float64
	Above       bool   // Least itself is refused
	Unit        string // in words: "dollars"
}

// Hold reports whether a number is accepted; NaN never is.
func (b Bounds) Hold(n float64) bool {
	return b.Least <= n && n <= b.Most && !(b.Above && n == b.Least)
}

// String says what is accepted.
func (b Bounds) String() string {
	number := "a number"
	if b.Unit != "" {
		number += " of " + b.Unit
	}
	least, most := strconv.FormatFloat(b.Least, 'g', -1, 64), strconv.FormatFloat(b.Most, 'f', -1, 64)
	if b.Above {
		return number + " above " + least + ", at most " + most
	}
	return number + " from " + least + " to " + most
}

// Number reads a number within bounds.
func (r *Reader) Number(target *float64, what string, b Bounds) Read {
	shape := &jsonschema.Schema{Type: "number", Minimum: &b.Least, Maximum: &b.Most}
	if b.Above {
		shape.Minimum, shape.ExclusiveMinimum = nil, &b.Least
	}
	return Read{Shape: shape, From: func(v Value) {
		n, ok := v.Number()
		if !ok || !b.Hold(n) {
			r.Fail(v.Place(), "%s must be %v%s", what, b, not(v))
			return
		}
		*target = n
		r.Mark(target, v.Place())
	}}
}

// Count reads a whole number from least to most.
func (r *Reader) Count(target *int, what string, least, most int) Read {
	from, to := float64(least), float64(most)
	return Read{Shape: &jsonschema.Schema{Type: "integer", Minimum: &from, Maximum: &to}, From: func(v Value) {
		n, ok := v.Number()
		if !ok || n != math.Trunc(n) || n < from || n > to {
			r.Fail(v.Place(), "%s must be a whole number from %d to %d%s", what, least, most, not(v))
			return
		}
		*target = int(n)
	}}
}

// Duration reads a time with its unit.
func (r *Reader) Duration(target *time.Duration, what string, least, most time.Duration) Read {
	shape := TextShape()
	shape.Pattern = "^(0|[0-9]+d|([0-9]+d)?([0-9.]+(ns|us|µs|ms|s|m|h))+)$"
	return Read{Shape: shape, From: func(v Value) {
		text, ok := v.Text()
		d, err := ParseDuration(text)
		if !ok || err != nil || d < least || d > most {
			r.Fail(v.Place(), "%s must be a time with its unit, from %v to %v, such as 90s, 2h30m or 7d%s", what, least, most, not(v))
			return
		}
		*target = d
	}}
}

// ParseDuration is time.ParseDuration with days, which come first: "7d", "1d12h".
func ParseDuration(text string) (time.Duration, error) {
	days, rest, ok := strings.Cut(text, "d")
	if !ok {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseUint(days, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("time %q: days are not a number up to %d", text, math.MaxUint16)
	}
	d := time.Duration(n) * 24 * time.Hour
	if rest == "" {
		return d, nil
	}
	more, err := time.ParseDuration(rest)
	if err == nil && more < 0 {
		err = fmt.Errorf("time %q: a sign comes first", text)
	}
	return d + more, err
}
