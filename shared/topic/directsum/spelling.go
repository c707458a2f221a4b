package directsum

import (
	"sluice/shared/text/segment"
	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// spellings maps the forms of words to a source's spelling: the form itself if
// the source has it, else the first.
func spellings(language string, words []string) map[string]string {
	spelled := make(map[string]string, len(words))
	for _, word := range words {
		form, err := segment.Form(language, word)
		if err != nil {
			continue
		}
		if _, taken := spelled[form]; !taken || form == word {
			spelled[form] = word
		}
	}
	return spelled
}

// spelledVectors are vectors by the forms of their words; nil has none.
type spelledVectors struct {
	vectors *wordvec.Vectors
	spelled map[string]string
}

func spellVectors(language string, v *wordvec.Vectors) *spelledVectors {
	if v == nil {
		return nil
	}
	return &spelledVectors{v, spellings(language, v.Words())}
}

func (s *spelledVectors) unit(form string) []float32 {
	if s == nil {
		return nil
	}
	word, ok := s.spelled[form]
	if !ok {
		word = form
	}
	unit, _ := s.vectors.Unit(word)
	return unit
}

// spelledHowNet is HowNet by the forms of its words; nil covers none.
type spelledHowNet struct {
	lexicon *hownet.Lexicon
	spelled map[string]string
}

func spellHowNet(language string, l *hownet.Lexicon) *spelledHowNet {
	if l == nil {
		return nil
	}
	return &spelledHowNet{l, spellings(language, l.Words())}
}

func (s *spelledHowNet) spell(form string) string {
	if s == nil {
		return ""
	}
	return s.spelled[form]
}

func (s *spelledHowNet) similarity(a, b string) float64 {
	if s == nil || a == "" || b == "" {
		return 0
	}
	similarity, _ := s.lexicon.Similarity(a, b)
	return similarity
}
