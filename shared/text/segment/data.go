package segment

import (
	"bytes"
	"embed"
	"encoding/binary"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// data holds words.txt.gz, gse's Chinese dictionary (Apache-2.0; derived from
// jieba's, MIT) without its rare words; simplify.tsv.gz, OpenCC's TSCharacters
// and TSPhrases (Apache-2.0); and two lists of our own: stop words, and the
// single characters that carry content.
//
//go:generate go run ./internal/gendata
//go:embed data
var data embed.FS

// The names of the data files.
const (
	wordsFile    = "data/words.txt.gz"
	simplifyFile = "data/simplify.tsv.gz"
	englishFile  = "data/english.txt.gz"
	stopFile     = "data/stop.txt"
	singlesFile  = "data/single.txt"
)

// embedded returns an embedded file as it is.
func embedded(name string) []byte {
	content, err := data.ReadFile(name)
	if err != nil {
		panic("segment: " + err.Error()) // unreachable: the names are ours
	}
	return content
}

// unpack returns an embedded gzip file. It panics when the build embedded a
// broken file, which the tests exclude.
func unpack(name string) string {
	packed := embedded(name)
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("segment: " + name + ": " + err.Error())
	}
	var text strings.Builder
	text.Grow(int(binary.LittleEndian.Uint32(packed[len(packed)-4:]))) // a gzip file ends with its size
	if _, err := io.Copy(&text, unzipped); err != nil {
		panic("segment: " + name + ": " + err.Error())
	}
	return text.String()
}

// stopWords reads the list of function words, Chinese and English.
func stopWords() map[string]bool { return wordList(stopFile) }

// singles reads the list of Chinese characters that are content alone.
func singles() map[string]bool { return wordList(singlesFile) }

// wordList reads words between white space; lines with # are comments.
func wordList(name string) map[string]bool {
	words := make(map[string]bool, 600)
	for line := range strings.Lines(string(embedded(name))) {
		if !strings.HasPrefix(line, "#") {
			for _, word := range strings.Fields(line) {
				words[word] = true
			}
		}
	}
	return words
}
