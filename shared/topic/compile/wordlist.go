package compile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const byteOrderMark = "\uFEFF"

// wordList is a list of words in the text of a topic file that topic.Parse
// accepts.
type wordList struct {
	source  string
	lines   []int // start of each line, and the end of the text
	eol     string
	root    *ast.MappingNode  // nil if the file has but one field
	list    *ast.SequenceNode // nil if there is no such list
	colon   *token.Token      // before the list
	splices []splice
}

// splice replaces a part of the source.
type splice struct {
	from, to int
	text     string
}

// openList reads a topic file, to change its list of that name.
func openList(source []byte, name string) (*wordList, error) {
	w := newWordList(source)
	// As topic.Parse does, for the same reasons; lines and columns stay.
	plain := bytes.ReplaceAll(bytes.TrimPrefix(source, []byte(byteOrderMark)), []byte("\r\n"), []byte("\n"))
	if bytes.ContainsRune(plain, '\r') {
		return nil, errors.New("some lines end with only a carriage return: end them with a line feed")
	}
	tree, err := parser.ParseBytes(plain, 0)
	if err != nil {
		return nil, err
	}
	for _, document := range tree.Docs {
		if root, ok := document.Body.(*ast.MappingNode); ok {
			w.root = root
		}
		for _, pair := range pairsOf(document.Body) {
			list, ok := pair.Value.(*ast.SequenceNode)
			if ok && pair.Key.GetToken().Value == name {
				w.list, w.colon = list, pair.Start
			}
		}
	}
	return w, nil
}

// newWordList finds the lines of the source.
func newWordList(source []byte) *wordList {
	w := &wordList{source: string(source), eol: "\n", lines: []int{0}}
	if bytes.Contains(source, []byte("\r\n")) {
		w.eol = "\r\n"
	}
	for i, c := range source {
		if c == '\n' && i+1 < len(source) {
			w.lines = append(w.lines, i+1)
		}
	}
	if bytes.HasPrefix(source, []byte(byteOrderMark)) {
		w.lines[0] = len(byteOrderMark)
	}
	w.lines = append(w.lines, len(source))
	return w
}

// append returns the source with a new list at its end, in the column of the
// other fields.
func (w *wordList) append(name string, entries []topicEntry) ([]byte, error) {
	if w.root == nil || w.root.IsFlowStyle {
		return nil, errors.New("the file is written in braces, which no list can follow")
	}
	indent := strings.Repeat(" ", w.root.Values[0].Key.GetToken().Position.Column-1)
	lines := []string{"", indent + "# Words that the texts of the topic use more than others.", indent + name + ":"}
	for _, e := range entries {
		lines = append(lines, indent+"  - "+e.String())
	}
	var b strings.Builder
	b.WriteString(w.source)
	if !strings.HasSuffix(w.source, "\n") {
		b.WriteString(w.eol)
	}
	for _, line := range lines {
		b.WriteString(line + w.eol)
	}
	return []byte(b.String()), nil
}

// pairsOf returns the entries of a mapping.
func pairsOf(node ast.Node) []*ast.MappingValueNode {
	switch node := node.(type) {
	case *ast.MappingNode:
		return node.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{node}
	}
	return nil
}

// rewrite returns the source with the changes. It fails if the list is not where
// the parser saw it, as with unusual line ends.
func (w *wordList) rewrite(c changes) ([]byte, error) {
	rewrite := w.rewriteLines
	if w.list.IsFlowStyle {
		rewrite = w.rewriteBrackets
	}
	if err := rewrite(c); err != nil {
		return nil, err
	}
	slices.SortStableFunc(w.splices, func(a, b splice) int { return cmp.Compare(a.from, b.from) })
	var out bytes.Buffer
	done := 0
	for _, s := range w.splices {
		out.WriteString(w.source[done:s.from])
		out.WriteString(s.text)
		done = s.to
	}
	out.WriteString(w.source[done:])
	return out.Bytes(), nil
}

// find returns the offset of a token of one character in the source. Lines and
// columns count from 1, columns in characters.
func (w *wordList) find(tk *token.Token, mark byte) (int, error) {
	if tk != nil && tk.Position != nil && 0 < tk.Position.Line && tk.Position.Line < len(w.lines) {
		start := w.lines[tk.Position.Line-1]
		column := tk.Position.Column
		for i := range w.source[start:w.lines[tk.Position.Line]] {
			if column--; column == 0 && w.source[start+i] == mark {
				return start + i, nil
			}
		}
	}
	return 0, fmt.Errorf("its list of words has lost a %q", mark)
}
