package compile

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

const (
	// maxSamples is how many texts are kept. Of more, a random choice is: its
	// quantiles are those of all texts to half a percent.
	maxSamples = 100_000

	// maxWhole is how many are with the words of whole pages: some five times as many.
	maxWhole = 20_000

	// maxTimes limits how many texts one text represents.
	maxTimes = 100

	// longText is the number of distinct words from which a text without title
	// is taken for the main text of a page, not for a headline.
	longText = 25
)

// Sample is one text, as distinct words (segment.Words) of each scored part of
// a page; nil if there is no such part.
type Sample struct {
	Description []string // of title, description and keywords
	Anchor      []string // what a link to the page would say: its title
	Body        []string // of the main text
	Page        []string // of all visible text
	Times       int      // how many texts it represents, 1 to 100; 0 is 1
	Fate        Fate     // the crawl's verdict on the page
	Place       string   // host and section of the page (placeOf); "" if unknown
	Kind        string   // of its address (kindOf)
	Address     Address
	Links       []Address // of the page

	At corpus.Location // of the page in the archive; zero if unknown
}

// Fate says whether a crawl took a page for one on its topic.
type Fate int8

// The fates.
const (
	Unjudged   Fate = iota // the text is not from a crawl
	Kept                   // a document of the crawl's corpus
	PassedOver             // a page that the crawl rejected as off topic
	Disputed               // one whose head is on the topic, rejected for its main text
)

// newSample makes a sample of the texts of a page; words splits them. A text
// without title that has fewer than 25 distinct words is a headline: it serves
// as description and anchor.
func newSample(title, description, text string, words func(string) []string) Sample {
	var s Sample
	about := strings.TrimSpace(title + "\n" + description)
	if strings.TrimSpace(text) != "" {
		s.Body = words(text)
	}
	switch {
	case about != "":
		s.Description, s.Anchor = words(about), words(title)
	case len(s.Body) < longText:
		s.Description, s.Anchor, s.Body = s.Body, s.Body, nil
	}
	return s
}

// Samples are texts on the topic and others, as a crawl finds them, unlabelled
// except by the crawl. They serve to calibrate thresholds and refine topics.
// The zero value is empty and ready for use.
//
// It keeps at most 100,000 texts, or 20,000 of ReadCrawl, a random choice of more, and of each the
// words as numbers: some 400 bytes for 100 words.
type Samples struct {
	numbers map[string]int32 // of the words
	words   []string
	texts   []numbered
	added   int
	random  *rand.Rand  // with a fixed seed: the same texts, the same choice
	most    int         // texts; 0: maxSamples
	links   [][]Address // of each page
}

// numbered is a Sample with numbers for words.
type numbered struct {
	description, anchor, body, page []int32
	times                           int
	fate                            Fate
	place, kind                     string
	address                         Address
	at                              corpus.Location
}

// Add adds a text. It keeps no part of the sample. A text without words is
// left out, but for the links of its page.
func (s *Samples) Add(sample Sample) {
	if len(sample.Links) > 0 && len(s.links) < maxLinking {
		s.links = append(s.links, sample.Links)
	}
	if len(sample.Description)+len(sample.Anchor)+len(sample.Body)+len(sample.Page) == 0 {
		return
	}
	s.added++
	place, most := len(s.texts), cmp.Or(s.most, maxSamples)
	if place >= most {
		if s.random == nil {
			s.random = rand.New(rand.NewPCG(1, 2))
		}
		if place = s.random.IntN(s.added); place >= most {
			return
		}
	} else {
		s.texts = append(s.texts, numbered{})
	}
	s.texts[place] = numbered{
		description: s.number(sample.Description),
		anchor:      s.number(sample.Anchor),
		body:        s.number(sample.Body),
		page:        s.number(sample.Page),
		times:       min(max(sample.Times, 1), maxTimes),
		fate:        sample.Fate,
		place:       sample.Place,
		kind:        sample.Kind,
		address:     sample.Address,
		at:          sample.At,
	}
}

// Len returns how many texts there are.
func (s *Samples) Len() int { return len(s.texts) }

// number returns the numbers of words.
func (s *Samples) number(words []string) []int32 {
	if s.numbers == nil {
		s.numbers = make(map[string]int32)
	}
	numbers := make([]int32, len(words))
	for i, word := range words {
		n, ok := s.numbers[word]
		if !ok {
			n = int32(len(s.words))
			word = strings.Clone(word) // it may be a substring of a whole page
			s.numbers[word] = n
			s.words = append(s.words, word)
		}
		numbers[i] = n
	}
	return numbers
}

// spelled returns the words of numbers.
func (s *Samples) spelled(numbers []int32) []string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = s.words[n]
	}
	return words
}

// scorer returns Rel of a part of a text, as the lexicon would give it. It
// looks every word up once.
func (s *Samples) scorer(l *topic.Lexicon) func(part []int32) float64 {
	values := make([]float64, len(s.words))
	for i := range s.words {
		values[i] = l.Value(s.words[i : i+1])
	}
	return func(part []int32) float64 {
		if len(part) == 0 {
			return 0
		}
		var sum float64
		for _, word := range part {
			sum += values[word]
		}
		return sum / float64(len(part))
	}
}

// full returns the texts with a main text, and a function for that part, title
// and main text; if there are none, all texts and their descriptions.
func (s *Samples) full() (texts []numbered, part func(*numbered) []int32) {
	hasBody := func(t numbered) bool { return len(t.body) > 0 }
	if !slices.ContainsFunc(s.texts, hasBody) {
		return s.texts, func(t *numbered) []int32 { return t.description }
	}
	for _, t := range s.texts {
		if hasBody(t) {
			texts = append(texts, t)
		}
	}
	return texts, func(t *numbered) []int32 { return t.body }
}

// whole returns the texts that full does, and a function for all words of a page, or of
// that part where these are unknown.
func (s *Samples) whole() (texts []numbered, words func(*numbered) []int32) {
	texts, part := s.full()
	return texts, func(t *numbered) []int32 {
		if len(t.page) > 0 {
			return t.page
		}
		return part(t)
	}
}
