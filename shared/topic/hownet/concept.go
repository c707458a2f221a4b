package hownet

import (
	"fmt"
	"slices"
	"strings"
)

const (
	marks    = "#%$*+&@?!~^" // relation of a sememe to the concept: part of, agent of, not …
	maxItems = 16            // of a definition; HowNet has six at most
)

// symbol is an element of a definition: the index of a sememe, or, below 0, a
// specific word that is in no tree: (China|中国), or the gap <>.
type symbol int32

// concept is a definition, taken apart (METHOD A3).
type concept struct {
	text      string // the definition as the glossary has it
	function  bool   // {…}: of a function word
	hasFirst  bool
	first     symbol    // the first independent sememe
	others    []symbol  // the other independent sememes and specific words
	relations []feature // key=sememe
	symbols   []feature // mark and sememe
}

// feature is a key and its values; features are sorted by their keys.
type feature struct {
	key    int32
	values []symbol
}

// doubtful is a name in a definition that is not quite a sememe's.
type doubtful struct {
	name   string
	readAs string // the sememe that a half is read as; empty: none
}

// definitions takes definitions apart and keeps each once.
type definitions struct {
	sememes  *sememes
	concepts []concept
	byText   map[string]int32
	keys     map[string]int32
	specific map[string]symbol
	doubts   map[int32][]doubtful // by concept
}

func newDefinitions(s *sememes) *definitions {
	return &definitions{
		sememes:  s,
		byText:   make(map[string]int32),
		keys:     make(map[string]int32),
		specific: make(map[string]symbol),
		doubts:   make(map[int32][]doubtful),
	}
}

// parse returns the index of the concept, or what is wrong with the definition.
func (d *definitions) parse(text string) (index int32, err error) {
	if i, ok := d.byText[text]; ok {
		return i, nil
	}
	index = int32(len(d.concepts))
	delete(d.doubts, index) // of an abandoned definition
	c := concept{text: text}
	body := text
	if inner, ok := strings.CutPrefix(body, "{"); ok {
		if body, c.function = strings.CutSuffix(inner, "}"); !c.function {
			return 0, fmt.Errorf("definition %q begins with { and does not end with }", clip(text))
		}
	}
	items, err := splitItems(body)
	if err != nil {
		return 0, err
	}
	for _, item := range items {
		if err := d.addItem(&c, item); err != nil {
			return 0, err
		}
	}
	sortFeatures(c.relations)
	sortFeatures(c.symbols)
	d.concepts = append(d.concepts, c)
	d.byText[text] = index
	return index, nil
}

// splitItems splits a definition at the commas that are not in parentheses.
func splitItems(text string) ([]string, error) {
	var items []string
	start, depth := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '{', '}':
			return nil, fmt.Errorf("brace in the midst of definition %q: want {…} around all of it", clip(text))
		case ',':
			if depth == 0 {
				items = append(items, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
		if depth < 0 || depth > 1 {
			break
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("parentheses in definition %q do not match: want (word)", clip(text))
	}
	items = append(items, strings.TrimSpace(text[start:]))
	if len(items) > maxItems {
		return nil, fmt.Errorf("definition with %d items: want at most %d", len(items), maxItems)
	}
	return items, nil
}

// addItem adds an item to the part of the concept that it belongs to.
func (d *definitions) addItem(c *concept, item string) error {
	if strings.HasPrefix(item, "(") {
		v, err := d.value(item)
		c.others = append(c.others, v)
		return err
	}
	key, name, isRelation := strings.Cut(item, "=")
	if !isRelation {
		key, name = "", item
	} else if key == "" {
		return fmt.Errorf("item %q: want a key before =", clip(item))
	}
	bare := strings.TrimLeft(name, marks)
	mark := name[:len(name)-len(bare)] // part of the key: a thing and its negation do not pair
	v, err := d.value(bare)
	switch {
	case err != nil:
		return err
	case isRelation:
		c.relations = addFeature(c.relations, d.key(key+"="+mark), v)
	case mark != "":
		c.symbols = addFeature(c.symbols, d.key(mark), v)
	case !c.hasFirst:
		c.first, c.hasFirst = v, true
	default:
		c.others = append(c.others, v)
	}
	return nil
}

// value returns the symbol of a sememe or of a specific word. A name without a
// sememe becomes a specific word, too; the glossary decides whether to allow
// it.
func (d *definitions) value(name string) (symbol, error) {
	if name == "" {
		return 0, fmt.Errorf("empty item: want a sememe, english|中文, between two commas")
	}
	if name == "<>" {
		return d.specificWord(name), nil
	}
	if word, ok := strings.CutPrefix(name, "("); ok {
		word, ok = strings.CutSuffix(word, ")")
		if word = strings.TrimSpace(word); !ok || word == "" {
			return 0, fmt.Errorf("item %q: want a word in parentheses and nothing after it", clip(name))
		}
		return d.specificWord(word), nil
	}
	index, exact, ok := d.sememes.find(name)
	if !ok {
		d.doubt(doubtful{name: name})
		return d.specificWord(name), nil
	}
	if !exact {
		d.doubt(doubtful{name, d.sememes.names[index]})
	}
	return symbol(index), nil
}

// doubt keeps a doubtful name of the concept that is being read.
func (d *definitions) doubt(name doubtful) {
	index := int32(len(d.concepts))
	d.doubts[index] = append(d.doubts[index], name)
}

func (d *definitions) specificWord(word string) symbol {
	v, ok := d.specific[word]
	if !ok {
		v = symbol(-1 - len(d.specific))
		d.specific[word] = v
	}
	return v
}

func (d *definitions) key(name string) int32 {
	k, ok := d.keys[name]
	if !ok {
		k = int32(len(d.keys))
		d.keys[name] = k
	}
	return k
}

// addFeature adds a value under its key.
func addFeature(features []feature, key int32, value symbol) []feature {
	for i := range features {
		if features[i].key == key {
			features[i].values = append(features[i].values, value)
			return features
		}
	}
	return append(features, feature{key, []symbol{value}})
}

func sortFeatures(features []feature) {
	slices.SortFunc(features, func(a, b feature) int { return int(a.key - b.key) })
}
