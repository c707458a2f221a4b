package topic

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/shared/fault"
	"sluice/shared/state/limits"

	"github.com/goccy/go-yaml/ast"
)

// read takes the value of one field.
type read func(node ast.Node)

// object reads a mapping with the given fields; any other key, and any repeated
// key, is a problem.
func (r *reader) object(what string, fields map[string]read) read {
	return func(node ast.Node) {
		seen := make(map[string]bool)
		for _, pair := range r.pairs(node, what) {
			key := pair.Key.GetToken().Value
			field, known := fields[key]
			switch {
			case !known:
				r.fail(placeOf(pair), "unknown field %q in %s: the fields are %s",
					clip(key), what, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
			case seen[key]:
				r.fail(placeOf(pair), "%s is repeated in %s: keep one", key, what)
			default:
				seen[key] = true
				field(pair.Value)
			}
		}
	}
}

// pairs returns the entries of a mapping.
func (r *reader) pairs(node ast.Node, what string) []*ast.MappingValueNode {
	switch node := node.(type) {
	case *ast.MappingNode:
		return node.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{node}
	}
	r.fail(placeOf(node), "%s must be fields, each on a line as \"field: value\"", what)
	return nil
}

// list reads every element of a list of at most most.
func (r *reader) list(what string, most int, element read) read {
	return func(node ast.Node) {
		sequence, ok := node.(*ast.SequenceNode)
		if !ok {
			r.fail(placeOf(node), "%s must be a list, each element on a line as \"- element\"", what)
			return
		}
		if len(sequence.Values) > most {
			r.fail(placeOf(node), "%s has %d elements: keep at most %d", what, len(sequence.Values), most)
			return
		}
		for _, value := range sequence.Values {
			element(value)
		}
	}
}

// scalar returns the text of a plain or quoted value.
func (r *reader) scalar(node ast.Node, what string) (string, bool) {
	switch node := node.(type) {
	case *ast.StringNode:
		return node.Value, true
	case *ast.LiteralNode:
		return strings.TrimSuffix(node.Value.Value, "\n"), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return node.GetToken().Value, true
	}
	r.fail(placeOf(node), "%s must be a text: put it in quotes", what)
	return "", false
}

// text reads a text that check accepts; check returns advice otherwise.
func (r *reader) text(target *string, what string, check func(string) string) read {
	return func(node ast.Node) {
		value, ok := r.scalar(node, what)
		if !ok {
			return
		}
		r.places[target] = placeOf(node)
		if advice := check(value); advice != "" {
			r.fail(placeOf(node), "%s is %q: %s", what, clip(value), advice)
			return
		}
		*target = value
	}
}

// bounds are the numbers a field accepts.
type bounds struct {
	least, most float64
	above       bool // least itself is refused
}

// hold reports whether the value is accepted; NaN never is.
func (b bounds) hold(value float64) bool {
	return b.least <= value && value <= b.most && !(b.above && value == b.least)
}

func (b bounds) String() string {
	least := strconv.FormatFloat(b.least, 'g', -1, 64)
	if b.above {
		return "a number above " + least + ", at most " + strconv.FormatFloat(b.most, 'f', -1, 64)
	}
	return "a number from " + least + " to " + strconv.FormatFloat(b.most, 'f', -1, 64)
}

// number reads a number within the bounds.
func (r *reader) number(target *float64, what string, b bounds) read {
	return func(node ast.Node) {
		value, ok := numeric(node)
		if !ok || !b.hold(value) {
			r.fail(placeOf(node), "%s must be %v", what, b)
			return
		}
		*target = value
		r.places[target] = placeOf(node)
	}
}

// count reads a whole number from least to most.
func (r *reader) count(target *int, what string, least, most int) read {
	return func(node ast.Node) {
		value, ok := numeric(node)
		if !ok || value != math.Trunc(value) || value < float64(least) || value > float64(most) {
			r.fail(placeOf(node), "%s must be a whole number from %d to %d", what, least, most)
			return
		}
		*target = int(value)
	}
}

// numeric returns the value of a number node; NaN and infinities are refused.
func numeric(node ast.Node) (float64, bool) {
	switch node := node.(type) {
	case *ast.IntegerNode:
		switch value := node.Value.(type) {
		case int64:
			return float64(value), true
		case uint64:
			return float64(value), true
		}
	case *ast.FloatNode:
		return node.Value, !math.IsNaN(node.Value) && !math.IsInf(node.Value, 0)
	}
	return 0, false
}

// duration reads a length of time above 0.
func (r *reader) duration(target *time.Duration, what string) read {
	return func(node ast.Node) {
		text, ok := r.scalar(node, what)
		if !ok {
			return
		}
		value, err := time.ParseDuration(text)
		if err != nil || value <= 0 || value > limits.MaxDuration {
			r.fail(placeOf(node), "%s is %q: write a time with its unit, such as 90s, 30m or 2h30m", what, clip(text))
			return
		}
		*target = value
	}
}

// clip shortens a quotation.
func clip(text string) string { return fault.Clip(text, 60) }
