package compile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

// refiner judges words by their class weights.
type refiner struct {
	file               *topic.File
	domain, background *Counts
	places             *places // of the domain; nil: unknown
	weights            *Weights
	strict             bool // the domain is known, not guessed
	options            RefineOptions
}

func (r *refiner) refine(most, add int) *Refinement {
	result := &Refinement{Relevant: r.domain.Documents, Background: r.background.Documents, Weights: r.weights}
	for _, word := range r.file.Words {
		c := r.candidate(word.Text)
		c.Related = word.Related
		if r.judge(&c, word) {
			result.Kept = append(result.Kept, c)
		} else {
			result.Cut = append(result.Cut, c)
		}
	}
	if most > 0 && most < len(result.Kept) {
		result.keepBest(most)
	}
	result.Added = r.proposals(min(add, maxTopicWords-len(result.Kept)))
	return result
}

// candidate gathers the evidence for a word.
func (r *refiner) candidate(word string) Candidate {
	form := comparedAs(r.file, word)
	return Candidate{Word: word, Class: r.weights.Words[form], Relevant: r.domain.In[form], Background: r.background.In[form]}
}

// judge sets the weight of a topic word and says why; false cuts the word. A
// weight that the author gave stays. A crawl cuts related words only: it is a
// crawl for the author's words, so those are common wherever it looked.
func (r *refiner) judge(c *Candidate, word topic.Word) (keep bool) {
	_, adjusted := r.file.Adjust[word.Text]
	switch {
	case c.Relevant == 0 && r.strict:
		c.Reason = "no text of the domain has it"
		return false
	case c.Relevant >= textsAgainst && c.Class < weakWeight && (r.strict || word.Related):
		c.Reason = "as common off the topic"
		return false
	case adjusted:
		c.Reason = "adjusted by hand"
	case !r.strict && !word.Related && word.Given:
		c.Reason = "weighed by hand"
	case c.Relevant >= textsAgainst && c.Class < weakWeight:
		c.Reason = "as common off the topic"
		c.Weight = leastWeight
	case c.Relevant == 0:
		c.Reason = "no evidence"
		c.Weight = rounded(max(leastWeight, word.Weight))
	default:
		c.Reason = "marks the topic"
		if c.Class < leastWeight {
			c.Reason = "little evidence"
		}
		c.Weight = rounded(max(leastWeight, c.Class))
	}
	return true
}

// keepBest cuts all but n of the kept words.
func (r *Refinement) keepBest(n int) {
	ranked := slices.SortedFunc(slices.Values(r.Kept), better)
	keep := make(map[string]bool, n)
	for _, c := range ranked[:n] {
		keep[c.Word] = true
	}
	kept := r.Kept
	r.Kept = nil
	for _, c := range kept {
		if keep[c.Word] {
			r.Kept = append(r.Kept, c)
			continue
		}
		c.Weight, c.Reason = 0, fmt.Sprintf("not among the best %d", n)
		r.Cut = append(r.Cut, c)
	}
}

// proposals returns the best n words that the topic lacks.
func (r *refiner) proposals(n int) []Candidate {
	known := make(map[string]bool)
	for _, word := range r.file.Words {
		known[comparedAs(r.file, word.Text)] = true
	}
	for word := range r.file.Adjust {
		known[comparedAs(r.file, word)] = true
	}
	var found []Candidate
	for word, weight := range r.weights.Words {
		if weight < leastWeight || known[word] || !proposable(r.file.Language, word) || !r.places.allow(word) || r.options.proper(word) {
			continue
		}
		found = append(found, Candidate{
			Word: r.options.written(word), Weight: rounded(weight), Class: weight,
			Relevant: r.domain.In[word], Background: r.background.In[word], Related: true, Reason: "marks the topic",
		})
	}
	slices.SortFunc(found, better)
	return slices.Clip(found[:min(len(found), max(0, n))])
}

// better orders candidates, the best first.
func better(a, b Candidate) int {
	return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(a.Word, b.Word))
}

// abbreviated are letters with dots (p.m, e.g, U.S.), and ordinal numbers.
var abbreviated = regexp.MustCompile(`^(?:\p{L}(?:\.\p{L})+\.?|\d+(?:st|nd|rd|th))$`)

// meaningful reports whether a word of texts says something by itself: single characters are
// torn from names, abbreviations and numbers change from day to day.
func meaningful(word string) bool {
	runes, digits := utf8.RuneCountInString(word), 0
	for _, r := range word {
		if unicode.IsNumber(r) {
			digits++
		}
	}
	return runes > 1 && 2*digits < runes && !abbreviated.MatchString(word)
}

// proposable reports whether a word of texts is meaningful, and is found again when it is in a
// topic file.
func proposable(language, word string) bool {
	userWord, errWord := segment.UserWord(word)
	form, errForm := segment.Form(language, word)
	return meaningful(word) && errors.Join(errWord, errForm) == nil && userWord == word && form == word
}

// comparedAs returns the form in which texts yield a word of the topic file.
func comparedAs(file *topic.File, word string) string {
	form, err := segment.Form(file.Language, word)
	if err != nil {
		return word // which no text yields
	}
	return form
}

// rounded returns a weight as the topic file shows it.
func rounded(weight float64) float64 { return math.Round(weight*100) / 100 }
