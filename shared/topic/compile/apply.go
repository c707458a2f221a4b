package compile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"sluice/shared/topic"
)

// Errors of Apply for files that it cannot edit.
var (
	errNoWord = errors.New("no word is left: look at the texts, or at the topic")
	errLayout = errors.New(`write each word on a line of its own, as "- 央行: 1.5", and "related: []" where words are to be added`)
)

// Apply returns the topic file with the refined words. Source is the file that
// the topic was read from; name is its name in errors. Only the lines of words
// change: cut words are removed, weights are written after the words, and
// proposals follow the last of the related words, in a new list if there is
// none. Comments, order and line ends stay; only a list in brackets is
// rewritten.
//
// It is an error if none of the author's words is left, or if the file's layout
// cannot be kept: the error says how to write it.
func (r *Refinement) Apply(name string, source []byte) ([]byte, error) {
	before, err := topic.Parse(name, source)
	if err != nil {
		return nil, fmt.Errorf("apply refinement: %w", err)
	}
	if !slices.ContainsFunc(r.Kept, func(c Candidate) bool { return !c.Related }) {
		return nil, fmt.Errorf("apply refinement: %w", errNoWord)
	}
	changed, err := r.changes(before).apply(source)
	if err == nil {
		err = r.check(name, before, changed)
	}
	if err != nil {
		return nil, fmt.Errorf("apply refinement: %s: %w: %w", name, err, errLayout)
	}
	return changed, nil
}

// Diff returns the changes of Apply as a unified diff for patch -p0, nil if
// there are none.
func (r *Refinement) Diff(name string, source []byte) ([]byte, error) {
	changed, err := r.Apply(name, source)
	if err != nil {
		return nil, err
	}
	return diff.Diff(name, source, name, changed), nil
}

// changes are the edits of the words of a topic file.
type changes struct {
	weights map[string]float64 // to be written, by word
	cut     map[string]bool
	added   []topicEntry // to the related words
}

// apply edits both lists. It creates a missing list if words are added to it.
func (c changes) apply(source []byte) ([]byte, error) {
	authors := c
	authors.added = nil
	source, err := authors.applyTo("words", source)
	if err != nil {
		return nil, err
	}
	return c.applyTo("related", source)
}

func (c changes) applyTo(list string, source []byte) ([]byte, error) {
	w, err := openList(source, list)
	switch {
	case err != nil:
		return nil, err
	case w.list != nil:
		return w.rewrite(c)
	case len(c.added) > 0:
		return w.append(list, c.added)
	}
	return source, nil
}

// changes returns the part of the refinement that the file does not have yet.
func (r *Refinement) changes(before *topic.File) changes {
	c := changes{weights: make(map[string]float64), cut: make(map[string]bool)}
	for _, cut := range r.Cut {
		c.cut[cut.Word] = true
	}
	written := make(map[string]float64, len(before.Words))
	for _, word := range before.Words {
		if word.Given {
			written[word.Text] = word.Weight
		}
	}
	for _, kept := range r.Kept {
		if kept.Weight != 0 && kept.Weight != written[kept.Word] {
			c.weights[kept.Word] = kept.Weight
		}
	}
	for _, added := range r.Added {
		c.added = append(c.added, topicEntry{added.Word, added.Weight})
	}
	return c
}

// check verifies that the words, and nothing else, changed as intended.
func (r *Refinement) check(name string, before *topic.File, changed []byte) error {
	after, err := topic.Parse(name, changed)
	if err != nil {
		return err
	}
	want := make(map[string]Candidate, len(r.Kept)+len(r.Added))
	for _, c := range slices.Concat(r.Kept, r.Added) {
		want[c.Word] = c
	}
	same := len(after.Words) == len(want)
	for _, word := range after.Words {
		c, ok := want[word.Text]
		same = same && ok && c.Related == word.Related && (c.Weight == 0 || c.Weight == word.Weight)
	}
	rest := *after
	rest.Words = before.Words
	if !same || !reflect.DeepEqual(&rest, before) {
		return errors.New("the edited file does not have the intended words")
	}
	return nil
}
