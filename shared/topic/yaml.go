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

	"sluice/shared/schema"
)

// parse returns the mapping at the root of a YAML document, or reports why
// there is none.
func (r *reader) parse(data []byte) ast.Node {
	switch {
	case len(data) > maxBytes:
		r.Fail(schema.Place{}, "the file is larger than %d bytes: a topic file holds words, not texts", maxBytes)
		return nil
	case !utf8.Valid(data):
		r.Fail(schema.Place{}, "the file is not UTF-8: save it in that encoding")
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
			r.Fail(placeOf(document.Body), "a second document begins here: a topic file holds one")
			return nil
		}
		root = document.Body
	}
	switch root.(type) {
	case nil:
		r.Fail(schema.Place{}, "the file is empty: it needs at least name and words")
		return nil
	case *ast.MappingNode, *ast.MappingValueNode:
		return root
	}
	r.Fail(placeOf(root), "write a topic file as fields, each on a line as \"field: value\"")
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
				r.Fail(schema.Place{Line: tk.Position.Line, Column: tk.Position.Column}, "%s", advice)
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
		r.Fail(schema.Place{}, "not valid YAML: %v", err)
		return
	}
	at := syntax.GetToken().Position
	r.Fail(schema.Place{Line: at.Line, Column: at.Column}, "not valid YAML: %s", syntax.GetMessage())
}

// placeOf returns where a node begins.
func placeOf(node ast.Node) schema.Place {
	if node == nil {
		return schema.Place{}
	}
	if m, ok := node.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return placeOf(m.Values[0])
	}
	if pair, ok := node.(*ast.MappingValueNode); ok {
		return placeOf(pair.Key)
	}
	tk := node.GetToken()
	if tk == nil || tk.Position == nil {
		return schema.Place{}
	}
	return schema.Place{Line: tk.Position.Line, Column: tk.Position.Column}
}
