package wordpairs

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"sluice/shared/text/segment"
)

// Thesaurus is a thesaurus of the form of Cilin (同义词词林, extended): its lines
// are small groups of words, each below one of at most 26 top-level classes.
type Thesaurus struct {
	synonyms [][]string         // the distinct words of each line of synonyms
	words    []string           // all, distinct, in the order of the file
	classes  map[string]classes // of each word
}

// classes is a set of top-level classes, bit by bit from A.
type classes uint32

// code is the code of a line: five levels, then the kind of its words: synonyms
// (=), related (#), or a single one (@).
var code = regexp.MustCompile(`^([A-Z])[a-z]\d\d[A-Z]\d\d([=#@])$`)

// ReadThesaurus reads lines of a code and words, separated by white space:
// "Aa01A01= 人 士 人物". Text is UTF-8 or GB18030, with or without a byte order
// mark. The error lists up to 20 bad lines.
func ReadThesaurus(r io.Reader) (*Thesaurus, error) {
	text, err := readText(r)
	if err != nil {
		return nil, err
	}
	t := &Thesaurus{classes: map[string]classes{}}
	var wrong problems
	for number, line := range lines(text) {
		if err := t.add(strings.Fields(line)); err != nil {
			wrong.add(number, err)
		}
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	if len(t.synonyms) == 0 {
		return nil, errors.New("no line of synonyms: want lines like Aa01A01= 人 士 人物")
	}
	return t, nil
}

// add takes up a line.
func (t *Thesaurus) add(fields []string) error {
	parts := code.FindStringSubmatch(fields[0])
	if parts == nil {
		return fmt.Errorf("code is %q: want one like Aa01A01=, before the words", clip(fields[0]))
	}
	if len(fields) == 1 {
		return fmt.Errorf("no words after %s", fields[0])
	}
	class := classes(1) << (parts[1][0] - 'A')
	var group []string
	seen := map[string]bool{}
	for _, word := range fields[1:] {
		if word = segment.Fold(word); word == "" || seen[word] {
			continue
		}
		seen[word] = true
		group = append(group, word)
		if t.classes[word] == 0 {
			t.words = append(t.words, word)
		}
		t.classes[word] |= class
	}
	if parts[2] == "=" && len(group) > 1 {
		t.synonyms = append(t.synonyms, group)
	}
	return nil
}
