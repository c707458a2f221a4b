package language

import "unicode"

// script is a script, or what counts as one.
type script int

// The scripts: those that many languages share come first, as their words are
// looked at; then those of East Asia; then those with a language of their own.
const (
	latin script = iota
	cyrillic
	arabic
	devanagari
	han
	kana
	hangul
	greek
	hebrew
	armenian
	georgian
	thai
	lao
	khmer
	burmese
	tibetan
	bengali
	gurmukhi
	gujarati
	oriya
	tamil
	telugu
	kannada
	malayalam
	sinhala
	ethiopic
	mongolian
	scripts

	none     script = -1
	firstOwn        = greek
)

// scriptTable says of each script where its letters are and, if it is the
// script of one language, or of one above all, which.
var scriptTable = [scripts]struct {
	table    *unicode.RangeTable
	language string
}{
	latin:      {table: unicode.Latin},
	cyrillic:   {table: unicode.Cyrillic},
	arabic:     {table: unicode.Arabic},
	devanagari: {table: unicode.Devanagari},
	han:        {table: unicode.Han},
	kana:       {table: &kanaTable},
	hangul:     {table: unicode.Hangul},
	greek:      {unicode.Greek, "el"},
	hebrew:     {unicode.Hebrew, "he"},
	armenian:   {unicode.Armenian, "hy"},
	georgian:   {unicode.Georgian, "ka"},
	thai:       {unicode.Thai, "th"},
	lao:        {unicode.Lao, "lo"},
	khmer:      {unicode.Khmer, "km"},
	burmese:    {unicode.Myanmar, "my"},
	tibetan:    {unicode.Tibetan, "bo"},
	bengali:    {unicode.Bengali, "bn"},
	gurmukhi:   {unicode.Gurmukhi, "pa"},
	gujarati:   {unicode.Gujarati, "gu"},
	oriya:      {unicode.Oriya, "or"},
	tamil:      {unicode.Tamil, "ta"},
	telugu:     {unicode.Telugu, "te"},
	kannada:    {unicode.Kannada, "kn"},
	malayalam:  {unicode.Malayalam, "ml"},
	sinhala:    {unicode.Sinhala, "si"},
	ethiopic:   {unicode.Ethiopic, "am"},
	mongolian:  {unicode.Mongolian, "mn"},
}

// kanaTable holds hiragana and katakana, with the small extensions and the
// half-width forms, but not the middle dot, which Chinese writes as well.
var kanaTable = unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x3041, Hi: 0x3096, Stride: 1},
		{Lo: 0x30A1, Hi: 0x30FA, Stride: 1},
		{Lo: 0x31F0, Hi: 0x31FF, Stride: 1},
		{Lo: 0xFF66, Hi: 0xFF9D, Stride: 1},
	},
}

// shared says whether many languages use the script, so that words decide.
func (s script) shared() bool { return s < han }

// perWord is about how many letters of the script make a word. A Chinese
// character counts for one.
func (s script) perWord() float64 {
	switch s {
	case han, kana:
		return 1
	case hangul:
		return 2
	}
	return 5
}

// scriptOf returns the script of a letter that is neither ASCII nor in the main
// block of Chinese characters; 0 for other characters.
func scriptOf(r rune) script {
	switch {
	case r < 0xAA, r >= 0x2000 && r < 0x2C00 || r >= 0x3000 && r < 0x3040 && r != '々' || r >= 0xFF00 && r < 0xFF20:
		return none // punctuation and symbols
	case r >= 0x3040 && r < 0x3100:
		if unicode.Is(&kanaTable, r) {
			return kana
		}
		return none
	}
	for s := range scripts {
		if unicode.Is(scriptTable[s].table, r) {
			return s
		}
	}
	return none
}
