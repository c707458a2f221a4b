package schema

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

// Format is a kind of YAML file.
type Format struct {
	Name      string // in messages: "a topic file"
	Holds     string // what it holds, for one that is too large: "words, not texts"
	Needs     string // what is least in it: "name and words"
	MaxBytes  int
	MaxFields int
	MaxTokens int
}

// YAML returns the mapping at the root of a YAML document, or reports why there
// is none. Bad input is refused quickly: large files, deep nesting, anchors and
// aliases are refused before they are parsed.
func (r *Reader) YAML(data []byte, format Format) (root Value, ok bool) {
	switch {
	case len(data) > format.MaxBytes:
		r.Fail(Place{}, "the file is larger than %d bytes: %s holds %s", format.MaxBytes, format.Name, format.Holds)
		return nil, false
	case !utf8.Valid(data):
		r.Fail(Place{}, "the file is not UTF-8: save it in that encoding")
		return nil, false
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	// The YAML reader counts the end of a comment with CR LF twice.
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	tokens, ok := r.tokens(string(data), format)
	if !ok {
		return nil, false
	}
	tree, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // the reader reports duplicates itself
	if err != nil {
		r.failSyntax(err)
		return nil, false
	}
	return r.root(tree, format)
}

// root returns the mapping of the only document of a file.
func (r *Reader) root(tree *ast.File, format Format) (root Value, ok bool) {
	var body ast.Node
	for _, document := range tree.Docs {
		if document.Body == nil {
			continue
		}
		if body != nil {
			r.Fail(placeOf(document.Body), "a second document begins here: %s holds one", format.Name)
			return nil, false
		}
		body = document.Body
	}
	switch body.(type) {
	case nil:
		r.Fail(Place{}, "the file is empty: it needs at least %s", format.Needs)
		return nil, false
	case *ast.MappingNode, *ast.MappingValueNode:
		return node{body}, true
	}
	r.Fail(placeOf(body), "write %s as fields, each on a line as \"field: value\"", format.Name)
	return nil, false
}

// tokens scans the file, and stops at tokens that such files do not use.
func (r *Reader) tokens(text string, format Format) (token.Tokens, bool) {
	var s scanner.Scanner
	s.Init(text)
	var tokens token.Tokens
	limit := limiter{format: format}
	for {
		scanned, err := s.Scan()
		if errors.Is(err, io.EOF) {
			return tokens, true
		}
		for _, tk := range scanned {
			if advice := limit.refuse(tk); advice != "" {
				r.Fail(Place{Line: tk.Position.Line, Column: tk.Position.Column}, "%s", advice)
				return nil, false
			}
		}
		tokens.Add(scanned...)
	}
}

// failSyntax records an error of the parser.
func (r *Reader) failSyntax(err error) {
	var syntax yaml.Error
	if !errors.As(err, &syntax) || syntax.GetToken() == nil || syntax.GetToken().Position == nil {
		r.Fail(Place{}, "not valid YAML: %v", err)
		return
	}
	at, msg := syntax.GetToken().Position, syntax.GetMessage()
	switch {
	case strings.Contains(msg, "'\t'"), strings.HasPrefix(msg, "tab character"):
		msg = "a tab; indent with spaces"
	case strings.HasPrefix(msg, "invalid header option"): // which quotes what may be a password
		msg = "put a text that begins with | or > in quotes"
	}
	r.Fail(Place{Line: at.Line, Column: at.Column}, "not valid YAML: %s", msg)
}

// placeOf returns where a node begins.
func placeOf(node ast.Node) Place {
	if node == nil {
		return Place{}
	}
	if m, ok := node.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return placeOf(m.Values[0])
	}
	if pair, ok := node.(*ast.MappingValueNode); ok {
		return placeOf(pair.Key)
	}
	tk := node.GetToken()
	if tk == nil || tk.Position == nil {
		return Place{}
	}
	return Place{Line: tk.Position.Line, Column: tk.Position.Column}
}
