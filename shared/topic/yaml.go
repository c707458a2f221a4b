package topic

import (
	"errors"
	"io"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

// parse returns the mapping at the root of a YAML document, or reports why
// there is none.
func (r *reader) parse(data []byte) ast.Node {
	switch {
	case len(data) > maxBytes:
		r.fail(place{}, "the file is larger than %d bytes: a topic file holds words, not texts", maxBytes)
		return nil
	case !utf8.Valid(data):
		r.fail(place{}, "the file is not UTF-8: save it in that encoding")
		return nil
	}
	tokens, ok := r.tokens(string(data))
	if !ok {
		return nil
	}
	tree, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // the reader reports duplicates itself
	if err != nil {
		r.failSyntax(err)
		return nil
	}
	var root ast.Node
	for _, document := range tree.Docs {
		if document.Body == nil {
			continue
		}
		if root != nil {
			r.fail(placeOf(document.Body), "a second document begins here: a topic file holds one")
			return nil
		}
		root = document.Body
	}
	switch root.(type) {
	case nil:
		r.fail(place{}, "the file is empty: it needs at least name and words")
		return nil
	case *ast.MappingNode, *ast.MappingValueNode:
		return root
	}
	r.fail(placeOf(root), "write a topic file as fields, each on a line as \"field: value\"")
	return nil
}

// tokens scans the file, and stops at tokens that topic files do not use.
func (r *reader) tokens(text string) (token.Tokens, bool) {
	var s scanner.Scanner
	s.Init(text)
	var tokens token.Tokens
	var limit limiter
	for {
		scanned, err := s.Scan()
		if errors.Is(err, io.EOF) {
			return tokens, true
		}
		for _, tk := range scanned {
			if advice := limit.refuse(tk); advice != "" {
				r.fail(place{tk.Position.Line, tk.Position.Column}, "%s", advice)
				return nil, false
			}
		}
		tokens.Add(scanned...)
	}
}

// failSyntax records an error of the parser.
func (r *reader) failSyntax(err error) {
	var syntax yaml.Error
	if !errors.As(err, &syntax) || syntax.GetToken() == nil || syntax.GetToken().Position == nil {
		r.fail(place{}, "not valid YAML: %v", err)
		return
	}
	at := syntax.GetToken().Position
	r.fail(place{at.Line, at.Column}, "not valid YAML: %s", syntax.GetMessage())
}

// placeOf returns where a node begins.
func placeOf(node ast.Node) place {
	if node == nil {
		return place{}
	}
	if m, ok := node.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return placeOf(m.Values[0])
	}
	if pair, ok := node.(*ast.MappingValueNode); ok {
		return placeOf(pair.Key)
	}
	tk := node.GetToken()
	if tk == nil || tk.Position == nil {
		return place{}
	}
	return place{tk.Position.Line, tk.Position.Column}
}
