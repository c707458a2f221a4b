package quality

import (
	"strings"
	"sync"
)

// englishWords are the words of English grammar, chosen by hand: Gopher's eight
// ("the be to of and that have with") and others of their kinds, of up to eight
// letters.
const englishWords = "the a an of and or but to in on at by for from with as is are was were be been being has have had " +
	"do does did not no that this these those it its he she his her they them their we our you your i my " +
	"who which what when where how if than then so will would can could may might should about into over after"

// englishStopWords is made at first use. Words are keyed as word.ascii is.
var englishStopWords = sync.OnceValue(func() map[uint64]bool {
	set := make(map[uint64]bool)
	for text := range strings.FieldsSeq(englishWords) {
		key := uint64(0)
		for i := range len(text) {
			key = key<<8 | uint64(text[i])
		}
		set[key] = true
	}
	return set
})
