package segment

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// UserWord is Form in any language but English.
func UserWord(given string) (string, error) {
	return Form("", given)
}

// Form returns the form in which a user word is compared in a language, given
// by its BCP 47 tag, and in which Words and Tokens return it: folded, with
// single spaces, and in English with each word of Latin letters stemmed, unless
// Chinese touches it. It may hold several words or punctuation ("climate
// change", "C++", "A股"); without a letter or digit, or with more than 64
// characters, it is an error. The form of a form is that form.
func Form(language, given string) (string, error) {
	word := strings.Join(strings.Fields(Fold(given)), " ")
	if utf8.RuneCountInString(word) > maxWordRunes {
		return "", fmt.Errorf("%.20q… is longer than %d characters", word, maxWordRunes)
	}
	if strings.IndexFunc(word, isWord) < 0 || strings.ContainsRune(word, utf8.RuneError) {
		return "", fmt.Errorf("%q is not a word: it needs a letter or digit, in valid UTF-8", word)
	}
	if !isEnglish(language) {
		return word, nil
	}
	fields := strings.Split(word, " ")
	for i, field := range fields {
		fields[i] = stemField(field)
	}
	return strings.Join(fields, " "), nil
}

// stemField stems the words between the separators of a field. A field with
// Chinese stays: the dictionary looks for it as it is.
func stemField(field string) string {
	if strings.IndexFunc(field, isHan) >= 0 {
		return field
	}
	var form strings.Builder
	for _, e := range elements(field) {
		if e.word {
			e.text = stem(e.text)
		}
		form.WriteString(e.text)
	}
	return form.String()
}

// isEnglish reports whether a language tag says English.
func isEnglish(language string) bool {
	primary, _, _ := strings.Cut(language, "-")
	return strings.EqualFold(primary, "en")
}

// stem returns the stem of a folded English word by the Porter 2 algorithm,
// applied until nothing changes: 4 % of its stems have a stem of their own
// (accelerate → acceler → accel), and a word must be found again by its form.
// Words with other characters than Latin letters and apostrophes stay as they
// are.
//
// It ends: Porter 2 makes no word longer, and where it keeps the length it only
// turns a final y into i.
func stem(word string) string {
	for _, r := range word {
		if r != '\'' && !('a' <= r && r <= 'z') && (r < utf8.RuneSelf || !unicode.Is(unicode.Latin, r)) {
			return word
		}
	}
	for {
		env := snowballstem.NewEnv(word)
		english.Stem(env)
		shorter := strings.TrimRight(env.Current(), "'") // a's's → a': no word ends so
		if shorter == word {
			return word
		}
		word = shorter
	}
}

// Spellings maps words of texts, as Form returns them, to the spelling of a source:
// foreign vectors keep capitals, traditional characters or inflected words, which
// texts yield folded and stemmed. Of several spellings it prefers the one that needs
// no change, then the first. It leaves out words that no text can yield, such as
// punctuation.
func Spellings(language string, words []string) map[string]string {
	found := make(map[string]string, len(words))
	for _, word := range words {
		form, err := Form(language, word)
		if err != nil {
			continue
		}
		if _, taken := found[form]; !taken || word == form {
			found[form] = word
		}
	}
	return found
}
