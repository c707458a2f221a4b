package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

// minFrequency trims the dictionary: words rarer than this in its source
// corpus of 57 million words are two thirds of it and hardly ever change a cut.
const minFrequency = 10

// entry is what the dictionary says of a word.
type entry struct {
	frequency float64
	tag       string
}

// dictionary merges gse's simplified and traditional word lists and returns the
// lines "word frequency tag" of the words that are frequent, sorted by word.
//
// The simplified list lost the frequencies of common words with a character
// that traditional writing splits or varies (治疗 3, 覆盖 2, 里, 车); the other
// list has them (治療 7678), so the greater frequency, with its tag, wins.
func dictionary(sources ...string) ([]string, error) {
	words := make(map[string]entry, 400_000)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			word, e, ok := parse(line)
			if ok && e.frequency > words[word].frequency {
				words[word] = e
			}
		}
	}
	var lines []string
	for _, word := range slices.Sorted(maps.Keys(words)) {
		if e := words[word]; keep(word, e.frequency) {
			lines = append(lines, fmt.Sprintf("%s %.0f %s", word, e.frequency, e.tag))
		}
	}
	return lines, nil
}

// parse reads a line "word frequency tag" and folds the word, as text is.
func parse(line string) (string, entry, bool) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return "", entry{}, false
	}
	frequency, err := strconv.ParseFloat(fields[1], 64)
	return segment.Fold(fields[0]), entry{frequency, fields[2]}, err == nil
}

// keep reports whether a word is frequent, or has both Chinese and Latin
// characters (A股, B超: rare in the source, common today). Words with
// punctuation never match, since text is cut at punctuation first; words
// without Chinese characters are not looked up.
func keep(word string, frequency float64) bool {
	han, latin := false, false
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
		han = han || unicode.Is(unicode.Han, r)
		latin = latin || unicode.Is(unicode.Latin, r)
	}
	return han && (frequency >= minFrequency || latin && utf8.RuneCountInString(word) > 1)
}
