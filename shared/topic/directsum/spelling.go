package directsum

import (
	"sluice/shared/text/segment"
	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// spelledVectors are vectors by the forms of their words; nil has none.
type spelledVectors struct {
	vectors *wordvec.Vectors
	spelled map[string]string
}

func spellVectors(language string, v *wordvec.Vectors) *spelledVectors {
	if v == nil {
		return nil
	}
	return &spelledVectors{v, segment.Spellings(language, v.Words())}
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
	return &spelledHowNet{l, segment.Spellings(language, l.Words())}
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
