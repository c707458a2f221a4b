package compile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"sluice/shared/text/segment"
)

// topicEntry is a word and its weight, 0 for none.
type topicEntry struct {
	word   string
	weight float64
}

func (e topicEntry) String() string {
	if e.weight == 0 {
		return e.yaml()
	}
	return e.yaml() + ": " + formatWeight(e.weight)
}

func formatWeight(weight float64) string { return strconv.FormatFloat(weight, 'f', -1, 64) }

// wordOf returns the topic word of an element, and its weight as written, ""
// for none.
func wordOf(value ast.Node) (word, weight string) {
	text := value.GetToken().Value
	switch node := value.(type) {
	case *ast.LiteralNode:
		text = node.Value.Value
	case *ast.MappingNode, *ast.MappingValueNode:
		if pairs := pairsOf(node); len(pairs) == 1 {
			text, weight = pairs[0].Key.GetToken().Value, pairs[0].Value.GetToken().Value
		}
	}
	word, _ = segment.UserWord(text) // topic.Parse has accepted it
	return word, weight
}

// yaml returns the word as a YAML text: in quotes, unless it is plainly a word
// of letters.
func (e topicEntry) yaml() string {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	chinese := strings.IndexFunc(e.word, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0
	reserved := slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, e.word)
	letters := strings.IndexFunc(e.word, unicode.IsDigit) < 0
	if strings.IndexFunc(e.word, notLetter) < 0 && !reserved && (chinese || letters) {
		return e.word
	}
	return strconv.Quote(e.word)
}

// scanElement finds the ends of the word and of the weight in the line of an
// element, which starts with its dash; both are the same without a weight. It
// returns false if the line does not have that form.
func scanElement(line string) (wordEnd, weightEnd int, ok bool) {
	start := len(line) - len(strings.TrimLeft(line[1:], " \t"))
	if start == len(line) || strings.IndexByte("|>{[#&!*?", line[start]) >= 0 || strings.Contains(line, "\n") {
		return 0, 0, false
	}
	if quote := line[start]; quote == '"' || quote == '\'' {
		wordEnd = start + quotedLen(line[start:])
	} else {
		wordEnd = start + plainLen(line[start:])
	}
	weightEnd = wordEnd
	if rest := strings.TrimLeft(line[wordEnd:], " \t"); strings.HasPrefix(rest, ":") {
		number := strings.TrimLeft(rest[1:], " \t")
		length := strings.IndexAny(number+" ", " \t")
		weightEnd = len(line) - len(number) + length
	}
	rest := strings.TrimLeft(line[weightEnd:], " \t")
	return wordEnd, weightEnd, rest == "" || rest[0] == '#'
}

// quotedLen returns the length of the quoted text that line begins with.
func quotedLen(line string) int {
	quote := line[0]
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] == quote && quote == '\'' && strings.HasPrefix(line[i+1:], "'"):
			i++
		case line[i] == quote:
			return i + 1
		}
	}
	return len(line)
}

// plainLen returns the length of the text without quotes that line begins with:
// up to a comment or the colon before a value.
func plainLen(line string) int {
	end := len(line)
	for i := 0; i < len(line); i++ {
		space := i > 0 && (line[i-1] == ' ' || line[i-1] == '\t')
		if line[i] == '#' && space || line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t') {
			end = i
			break
		}
	}
	return len(strings.TrimRight(line[:end], " \t"))
}
