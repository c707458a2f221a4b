package segment

import "strings"

// stopWords reads the embedded list of function words, Chinese and English.
func stopWords() map[string]bool {
	text, err := data.ReadFile("data/stop.txt")
	if err != nil {
		panic("segment: " + err.Error()) // unreachable: the file is embedded
	}
	words := make(map[string]bool, 600)
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			for _, word := range strings.Fields(line) {
				words[word] = true
			}
		}
	}
	return words
}
