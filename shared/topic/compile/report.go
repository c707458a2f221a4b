package compile

import "sluice/shared/topic"

// reported is how many of the heaviest words a report has.
const reported = 30

// Report describes a compilation. Its JSON keys are stable.
type Report struct {
	Vocabulary int   `json:"vocabulary"`   // words with a c(d), those with 0 among them
	TopicWords int   `json:"topic_words"`  // distinct ones, in the form in which they are compared
	Vectors    int   `json:"vector_words"` // words of the vocabulary with a vector of their own
	HowNet     int   `json:"hownet_words"` // words of the vocabulary that HowNet covers
	NewWords   int   `json:"new_words"`    // words added to the segmenter
	Bytes      int   `json:"bytes"`        // of the artifact
	Noise      Noise `json:"noise"`

	// Words is the distribution of c(d) over the vocabulary. Reaching is the
	// share of words with c above 0.
	Words    topic.Distribution `json:"words"`
	Heaviest []topic.Row        `json:"heaviest"` // the 30 words with the greatest c

	// Topic words of which something is missing, as the file has them.
	Composed    []string `json:"composed_vector"` // words whose vector is composed from their parts
	NoVector    []string `json:"no_vector"`
	NotInHowNet []string `json:"not_in_hownet"`
	NotOneWord  []string `json:"not_one_word"` // a segmenter that does not know the topic would break or drop it
}

// Noise counts the pairs of a word of the vocabulary and a topic word that
// survive algorithm 1 (METHOD A5), by the source of their similarity. Most of
// the vocabulary belongs to other topics, so most survivors are noise.
type Noise struct {
	Pairs     int     `json:"pairs"`
	Surviving float64 `json:"surviving"` // share of the pairs, 0 to 1; the sum of:
	Identity  float64 `json:"identity"`  // the same word
	HowNet    float64 `json:"hownet"`    // HowNet, with or without vectors
	Vectors   float64 `json:"vectors"`   // only vectors
}

// report reports the results of the steps.
func (c *compilation) report() *Report {
	lexicon := c.compiled.Lexicon
	values := make([]float64, 0, lexicon.Len())
	for _, value := range lexicon.All() {
		values = append(values, value)
	}
	r := &Report{
		Vocabulary: len(c.vocabulary.entries),
		TopicWords: len(c.weights.topic),
		Vectors:    c.vocabulary.vectors,
		HowNet:     c.vocabulary.hownet,
		NewWords:   len(c.compiled.UserWords) - len(c.File.Words),
		Bytes:      c.bytes,
		Noise:      newNoise(c.columns.pairs()),
		Words:      topic.Spread("word", values, 0),
		Heaviest:   lexicon.Heaviest(reported),
	}
	for _, word := range c.File.Words {
		r.addTopicWord(c, word.Text)
	}
	return r
}

// addTopicWord lists a topic word that a given source does not cover.
func (r *Report) addTopicWord(c *compilation, text string) {
	e := c.vocabulary.find(c.weights.forms[text])
	switch {
	case c.Similarity.Vectors == nil:
	case e.unit == nil:
		r.NoVector = append(r.NoVector, text)
	case e.composed:
		r.Composed = append(r.Composed, text)
	}
	if c.Similarity.HowNet != nil && e.hownet == "" {
		r.NotInHowNet = append(r.NotInHowNet, text)
	}
	if !yields(c.plain, e.word) {
		r.NotOneWord = append(r.NotOneWord, text)
	}
}

func newNoise(pairs [use + 1]int) Noise {
	all := pairs[nothing] + pairs[identity] + pairs[meaning] + pairs[use]
	share := func(n int) float64 { return float64(n) / float64(max(all, 1)) }
	return Noise{
		Pairs:     all,
		Surviving: share(all - pairs[nothing]),
		Identity:  share(pairs[identity]),
		HowNet:    share(pairs[meaning]),
		Vectors:   share(pairs[use]),
	}
}
