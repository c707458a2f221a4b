// Package quality measures how far a text is prose that a model can learn from,
// and judges it by named rules (METHOD A13). The signals are those of Gopher
// (Rae et al. 2021, appendix A1.1), C4 (Raffel et al. 2020), FineWeb (Penedo et
// al. 2024) and EvalWeb (Chen et al. 2023), adapted to Chinese: what they count
// in words is counted in characters where a script writes without spaces.
//
// Everything is a pure function of the text, and safe for concurrent use.
package quality

import (
	"math"
	"strconv"
)

// Signals is what Measure finds. All fields are in every JSON record.
//
// Characters are Unicode characters that show: no white space, no zero-width
// ones. Lines are those with characters. Shares lie in 0..1, of the characters
// where nothing else is said, and are 0 where there is nothing to count.
type Signals struct {
	Characters int `json:"characters"`
	Lines      int `json:"lines"`

	ShortLines    Real `json:"short_lines"`    // of the lines: narrower than 30 columns, of which a Chinese character takes two
	SentenceLines Real `json:"sentence_lines"` // of the lines: end as sentences do
	EllipsisLines Real `json:"ellipsis_lines"` // of the lines: end with … or ...
	SentenceText  Real `json:"sentence_text"`  // in sentences that end before their line does, or with it

	Han       Real `json:"han"`        // Chinese characters
	CommonHan Real `json:"common_han"` // of those: among the commonest thousand
	Digits    Real `json:"digits"`     // of any script
	Symbols   Real `json:"symbols"`    // # • ★ → ©, emoji, ellipses and the signs of code
	Garbled   Real `json:"garbled"`    // U+FFFD, invalid UTF-8, control, private and unassigned characters

	LanguageScore Real `json:"language_score"` // of the first 32 KB, see language.Guess
	StopWords     Real `json:"stop_words"`     // of Chinese characters and Latin words: 的 了 是 …, the of and …
	Code          Real `json:"code"`           // in lines that look like a program's

	DuplicateSentences Real `json:"duplicate_sentences"` // in second and further copies; a line ends a sentence, too

	// N-grams are of words, a Chinese character for a word, and so are the
	// characters that they are a share of; case and punctuation do not matter.
	// They are compared within pieces of 16384 words.
	Repeated5  Real `json:"repeated_5gram"`  // in n-grams that occurred before
	Repeated10 Real `json:"repeated_10gram"` // some may be missed
}

// Real is a number of four decimals: a record has no use for more, and a rule
// judges a record as it judged the text. Its JSON always has them, since a
// reader that infers a column of integers from the first lines refuses a later
// 0.5.
type Real float64

// MarshalJSON implements json.Marshaler.
func (r Real) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(r), 'f', 4, 64), nil
}

// share returns part of whole, rounded.
func share(part, whole int) Real {
	if whole == 0 {
		return 0
	}
	return round(float64(part) / float64(whole))
}

func round(x float64) Real { return Real(math.Round(x*1e4) / 1e4) }
