package body

import (
	"regexp"
	"slices"
	"strings"
)

// signedDate is the date below the name of who signs a notice.
var signedDate = regexp.MustCompile(`^(?:(?:19|20)\d\d|二[〇○Ｏ零一二三四五六七八九]{3})\s*年\s*[\d一二三四五六七八九十]{1,3}\s*月\s*[\d一二三四五六七八九十]{1,3}\s*日$`)

const (
	maxSigned     = 40  // runes of a signature
	maxSignedDate = 16  // of the date below it
	signedReach   = 200 // blocks above, one of which has a sentence
)

// markSigned lets the signature and the date that end a notice count for text. A
// sentence is before them in their container, in an element as theirs.
func (l *layout) markSigned() {
	for i := 2; i < len(l.blocks); i++ {
		s, d := &l.blocks[i-1], &l.blocks[i]
		if d.links > 0 || d.runes > maxSignedDate || !strings.HasSuffix(d.text, "日") || !signedDate.MatchString(d.text) ||
			s.links > 0 || !s.plain() || s.runes > maxSigned || s.marks > 0 || s.clues&(closeClue|dateClue) != 0 {
			continue
		}
		around := l.elements[d.element]
		if s.element != d.element {
			if l.elements[s.element].parent != around.parent {
				continue
			}
			around = l.elements[around.parent]
		}
		paragraph := func(b block) bool { return b.tag == d.tag && b.says() }
		if s.tag == d.tag && slices.ContainsFunc(l.blocks[min(max(around.from, i-signedReach), i-1):i-1], paragraph) {
			s.verse, d.verse = true, true
		}
	}
}
