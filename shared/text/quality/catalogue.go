package quality

// rule is one rule, without its setting in a topic.
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
	if r.signal == "characters" {
		return 1e6
	}
	return 1
}

// The shortest texts, in characters, that a share is judged of.
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
// The thresholds were set on true texts: 614 of Chinese news sites, as references
// or extracted from their pages, 258 articles of linux.cn, full of commands and
// code, 1500 passages of laws, news and manuals, and 299 of English licences and
// manuals. The comment on each threshold has the value that 0.5 % of the news
// texts lie beyond. docs/ablation.md has what each rule gains.
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
		name: "quality_code", signal: "code", from: aFewWords,
		value:     func(s *Signals) Real { return s.Code },
		threshold: map[string]float64{anyLanguage: 0.65, english: 0.55}, // 0.03; 0.39 on linux.cn
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
		name: "quality_sentences", signal: "sentence_text", least: true, from: aFewWords,
		value:     func(s *Signals) Real { return s.SentenceText },
		threshold: map[string]float64{chinese: 0.08, english: 0.2}, // 0.27; 0.09 on linux.cn; of English, 0.24
	},
	{
		name: "quality_short_lines", signal: "short_lines",
		value:     ofLines(func(s *Signals) Real { return s.ShortLines }),
		threshold: map[string]float64{anyLanguage: 0.95}, // 0.67; 0.86 on linux.cn
	},
	{
		name: "quality_ellipsis_lines", signal: "ellipsis_lines",
		value:     ofLines(func(s *Signals) Real { return s.EllipsisLines }),
		threshold: map[string]float64{anyLanguage: 0.3}, // 0.17; the threshold is Gopher's
	},
	{
		name: "quality_duplicate_sentences", signal: "duplicate_sentences", from: aFewWords,
		value:     func(s *Signals) Real { return s.DuplicateSentences },
		threshold: map[string]float64{anyLanguage: 0.35}, // 0.31
	},
	{
		// Gopher has 0.1, of words: names and set phrases of Chinese take many
		// characters, and laws repeat a third of theirs.
		name: "quality_repeated_10gram", signal: "repeated_10gram", from: aPage,
		value:     func(s *Signals) Real { return s.Repeated10 },
		threshold: map[string]float64{anyLanguage: 0.48}, // 0.33; of laws 0.42
	},
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
