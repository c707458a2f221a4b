package schema

import (
	"math"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// node is a value of a YAML document.
type node struct{ ast.Node }

func (n node) Place() Place { return placeOf(n.Node) }

// Null is false: what a field without a value must be is said instead.
func (node) Null() bool { return false }

func (n node) Object() (fields []Field, ok bool) {
	var pairs []*ast.MappingValueNode
	switch mapping := n.Node.(type) {
	case *ast.MappingNode:
		pairs = mapping.Values
	case *ast.MappingValueNode:
		pairs = append(pairs, mapping)
	default:
		return nil, false
	}
	for _, pair := range pairs {
		fields = append(fields, Field{Key: pair.Key.GetToken().Value, Place: placeOf(pair), Value: node{pair.Value}})
	}
	return fields, true
}

func (n node) List() (items []Value, ok bool) {
	sequence, ok := n.Node.(*ast.SequenceNode)
	if !ok {
		return nil, false
	}
	for _, value := range sequence.Values {
		items = append(items, node{value})
	}
	return items, true
}

// Text returns a plain or quoted value.
func (n node) Text() (text string, ok bool) {
	switch scalar := n.Node.(type) {
	case *ast.StringNode:
		return scalar.Value, true
	case *ast.LiteralNode:
		return strings.TrimSuffix(scalar.Value.Value, "\n"), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return scalar.GetToken().Value, true
	}
	return "", false
}

func (n node) Number() (value float64, ok bool) {
	switch number := n.Node.(type) {
	case *ast.IntegerNode:
		switch value := number.Value.(type) {
		case int64:
			return float64(value), true
		case uint64:
			return float64(value), true
		}
	case *ast.FloatNode:
		return number.Value, !math.IsNaN(number.Value) && !math.IsInf(number.Value, 0)
	}
	return 0, false
}

func (n node) Source() string {
	text, _ := n.Text()
	return text
}

func (node) Must(kind Kind) string {
	return [...]string{
		Object: `fields, each on a line as "field: value"`,
		List:   `a list, each element on a line as "- element"`,
		Text:   "a text: put it in quotes",
	}[kind]
}
