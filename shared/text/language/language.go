// Package language detects the language of a text and the script of Chinese.
//
// Some scripts name the language: kana, Hangul, Thai. For languages that share a
// script, the small words of their grammar decide (the, und, что): they make up a
// quarter or more of any prose, and nothing of code, names and numbers. So Chinese
// with much code in it is still Chinese.
package language

import "unicode/utf8"

// Undetermined is the language of a text that is long enough to tell, and not
// in a language that Detect knows.
const Undetermined = "und"

// Scripts of Chinese.
const (
	Simplified  = "simp"
	Traditional = "trad"
)

// Guess is what a text says about its language.
type Guess struct {
	// Language is a primary language subtag of BCP 47 (zh, en, ja, ko, ru …),
	// Undetermined, or "" if there is too little text. Of languages that differ
	// little, id also means Malay and hr Bosnian.
	Language string
	// Score is the share of the text, 0 to 1, that is in this language, counted
	// in words; where languages share a script, times how clearly it leads.
	Score float64
	// Script is Simplified or Traditional for Chinese that is mostly in one of
	// them, else "".
	Script string
	// Han is the share of Chinese characters among all letters, 0 to 1.
	Han float64
}

const (
	maxBytes = 32 << 10 // of a text that are read

	minCharacters = 2   // that decide a language by their script alone
	minLetters    = 20  // of a script that languages share
	minPage       = 100 // letters a text needs to be in no known language
	// minDifferent small words make a language. One alone, often enough, is a
	// name or an abbreviation: TA is a word of Estonian.
	minDifferent = 3
	// rarest is the least share of small words in prose: a twenty-fifth. Lists
	// of names have fewer, prose has ten times as many.
	rarest = 25
	// prosePerHit is how many words of prose a small word represents, low
	// enough that a text half Chinese, half English is Chinese.
	prosePerHit = 4
	// A language that is not even a twentieth of its text is not the text's.
	minShare = 0.05
)

// Detect tells the language of text by its first 32 KB. It does not allocate,
// and any bytes will do.
func Detect(text string) Guess {
	t := tally{words: smallWords()}
	t.read(clip(text))
	return t.guess()
}

// DetectTitled is Detect for a text in the lines under its title, and for the text alone.
func DetectTitled(title, text string) (titled, alone Guess) {
	t := tally{words: smallWords()}
	t.read(clip(text))
	alone = t.guess()
	if len(title)+len(text) >= maxBytes {
		return Detect(title + "\n" + text), alone
	}
	t.read(title) // the order of lines does not matter
	return t.guess(), alone
}

// clip returns what is read of a text.
func clip(text string) string {
	if len(text) <= maxBytes {
		return text
	}
	end := maxBytes
	for end > maxBytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// guess draws the conclusion.
func (t *tally) guess() Guess {
	language, evidence, certainty := t.byScript()
	if spaced, prose, lead := t.byWords(); prose > evidence {
		language, evidence, certainty = spaced, prose, lead
	}
	g := Guess{}
	if t.all > 0 {
		g.Han = float64(t.letters[han]) / float64(t.all)
	}
	share := 0.0
	if total := t.total(); total > 0 {
		share = evidence / total
	}
	switch {
	case language != "" && share >= minShare:
		g.Language, g.Score = language, min(share, 1)*certainty
	case t.all >= minPage:
		g.Language = Undetermined
	}
	if g.Language == "zh" {
		g.Script = t.hanScript()
	}
	return g
}

// total is the length of the text in words, a character of the scripts that
// write without spaces for a word.
func (t *tally) total() float64 {
	n := 0.0
	for s, letters := range t.letters {
		switch s := script(s); {
		case s.shared():
			n += float64(t.wordCount[s])
		default:
			n += float64(letters) / s.perWord()
		}
	}
	return n
}

// byScript returns the language of the scripts that have one only, how much of
// it there is, and how certain that is.
func (t *tally) byScript() (language string, evidence, certainty float64) {
	hanzi, kanas, hanguls := t.letters[han], t.letters[kana], t.letters[hangul]
	switch {
	case hanguls >= minCharacters && hanguls >= hanzi+kanas:
		language, evidence = "ko", float64(hanguls)/hangul.perWord()+float64(hanzi)
	case t.japanese():
		language, evidence = "ja", float64(hanzi+kanas)
	case hanzi >= minCharacters:
		language, evidence = "zh", float64(hanzi)
	}
	for s := firstOwn; s < scripts; s++ {
		if n := float64(t.letters[s]) / s.perWord(); t.letters[s] >= minCharacters && n > evidence {
			language, evidence = scriptTable[s].language, n
		}
	}
	return language, evidence, 1
}

// japanese says whether Chinese characters and kana are Japanese. Japanese has
// more kana than anything else, but a headline may have a single の; Chinese may
// quote Japanese, or name its shop with a の, but always has its own small
// words.
func (t *tally) japanese() bool {
	kanas, hanzi := t.letters[kana], t.letters[han]
	return kanas > 0 && kanas+hanzi >= minCharacters && kanas*16 > hanzi && kanas > 2*t.chinese
}

// byWords returns the language with the most small words in the text, how many
// words of prose they represent, and how clearly it leads.
func (t *tally) byWords() (language string, prose, lead float64) {
	best, second := 0, 0
	for l := 1; l < len(languages); l++ {
		if t.count(l) > t.count(best) {
			best, second = l, t.count(best)
		} else {
			second = max(second, t.count(l))
		}
	}
	l, hits, count := languages[best], t.hits[best], t.count(best)
	words := t.wordCount[l.script]
	different := t.different[best]
	if best == english {
		different += t.different[keyword]
	}
	if hits == 0 || different < minDifferent || count*rarest < words || t.letters[l.script] < minLetters {
		return "", 0, 0
	}
	return l.tag, float64(min(words, prosePerHit*hits)), float64(count) / float64(count+second)
}

// count returns how many small words of a language there are.
func (t *tally) count(language int) int {
	if language == english {
		return t.hits[english] + t.hits[keyword]
	}
	return t.hits[language]
}

// hanScript tells simplified from traditional characters by those that only
// one of them has. A fifth of the other kind (a quotation, a name) is allowed.
func (t *tally) hanScript() string {
	switch {
	case t.simplified+t.traditional < 2:
	case t.simplified >= 4*t.traditional:
		return Simplified
	case t.traditional >= 4*t.simplified:
		return Traditional
	}
	return ""
}
