package hownet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/shared/text/segment"
)

const (
	maxConcepts = 64   // of a word; HowNet has 28 at most
	tolerance   = 1000 // one entry in so many may name a missing sememe
)

// parseGlossary reads the words and their concepts. The error is of type
// *Problems.
//
// The published HowNet itself names sememes that WHOLE.DAT lacks, in 35 of its
// 66,181 entries. So one entry in a thousand may do so, and the name counts as
// a specific word. With more of them the two files do not belong together, and
// a glossary of less than a thousand entries must have none.
func parseGlossary(file source, s *sememes) (*Lexicon, error) {
	text, err := file.text()
	if err != nil {
		return nil, err
	}
	g := &glossaryReader{
		file:        file.name,
		definitions: newDefinitions(s),
		words:       make(map[string][]int32),
		doubts:      make(map[string]*doubts),
	}
	split := splitColumns
	if strings.HasSuffix(strings.ToLower(file.name), ".txt") {
		split = splitSlashes
	}
	for line, row := range file.lines(text, &g.problems) {
		g.addLine(line, row, split)
	}
	if g.entries == 0 && g.problems.count() == 0 {
		g.problems.add(file.name, 0, "no entries: want lines of word/POS/definition, or of the three separated by tabs")
	}
	g.reportDoubts()
	g.oddities.sort()
	if err := g.problems.err(); err != nil {
		return nil, err
	}
	return &Lexicon{sememes: s, concepts: g.definitions.concepts, words: g.words, oddities: g.oddities}, nil
}

// glossaryReader reads one glossary. It continues after a problem, to report
// all.
type glossaryReader struct {
	file        string
	definitions *definitions
	words       map[string][]int32
	entries     int
	strange     int // entries that name a sememe that is not there
	doubts      map[string]*doubts
	problems    Problems
	oddities    Problems
}

// doubts records where a doubtful name occurs.
type doubts struct {
	doubtful
	first, lines int
}

// addLine reads a line.
func (g *glossaryReader) addLine(line int, row string, split func(string) (word, pos, definition string)) {
	if strings.Trim(row, "/ \t") == "" { // HowNet's last line
		g.oddities.add(g.file, line, "an entry without a word: skipped")
		return
	}
	g.entries++
	word, pos, definition := split(row)
	if err := checkFields(word, pos, definition); err != nil {
		g.problems.add(g.file, line, "%v", err)
		return
	}
	word = strings.TrimSpace(segment.Fold(word))
	if word == "" {
		g.problems.add(g.file, line, "no word: want word, part of speech and definition")
		return
	}
	index, err := g.definitions.parse(definition)
	if err != nil {
		g.problems.add(g.file, line, "%v", err)
		return
	}
	g.noteDoubts(line, g.definitions.doubts[index])
	concepts := g.words[word]
	switch {
	case slices.Contains(concepts, index): // the same in another part of speech
	case len(concepts) == maxConcepts:
		g.problems.add(g.file, line, "word %q has more than %d concepts: this is not a glossary", clip(word), maxConcepts)
	default:
		g.words[word] = append(concepts, index)
	}
}

// splitSlashes splits word/POS/definition, from the left: a definition may
// contain slashes, and the word may be one.
func splitSlashes(row string) (word, pos, definition string) {
	if strings.Contains(row, "\t") {
		return splitColumns(row)
	}
	end := strings.IndexByte(row[1:], '/') + 1
	if end == 0 {
		return row, "", ""
	}
	pos, definition, _ = strings.Cut(row[end+1:], "/")
	return strings.TrimSpace(row[:end]), strings.TrimSpace(pos), strings.TrimSpace(definition)
}

// splitColumns splits the columns of the original. The word ends at a tab if
// there is one, since it may contain or be padded with spaces, else at a space;
// the part of speech ends at either.
func splitColumns(row string) (word, pos, definition string) {
	next := func(separators string) (column string) {
		end := strings.IndexAny(row, separators)
		if end < 0 {
			end = len(row)
		}
		column, row = row[:end], row[end:]
		row = strings.TrimLeft(row, " \t")
		return strings.TrimSpace(column)
	}
	if strings.Contains(row, "\t") {
		word = next("\t")
	} else {
		word = next(" ")
	}
	pos = next(" \t")
	return word, pos, strings.TrimSpace(row)
}

// checkFields reports missing fields of an entry.
func checkFields(word, pos, definition string) error {
	switch {
	case word == "" || pos == "" || definition == "":
		return errors.New("missing fields: want word, part of speech and definition")
	case len(pos) > 16 || strings.IndexFunc(pos, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' }) >= 0:
		return fmt.Errorf("part of speech %q: want letters, like N or ADJ", clip(pos))
	}
	return nil
}

// noteDoubts keeps the doubtful names of an entry.
func (g *glossaryReader) noteDoubts(line int, names []doubtful) {
	strange := false
	for _, name := range names {
		d, ok := g.doubts[name.name]
		if !ok {
			d = &doubts{doubtful: name, first: line}
			g.doubts[name.name] = d
		}
		d.lines++
		strange = strange || name.readAs == ""
	}
	if strange {
		g.strange++
	}
}

// reportDoubts reports each doubtful name once, as a problem or as an oddity.
func (g *glossaryReader) reportDoubts() {
	all := make([]*doubts, 0, len(g.doubts))
	for _, d := range g.doubts {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *doubts) int {
		if a.first != b.first {
			return a.first - b.first
		}
		return strings.Compare(a.name, b.name)
	})
	tooStrange := g.strange*tolerance > g.entries
	for _, d := range all {
		uses := ""
		if d.lines > 1 {
			uses = fmt.Sprintf(" (%d times)", d.lines)
		}
		switch {
		case d.readAs != "":
			g.oddities.add(g.file, d.first, "sememe %q is not in WHOLE.DAT%s: read as %s", clip(d.name), uses, d.readAs)
		case tooStrange:
			g.problems.add(g.file, d.first, "sememe %q is not in WHOLE.DAT%s: correct it, or add it there", clip(d.name), uses)
		default:
			g.oddities.add(g.file, d.first, "sememe %q is not in WHOLE.DAT%s: read as a word of its own", clip(d.name), uses)
		}
	}
}
