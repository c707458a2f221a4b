package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"sluice/shared/topic"
)

// Relevance reads
//
//	{"topic": {word: weight}, "weights": {word: weight}, "mean": x,
//	 "sim": [[d, t, s], …], "words": [word, …]}
//
// and writes {"relevance": x} by equation 3 (METHOD A8): Σ_d Σ_t w_d·w_t·
// Sim(d,t)² over the M distinct words d of "words" and the topic words t,
// divided by M. w_t comes from "topic", w_d from "weights", else it is "mean".
// A pair (word of the text, topic word) that "sim" does not list has similarity
// 1 if both are the same word, else 0. Words are taken as they are given;
// "weights" and "sim" may be left out.
func Relevance(in io.Reader, out io.Writer) error {
	r, err := readRelevance(in)
	if err != nil {
		return fmt.Errorf("read relevance request: %w", err)
	}
	seen := make(map[string]bool, len(r.words))
	r.words = slices.DeleteFunc(r.words, func(word string) bool {
		known := seen[word]
		seen[word] = true
		return known
	})
	lexicon := topic.Compile(r.topic, r.weights, r.mean, r.similarity, slices.Concat(
		r.words, slices.Collect(maps.Keys(r.topic))))
	relevance := lexicon.Value(r.words)
	if math.IsInf(relevance, 0) || math.IsNaN(relevance) {
		return errors.New("compute relevance: the result is too large for a number")
	}
	return answer(out, struct {
		Relevance float64 `json:"relevance"`
	}{relevance})
}

// wordPair is a word of a text and a topic word.
type wordPair struct{ d, t string }

type relevanceRequest struct {
	topic, weights map[string]float64
	mean           float64
	sim            map[wordPair]float64
	words          []string
}

// similarity is a topic.Similarity.
func (r *relevanceRequest) similarity(t string) func(d string) float64 {
	same := topic.SameWord(t)
	return func(d string) float64 {
		if s, ok := r.sim[wordPair{d, t}]; ok {
			return s
		}
		return same(d)
	}
}

func readRelevance(in io.Reader) (*relevanceRequest, error) {
	defaults := request{"weights": json.RawMessage("{}"), "sim": json.RawMessage("[]")}
	request, err := readRequest(in, defaults, "topic", "weights", "mean", "sim", "words")
	if err != nil {
		return nil, err
	}
	var r relevanceRequest
	var problems [5]error
	r.topic, problems[0] = request.weights("topic")
	r.weights, problems[1] = request.weights("weights")
	r.mean, problems[2] = request.number("mean")
	r.sim, problems[3] = readSimilarities(request["sim"])
	r.words, problems[4] = readWords(request["words"])
	return &r, errors.Join(problems[:]...)
}

// readWords reads a list of words.
func readWords(raw json.RawMessage) ([]string, error) {
	values, err := decode[[]json.RawMessage](raw, `key "words"`, "a list of words")
	if err != nil {
		return nil, err
	}
	words := make([]string, len(values))
	for i, value := range values {
		words[i], err = decode[string](value, fmt.Sprintf("element %d of %q", i+1, "words"), "a word")
		if err != nil {
			return nil, err
		}
	}
	return words, nil
}

// readSimilarities reads a list of [word of the text, topic word, similarity].
func readSimilarities(raw json.RawMessage) (map[wordPair]float64, error) {
	const kind = "[word of the text, topic word, similarity]"
	values, err := decode[[]json.RawMessage](raw, `key "sim"`, "a list of "+kind)
	if err != nil {
		return nil, err
	}
	sim := make(map[wordPair]float64, len(values))
	for i, value := range values {
		what := fmt.Sprintf("element %d of %q", i+1, "sim")
		parts, err := decode[[]json.RawMessage](value, what, kind)
		if err != nil {
			return nil, err
		}
		if len(parts) != 3 {
			return nil, fmt.Errorf("%s has %d parts: it must be %s", what, len(parts), kind)
		}
		d, errD := decode[string](parts[0], "part 1 of "+what, "a word")
		t, errT := decode[string](parts[1], "part 2 of "+what, "a word")
		s, errS := decode[float64](parts[2], "part 3 of "+what, "a number")
		if err := errors.Join(errD, errT, errS); err != nil {
			return nil, err
		}
		if earlier, ok := sim[wordPair{d, t}]; ok && earlier != s {
			return nil, fmt.Errorf("%s contradicts an earlier one: %q and %q have similarity %v and %v", what, d, t, earlier, s)
		}
		sim[wordPair{d, t}] = s
	}
	return sim, nil
}
