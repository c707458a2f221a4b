package segment

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// rulesVersion counts the changes of what scan, cut, joined, Fold and stem do.
// TestRules fails when words change and this does not.
const rulesVersion = "1"

// Fingerprint tells what words depend on besides text and user words. Two
// segmenters with equal fingerprints and the same user words give the same
// words; a compiled topic is used only with the fingerprint it was made with.
type Fingerprint struct {
	Dictionary    string `json:"dictionary"`      // hash of the dictionary
	StopWords     string `json:"stop_words"`      // hash of the stop words
	PartsOfSpeech string `json:"parts_of_speech"` // hash of the filter and of the characters that pass alone
	Conversion    string `json:"conversion"`      // hash of the tables from traditional to simplified
	Rules         string `json:"rules"`           // version of the code, and the language it stems
}

// FingerprintOf returns the fingerprint of segmenters for a language, given by
// its BCP 47 tag. The hashes are 16 hexadecimal digits, computed once.
func FingerprintOf(language string) Fingerprint {
	f := dataFingerprint()
	f.Rules = rulesVersion
	if isEnglish(language) {
		f.Rules += "-en"
	}
	return f
}

// dataFingerprint holds what all languages share.
var dataFingerprint = sync.OnceValue(func() Fingerprint {
	return Fingerprint{
		Dictionary:    shortHash(embedded(wordsFile)),
		StopWords:     shortHash(embedded(stopFile)),
		PartsOfSpeech: shortHash(append([]byte(contentTags+" "+functionTags+" "), embedded(singlesFile)...)),
		Conversion:    shortHash(embedded(simplifyFile)),
	}
})

func shortHash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}
