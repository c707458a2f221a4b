package quality

// rule is one rule, as it is whatever its setting.
type rule struct {
	name   string
	signal string // as its JSON calls it
	value  func(*Signals) Real
	least  bool // the threshold is the least that passes, else the most
	from   int  // characters of the texts that are judged: fewer say too little

	threshold map[string]float64 // by language, or anyLanguage
}

// Columns of the thresholds.
const (
	anyLanguage = ""
	chinese     = "zh"
	english     = "en"
)

// in returns the threshold for a language; known is false where there is none.
func (r *rule) in(language string) (threshold float64, known bool) {
	if threshold, known = r.threshold[language]; !known {
		threshold, known = r.threshold[anyLanguage]
	}
	return threshold, known
}

// highest is the greatest threshold that makes sense: 1 for shares.
func (r *rule) highest() float64 {
	switch r.signal {
	case "characters", "mean_word", "mean_clause":
		return 1e6
	}
	return 1
}

// Texts that the shares of n-grams and marks say something of, in characters.
const (
	aFewWords  = 50
	aParagraph = 100
	aPage      = 200
	// fewLines are too few for a share of them.
	fewLines = 5
)

// catalogue holds the rules in the order in which they are asked: first what a
// text is made of, then how it is laid out, then what it repeats.
//
// The thresholds were set on true texts: 614 of 89 and more Chinese news sites,
// as references or extracted from their pages, 258 articles of linux.cn, full of
// commands and code, 1500 passages of laws, news and manuals, and 299 of English
// licences and manuals. Behind each threshold stands the value that 0.5 % of the
// news texts lie beyond. In all, the rules of zh reject 0.3 % of the news texts,
// 0.8 % of linux.cn and 0.9 % of the passages, most of which are no prose: lists
// of titles, of dates, of sources; and all of 1063 texts made to be junk.
var catalogue = [...]rule{
	{
		name: "quality_short_text", signal: "characters", least: true,
		value:     func(s *Signals) Real { return Real(s.Characters) },
		threshold: map[string]float64{anyLanguage: 20}, // 109
	},
	{
		name: "quality_garbled", signal: "garbled",
		value:     func(s *Signals) Real { return s.Garbled },
		threshold: map[string]float64{anyLanguage: 0.05}, // 0.005
	},
	{
		name: "quality_han", signal: "han", least: true,
		value:     func(s *Signals) Real { return s.Han },
		threshold: map[string]float64{chinese: 0.05}, // 0.50; 0.09 on linux.cn, with its commands
	},
	{
		name: "quality_language", signal: "language_score", least: true, from: aParagraph,
		value:     func(s *Signals) Real { return s.LanguageScore },
		threshold: map[string]float64{chinese: 0.4, english: 0.15}, // 0.92; 0.46 on linux.cn; of English, 0.36
	},
	{
		name: "quality_digits", signal: "digits", from: aFewWords,
		value:     func(s *Signals) Real { return s.Digits },
		threshold: map[string]float64{anyLanguage: 0.35}, // 0.22
	},
	{
		name: "quality_symbols", signal: "symbols", from: aFewWords,
		value:     func(s *Signals) Real { return s.Symbols },
		threshold: map[string]float64{anyLanguage: 0.18}, // 0.017; 0.08 on linux.cn
	},
	{
		name: "quality_urls", signal: "urls", from: aFewWords,
		value:     func(s *Signals) Real { return s.URLs },
		threshold: map[string]float64{anyLanguage: 0.3}, // 0.07; 0.22 on linux.cn
	},
	{
		name: "quality_braces", signal: "braces", from: aFewWords,
		value:     func(s *Signals) Real { return s.Braces },
		threshold: map[string]float64{anyLanguage: 0.55}, // 0; 0.34 on linux.cn
	},
	{
		name: "quality_code", signal: "code", from: aFewWords,
		value:     func(s *Signals) Real { return s.Code },
		threshold: map[string]float64{anyLanguage: 0.65, english: 0.55}, // 0.03; 0.39 on linux.cn
	},
	{
		name: "quality_long_words", signal: "long_words", from: aFewWords,
		value:     func(s *Signals) Real { return s.LongWords },
		threshold: map[string]float64{anyLanguage: 0.3}, // 0; 0.03 on linux.cn
	},
	{
		name: "quality_mean_word", signal: "mean_word", from: aParagraph,
		value:     func(s *Signals) Real { return s.MeanWord },
		threshold: map[string]float64{english: 10}, // of English, 6.3
	},
	{
		name: "quality_stop_words", signal: "stop_words", least: true, from: aParagraph,
		value:     func(s *Signals) Real { return s.StopWords },
		threshold: map[string]float64{chinese: 0.01, english: 0.12}, // 0.065, but bulletins of figures have 0.015; of English, 0.17
	},
	{
		name: "quality_common_han", signal: "common_han", least: true, from: aFewWords,
		value:     func(s *Signals) Real { return s.CommonHan },
		threshold: map[string]float64{chinese: 0.5}, // 0.75; random characters have 0.3 and less
	},
	{
		name: "quality_few_marks", signal: "chinese_punctuation and latin_punctuation", least: true, from: aParagraph,
		value:     punctuation,
		threshold: map[string]float64{chinese: 0.02, english: 0.01}, // 0.045; of English, 0.016
	},
	{
		name: "quality_many_marks", signal: "chinese_punctuation and latin_punctuation", from: aFewWords,
		value:     punctuation,
		threshold: map[string]float64{anyLanguage: 0.3}, // 0.18; 0.16 on linux.cn
	},
	{
		name: "quality_sentences", signal: "sentence_text", least: true, from: aFewWords,
		value:     func(s *Signals) Real { return s.SentenceText },
		threshold: map[string]float64{chinese: 0.08, english: 0.2}, // 0.27; 0.09 on linux.cn; of English, 0.24
	},
	{
		name: "quality_mean_clause", signal: "mean_clause", from: aParagraph,
		value:     func(s *Signals) Real { return s.MeanClause },
		threshold: map[string]float64{chinese: 90, english: 250}, // 39; 86 on linux.cn; of English, 98
	},
	{
		name: "quality_short_lines", signal: "short_lines",
		value:     ofLines(func(s *Signals) Real { return s.ShortLines }),
		threshold: map[string]float64{anyLanguage: 0.95}, // 0.67; 0.86 on linux.cn
	},
	{
		name: "quality_bullet_lines", signal: "bullet_lines",
		value:     ofLines(func(s *Signals) Real { return s.BulletLines }),
		threshold: map[string]float64{anyLanguage: 0.9}, // 0.13; the threshold is Gopher's
	},
	{
		name: "quality_ellipsis_lines", signal: "ellipsis_lines",
		value:     ofLines(func(s *Signals) Real { return s.EllipsisLines }),
		threshold: map[string]float64{anyLanguage: 0.3}, // 0.17; the threshold is Gopher's
	},
	// Gopher's thresholds (0.2 to 0.3 for lines, 0.2 to 0.16 for the top, 0.15 to
	// 0.1 for the long n-grams) are for words: names and set phrases of Chinese
	// take many characters, and laws repeat a third of theirs.
	repeating("quality_duplicate_lines", "duplicate_lines", aFewWords, 0.35, func(s *Signals) Real { return s.DuplicateLines }),                // 0.18; 0.25 on linux.cn
	repeating("quality_duplicate_paragraphs", "duplicate_paragraphs", aFewWords, 0.35, func(s *Signals) Real { return s.DuplicateParagraphs }), // 0.18
	repeating("quality_duplicate_sentences", "duplicate_sentences", aFewWords, 0.35, func(s *Signals) Real { return s.DuplicateSentences }),    // 0.31
	repeating("quality_top_2gram", "top_2gram", aPage, 0.25, func(s *Signals) Real { return s.Top2 }),                                          // 0.11; 0.24 on linux.cn
	repeating("quality_top_3gram", "top_3gram", aPage, 0.2, func(s *Signals) Real { return s.Top3 }),                                           // 0.15
	repeating("quality_top_4gram", "top_4gram", aPage, 0.2, func(s *Signals) Real { return s.Top4 }),                                           // 0.11
	repeating("quality_repeated_5gram", "repeated_5gram", aPage, 0.6, func(s *Signals) Real { return s.Repeated5 }),                            // 0.43; of laws 0.60
	repeating("quality_repeated_6gram", "repeated_6gram", aPage, 0.57, func(s *Signals) Real { return s.Repeated6 }),                           // 0.42
	repeating("quality_repeated_7gram", "repeated_7gram", aPage, 0.54, func(s *Signals) Real { return s.Repeated7 }),                           // 0.40
	repeating("quality_repeated_8gram", "repeated_8gram", aPage, 0.51, func(s *Signals) Real { return s.Repeated8 }),                           // 0.38
	repeating("quality_repeated_9gram", "repeated_9gram", aPage, 0.49, func(s *Signals) Real { return s.Repeated9 }),                           // 0.35
	repeating("quality_repeated_10gram", "repeated_10gram", aPage, 0.48, func(s *Signals) Real { return s.Repeated10 }),                        // 0.33; of laws 0.42
}

// repeating makes a rule on what a text repeats.
func repeating(name, signal string, from int, most float64, value func(*Signals) Real) rule {
	return rule{
		name: name, signal: signal, from: from, value: value,
		threshold: map[string]float64{anyLanguage: most},
	}
}

func punctuation(s *Signals) Real {
	return round(float64(s.ChinesePunctuation + s.LatinPunctuation))
}

// ofLines makes 0 of a share of few lines.
func ofLines(of func(*Signals) Real) func(*Signals) Real {
	return func(s *Signals) Real {
		if s.Lines < fewLines {
			return 0
		}
		return of(s)
	}
}
