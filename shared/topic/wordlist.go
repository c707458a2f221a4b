package topic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// wordList is a list of words without a pointer to each: 100,000 of them cost
// the garbage collector nothing and are used as read from a file.
type wordList struct {
	offsets []byte // start of each word in text, and the end of the last: uint32, little endian
	text    string
}

// newWordList lays out words.
func newWordList(words []string) wordList {
	offsets := make([]byte, 4, 4*len(words)+4)
	end := 0
	for _, word := range words {
		end += len(word)
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(end))
	}
	return wordList{offsets, strings.Join(words, "")}
}

func (w wordList) len() int { return len(w.offsets)/4 - 1 }

// at returns word i. It shares the list's memory.
func (w wordList) at(i int) string {
	return w.text[w.offset(i):w.offset(i+1)]
}

func (w wordList) offset(i int) uint32 {
	return binary.LittleEndian.Uint32(w.offsets[4*i:])
}

// all returns the words. They share the list's memory.
func (w wordList) all() []string {
	words := make([]string, 0, w.len())
	for i := range w.len() {
		words = append(words, w.at(i))
	}
	return words
}

// bytes returns the list in the form in which readWordList takes it: the number
// of words, the offsets, the text.
func (w wordList) bytes() []byte {
	data := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(w.offsets)+len(w.text)), uint32(w.len()))
	return append(append(data, w.offsets...), w.text...)
}

// readWordList parses a list that fills data, and checks that each word is
// within the text and valid UTF-8.
func readWordList(data []byte) (wordList, error) {
	if len(data) < 8 {
		return wordList{}, errors.New("no room for a list of words")
	}
	n, data := uint64(binary.LittleEndian.Uint32(data)), data[4:]
	if n >= math.MaxInt32 || 4*(n+1) > uint64(len(data)) {
		return wordList{}, fmt.Errorf("no room for %d words", n)
	}
	list := wordList{offsets: data[:4*(n+1)], text: string(data[4*(n+1):])}
	if list.offset(0) != 0 || uint64(list.offset(list.len())) != uint64(len(list.text)) {
		return wordList{}, errors.New("the words do not fill their text")
	}
	if !utf8.ValidString(list.text) {
		return wordList{}, errors.New("the words are not UTF-8")
	}
	start := uint32(0)
	for i := range list.len() {
		end := list.offset(i + 1)
		switch {
		case end < start:
			return wordList{}, fmt.Errorf("word %d ends before it begins", i)
		case end > uint32(len(list.text)):
			return wordList{}, fmt.Errorf("word %d ends beyond the text", i)
		case end < uint32(len(list.text)) && !utf8.RuneStart(list.text[end]):
			return wordList{}, fmt.Errorf("word %d ends within a character: it is not UTF-8", i)
		}
		start = end
	}
	return list, nil
}
