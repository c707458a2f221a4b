package compile

import (
	"errors"
	"strconv"
	"strings"
)

// rewriteBrackets rewrites a list in brackets if anything in it changes.
func (w *wordList) rewriteBrackets(c changes) error {
	entries, changed := w.entries(c)
	if !changed {
		return nil
	}
	from, errFrom := w.find(w.list.Start, '[')
	to, errTo := w.find(w.list.End, ']')
	if err := errors.Join(errFrom, errTo); err != nil {
		return err
	}
	from++
	between, before := ", ", ""
	if strings.Contains(w.source[from:to], "\n") && len(entries) > 0 {
		before = w.eol + "    "
		between = "," + before
	}
	var texts []string
	for _, e := range entries {
		texts = append(texts, e.inBrackets())
	}
	w.splices = append(w.splices, splice{from, to, before + strings.Join(texts, between)})
	return nil
}

// entries returns the words of the list after the changes; false if they are
// the same as before.
func (w *wordList) entries(c changes) (entries []topicEntry, changed bool) {
	for _, value := range w.list.Values {
		word, number := wordOf(value)
		weight, weighed := c.weights[word]
		if !weighed && number != "" {
			weight, _ = strconv.ParseFloat(number, 64) // topic.Parse has read it
		}
		if !c.cut[word] {
			entries = append(entries, topicEntry{word, weight})
		}
		changed = changed || weighed || c.cut[word]
	}
	return append(entries, c.added...), changed || len(c.added) > 0
}

// inBrackets returns the entry as an element of a list in brackets, with the
// word in quotes because of the commas.
func (e topicEntry) inBrackets() string {
	if e.weight == 0 {
		return strconv.Quote(e.word)
	}
	return "{" + strconv.Quote(e.word) + ": " + formatWeight(e.weight) + "}"
}
