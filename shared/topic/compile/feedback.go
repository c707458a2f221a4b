package compile

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

const (
	// leastAuthor is the least weight of the author's words in Feedback: that of
	// a word 7 times as likely on the topic as off it.
	leastAuthor = 2

	// The threshold is ofCut of Otsu's cut, which the many pages far off the topic pull too
	// high, and ofOthers of the mean below it: where these have much in common with the
	// topic, more is asked. Chosen on half of the topics of two webs (ADR 19).
	ofCut    = 0.7
	ofOthers = 0.8

	// A site with textsOfSite texts and more has a threshold of its own, if that is lower,
	// where the mean of its texts above its own cut is at least likeTopic of the threshold of
	// all: it writes of the topic in other words, while that of a site without the topic
	// splits what is off it.
	textsOfSite = 100
	likeTopic   = 0.7
)

// ErrFewTexts says that a crawl has too few texts on the topic, or off it, to
// learn from.
var ErrFewTexts = errors.New("too few texts to learn from")

// Feedback judges texts by what the texts of a crawl have in common that were
// judged by the words of the author: relevance feedback without a user (METHOD B1,
// B2).
type Feedback struct {
	Threshold float64     // the relevance from which a page is on the topic, see ThresholdOf
	On, Off   int         // texts on the topic and off it that words were learned from
	Learned   []Candidate // the best first

	weights map[string]float64 // of forms; their vector has length 1
	alike   *alike
	kinds   kinds
	values  map[corpus.Location]float64 // of pages that it learned from
	sites   map[string]float64          // the thresholds of sites with their own
}

// LearnFeedback learns from the texts of a crawl, cut by p: up to 300 words besides
// those of the topic, and a threshold. A word may be of one section alone, as most are
// where a site has a section for the topic. Fewer than ten texts on the topic, or off
// it, are ErrFewTexts. What the threshold for texts alone refused counts as neither.
func LearnFeedback(file *topic.File, crawl *Samples, p *Prose) (*Feedback, error) {
	texts, part := crawl.full()
	on, off := crawl.count(texts, part, Kept), crawl.count(texts, part, PassedOver)
	if on.Documents < fewTexts || off.Documents < fewTexts {
		return nil, fmt.Errorf("%w: %d on the topic, %d off it", ErrFewTexts, on.Documents, off.Documents)
	}
	at := newPlaces()
	for i := range texts {
		at.add(texts[i].place, nil)
	}
	f := &Feedback{On: on.Documents, Off: off.Documents}
	may := func(form string) bool { return meaningful(form) && !at.hosts[form] && !p.Proper(form) }
	f.learn(file, on, off, may)
	f.alike = newAlike(crawl, func(form string) bool { return f.weights[form] > 0 || may(form) }, f.cosine)
	for i := range f.Learned {
		f.Learned[i].Word = p.Written(f.Learned[i].Word)
	}
	return f, f.calibrate(crawl)
}

// learn chooses the words by how much they mark the topic and how much of it, of those
// that may be words of a topic.
func (f *Feedback) learn(file *topic.File, on, off *Counts, may func(form string) bool) {
	weights := classWeights(on, off, shrinkCrawl, leastTexts)
	f.weights = make(map[string]float64, len(file.Words)+proposed)
	for _, word := range file.Words {
		form := comparedAs(file, word.Text)
		f.weights[form] = max(leastAuthor, weights.Words[form])
	}
	for form, weight := range weights.Words {
		if _, known := f.weights[form]; weight > 0 && !known && may(form) {
			f.Learned = append(f.Learned, Candidate{
				Word: form, Weight: rounded(weight), Class: weight, Relevant: on.In[form], Background: off.In[form], Related: true,
			})
		}
	}
	slices.SortFunc(f.Learned, better)
	f.Learned = f.Learned[:min(len(f.Learned), proposed)]
	for _, c := range f.Learned {
		f.weights[c.Word] = c.Class
	}
	var squares float64
	for _, form := range slices.Sorted(maps.Keys(f.weights)) { // in one order, for one sum
		squares += f.weights[form] * f.weights[form]
	}
	for form := range f.weights {
		f.weights[form] /= math.Sqrt(squares)
	}
}

// calibrate sets the thresholds.
func (f *Feedback) calibrate(crawl *Samples) error {
	texts, words := crawl.whole()
	f.values, f.sites = make(map[corpus.Location]float64, len(texts)), map[string]float64{}
	f.kinds = kinds{map[string]total{}, map[string]total{}}
	said := make([]float64, len(texts))
	for i := range texts {
		said[i] = f.said(crawl.spelled(words(&texts[i])))
		f.kinds.add(texts[i].kind, siteOf(texts[i].place), said[i], float64(texts[i].times))
	}
	cocited := f.kinds.cocited(crawl, texts, said)
	var all []float64
	ofSite := map[string][]float64{}
	for i := range texts {
		t := &texts[i]
		site := siteOf(t.place)
		v := said[i] * moderate(f.kinds.factor(t.kind, site, said[i], float64(t.times))*cocited[i])
		if t.at.Length > 0 {
			f.values[t.at] = v
		}
		for range t.times {
			all, ofSite[site] = append(all, v), append(ofSite[site], v)
		}
	}
	var ok bool
	if f.Threshold, _, ok = thresholdOf(all); !ok {
		return fmt.Errorf("%w: all are alike", ErrFewTexts)
	}
	for site, values := range ofSite {
		own, above, ok := thresholdOf(values)
		if ok && len(values) >= textsOfSite && own < f.Threshold && above >= likeTopic*f.Threshold {
			f.sites[site] = own
		}
	}
	return nil
}

// thresholdOf returns the threshold for these values, which it sorts, and the mean of those
// above Otsu's cut; false if they are all the same.
func thresholdOf(values []float64) (threshold, above float64, ok bool) {
	cut, ok := otsu(values)
	if !ok {
		return 0, 0, false
	}
	n, _ := slices.BinarySearch(values, cut)
	return ofCut*cut + ofOthers*mean(values[:n]), mean(values[n:]), true
}

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// ThresholdOf is the relevance from which a page with this URL is on the topic.
func (f *Feedback) ThresholdOf(pageURL string) float64 {
	if own, ok := f.sites[siteOf(placeOf(pageURL))]; ok {
		return own
	}
	return f.Threshold
}

// ValueAt is the relevance of a page that it learned from, by its place in the archive.
func (f *Feedback) ValueAt(at corpus.Location) (value float64, known bool) {
	value, known = f.values[at]
	return value, known
}

// Value is the relevance of a page with this URL and these distinct words, cut by Prose:
// what its words say, as much more or less as the pages of its kind are more or less relevant
// than those of its site. It is not below 0.
func (f *Feedback) Value(pageURL string, words []string) float64 {
	return f.said(words) * moderate(f.kinds.factor(kindOf(pageURL), siteOf(placeOf(pageURL)), 0, 0))
}

// said is the mean of what words say and what those of the texts of the crawl most like
// them do, 0 to 1.
func (f *Feedback) said(words []string) float64 {
	return (f.cosine(words) + f.alike.value(words)) / 2
}

// cosine is that of the words, all of weight 1, with those of the topic (METHOD B2).
func (f *Feedback) cosine(words []string) float64 {
	if len(words) == 0 {
		return 0
	}
	var sum float64
	for _, word := range words {
		sum += f.weights[word]
	}
	return sum / math.Sqrt(float64(len(words)))
}
