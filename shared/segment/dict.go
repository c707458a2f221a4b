package segment

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/go-ego/gse"
)

// data holds words.txt.gz, gse's simplified Chinese dictionary (Apache-2.0;
// derived from jieba's, MIT) without its rare words; simplify.tsv.gz, OpenCC's
// TSCharacters and TSPhrases (Apache-2.0); and our own stop words.
//
//go:generate go run ./internal/gendata
//go:embed data
var data embed.FS

// loading is held while gse builds a dictionary: it keeps tables of its own at
// package level, and two loads at once are a data race. This lock is the only
// mutable state of the package.
var loading sync.Mutex

// userFrequency is the least frequency a user word gets. At 13.5 bits it costs
// less than any two words of the dictionary together (the most frequent one
// costs 8.7 bits), so no user word is ever cut into parts; yet it is low enough
// that ambiguous neighbours (股|市场) are still decided by their frequencies.
const userFrequency = 5000

// loadDictionary builds gse's dictionary: the user words first, since gse keeps
// the first of two entries, then the base dictionary. It takes 0.2 to 0.3 s and
// leaves about 55 MB. The words must be folded and free of spaces.
func loadDictionary(userWords map[string]bool) *gse.Segmenter {
	base := unpack("data/words.txt.gz")
	frequency := make(map[string]float64, len(userWords))
	for line := range strings.Lines(base) {
		word, rest, _ := strings.Cut(line, " ")
		if userWords[word] {
			number, _, _ := strings.Cut(rest, " ")
			frequency[word], _ = strconv.ParseFloat(number, 64)
		}
	}
	var all strings.Builder
	all.Grow(len(base) + 32*len(userWords))
	for word := range userWords {
		fmt.Fprintf(&all, "%s %.0f %s\n", word, max(userFrequency, frequency[word]), userTag)
	}
	all.WriteString(base)

	loading.Lock()
	defer loading.Unlock()
	dictionary := &gse.Segmenter{NotLoadHMM: true, SkipLog: true}
	if err := dictionary.LoadDictStr(all.String()); err != nil {
		panic("segment: load dictionary: " + err.Error()) // unreachable: the words are ours
	}
	return dictionary
}

// unpack returns an embedded file. It panics when the build embedded a broken
// file, which the tests exclude.
func unpack(name string) string {
	packed, err := data.ReadFile(name)
	if err != nil {
		panic("segment: " + err.Error())
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("segment: " + name + ": " + err.Error())
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		panic("segment: " + name + ": " + err.Error())
	}
	return string(text)
}
