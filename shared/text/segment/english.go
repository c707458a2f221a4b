package segment

import (
	"strconv"
	"strings"
	"sync"
)

// EnglishFrequency returns the share of an English word, in the form in which
// texts yield it, among all words of textbooks that are not stop words; 0 for a
// word that occurs fewer than five times in these 2.7 million.
func EnglishFrequency(form string) float64 { return float64(englishShares()[form]) }

// englishShares is read from the embedded file at first use, in some 4 ms, and
// takes 1 MB.
var englishShares = sync.OnceValue(func() map[string]float32 {
	lines := strings.Split(strings.TrimSuffix(unpack(englishFile), "\n"), "\n")
	all := 0.0
	shares := make(map[string]float32, len(lines)-1)
	for i, line := range lines {
		word, number, _ := strings.Cut(line, " ")
		count, err := strconv.ParseFloat(number, 64)
		switch {
		case err != nil:
			panic("segment: " + englishFile + " has the line " + line) // the tests exclude it
		case i == 0:
			all = count
		default:
			shares[word] = float32(count / all)
		}
	}
	return shares
})
