package compile

import "strings"

// rewriteLines edits a list with each word after a dash. A list without words
// becomes empty brackets.
func (w *wordList) rewriteLines(c changes) error {
	var indent string
	end, left := 0, len(c.added) // end of the list, and how long it becomes
	for i, e := range w.list.Entries {
		dash, err := w.find(e.Start, '-')
		if err != nil {
			return err
		}
		line, limit := e.Start.Position.Line, len(w.lines)
		if i+1 < len(w.list.Entries) {
			limit = min(limit, w.list.Entries[i+1].Start.Position.Line)
		}
		first := w.lines[line-1]
		indent = w.source[first:dash]
		end = w.lines[w.lastLine(line, limit, len(indent))]
		word, _ := wordOf(e.Value)
		weight, changed := c.weights[word]
		switch {
		case c.cut[word]:
			w.splices = append(w.splices, splice{first, end, ""})
		case changed:
			w.setWeight(topicEntry{word, weight}, dash, end)
		}
		if !c.cut[word] {
			left++
		}
	}
	if left == 0 {
		return w.writeEmpty()
	}
	w.addLines(indent, end, c.added)
	return nil
}

// addLines appends elements to a list.
func (w *wordList) addLines(indent string, end int, added []topicEntry) {
	if len(added) == 0 {
		return
	}
	var lines strings.Builder
	if !strings.HasSuffix(w.source[:end], "\n") {
		lines.WriteString(w.eol)
	}
	for _, e := range added {
		lines.WriteString(indent + "- " + e.String() + w.eol)
	}
	w.splices = append(w.splices, splice{end, end, lines.String()})
}

// writeEmpty writes behind the name of the list that it is empty.
func (w *wordList) writeEmpty() error {
	colon, err := w.find(w.colon, ':')
	if err != nil {
		return err
	}
	w.splices = append(w.splices, splice{colon + 1, colon + 1, " []"})
	return nil
}

// lastLine returns the number of the last line of an element that starts on
// line first; limit is a line after it. Values may continue on lines indented
// deeper than the dash; comments there belong to no element.
func (w *wordList) lastLine(first, limit, indent int) int {
	last := first
	for number := first + 1; number < limit; number++ {
		text := strings.TrimRight(w.source[w.lines[number-1]:w.lines[number]], " \t\r\n")
		deep := len(text) - len(strings.TrimLeft(text, " \t"))
		switch {
		case text == "" || text[deep] == '#':
		case deep <= indent:
			return last
		default:
			last = number
		}
	}
	return last
}

// setWeight writes the weight after the word of the element from dash to end,
// and leaves a comment in its column if there is room. An element other than a
// word and a number on one line is rewritten.
func (w *wordList) setWeight(e topicEntry, dash, end int) {
	line := strings.TrimRight(w.source[dash:end], "\r\n")
	wordEnd, weightEnd, ok := scanElement(line)
	if !ok {
		rest := w.source[dash+len(line) : end]
		w.splices = append(w.splices, splice{dash, end, "- " + e.String() + rest})
		return
	}
	written := ": " + formatWeight(e.weight)
	spaces := len(line[weightEnd:]) - len(strings.TrimLeft(line[weightEnd:], " "))
	if spaces > 0 && weightEnd+spaces < len(line) {
		wanted := spaces + (weightEnd - wordEnd) - len(written)
		weightEnd += spaces
		written += strings.Repeat(" ", max(1, wanted))
	}
	w.splices = append(w.splices, splice{dash + wordEnd, dash + weightEnd, written})
}
