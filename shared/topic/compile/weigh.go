package compile

import (
	"errors"
	"fmt"
	"maps"

	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

// weighed is a topic with all its weights. Words are in the form in which texts
// yield them.
type weighed struct {
	forms map[string]string  // of the topic words, by how the file has them
	topic map[string]float64 // w_t
	words map[string]float64 // w_d
	mean  float64            // w_d of all others
}

// of returns w_t of a topic word as the file has it.
func (w *weighed) of(text string) float64 { return w.topic[w.forms[text]] }

// weigh sets the weights. A word weighs the same in texts and as topic word:
// the adjusted weight of the author, else the topic word's weight, else that of
// the corpus, else the mean. Two topic words of one form, such as "bank" and
// "banks", are one word with the greater weight.
func weigh(file *topic.File, corpus *Weights) (*weighed, error) {
	w := &weighed{
		forms: make(map[string]string, len(file.Words)),
		topic: make(map[string]float64, len(file.Words)),
		words: make(map[string]float64),
		mean:  file.MeanWeight,
	}
	if corpus != nil {
		if err := corpus.validate(); err != nil {
			return nil, err
		}
		w.words = corpus.forms(file.Language)
		if !file.Given.MeanWeight {
			w.mean = corpus.Mean
		}
	}
	adjusted := make(map[string]bool, len(file.Adjust))
	for text, weight := range file.Adjust {
		form, err := segment.Form(file.Language, text)
		if err != nil {
			return nil, fmt.Errorf("adjusted word: %w", err)
		}
		if !adjusted[form] || weight > w.words[form] {
			w.words[form] = weight
		}
		adjusted[form] = true
	}
	for _, word := range file.Words {
		form, err := segment.Form(file.Language, word.Text)
		if err != nil {
			return nil, fmt.Errorf("topic word: %w", err)
		}
		w.forms[word.Text] = form
		weight, known := w.words[form]
		switch {
		case adjusted[form]:
		case word.Given:
			weight = word.Weight
		case !known:
			weight = w.mean
		}
		w.topic[form] = max(w.topic[form], weight)
	}
	maps.Copy(w.words, w.topic)
	return w, nil
}

// forms returns the weights by the forms of the words, which most are already.
// Of several words with one form the one that is the form counts, else the
// heaviest: files that people wrote have "bank" and "banks".
func (w *Weights) forms(language string) map[string]float64 {
	weights := make(map[string]float64, len(w.Words))
	for word, weight := range w.Words {
		form, err := segment.Form(language, word)
		if _, exact := w.Words[form]; err != nil || exact && form != word {
			continue // no text can yield it, or the form has its own weight
		}
		weights[form] = max(weights[form], weight)
	}
	return weights
}

// validate refuses weights that equation 3 cannot be computed with.
func (w *Weights) validate() error {
	if !(0 < w.Mean && w.Mean <= maxWeight) {
		return fmt.Errorf("the mean weight of %d words of %d documents is %v: weigh words by a corpus of several texts on the topic",
			len(w.Words), w.Documents, w.Mean)
	}
	for _, weight := range w.Words {
		if !(0 <= weight && weight <= maxWeight) {
			return errors.New("a weight is negative or not a number")
		}
	}
	return nil
}
