package compile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"sluice/shared/text/language"
	"sluice/shared/topic"
	"sluice/shared/topic/textfile"
)

const (
	// fewExamples is the least number of pages that make a topic. Twenty are
	// good, fifty better.
	fewExamples = 3

	// Pages are few, and all on the topic, so a word counts from the second page
	// that has it, and class weights ask for little more (ClassWeights).
	leastExamples = 2
	shrinkPages   = 1

	draftWords = 200 // of a topic by default
	draftSeeds = 200
)

// PagesOptions are the optional inputs of FromPages.
type PagesOptions struct {
	// Language of the topic; "" is the one that most pages are in.
	Language string

	// Words is how many words the topic gets at most, 0: 200.
	Words int

	// Background are texts about other things, best of all unlabelled pages of
	// the sites that the pages are from. Without any, words are judged by how
	// common they are in the language, which Chinese and English have figures for.
	Background iter.Seq2[textfile.Document, error]
}

// Draft is a topic made from pages.
type Draft struct {
	File       *topic.File `json:"-"`
	YAML       []byte      `json:"-"` // the topic file
	Language   string      `json:"language"`
	Pages      int         `json:"pages"`      // that the words are from
	Foreign    int         `json:"foreign"`    // pages left out: in another language
	Background int         `json:"background"` // texts that they were compared with; 0: the dictionary
	Words      []Candidate `json:"words"`      // the best first
	Weights    *Weights    `json:"-"`          // of all words of pages and background (METHOD B1)
}

// FromPages makes a topic of example pages: the words that mark them against
// the background, as they are written, with their class weights, best words first, and the pages and
// the home pages of their hosts as seeds (METHOD B1). The pages are the texts
// that textfile reads; those without a web address give no seed.
//
// It is an error if there are fewer than three pages in one language, fewer
// than ten texts in the background, or no word that marks the pages.
func FromPages(ctx context.Context, name string, pages []textfile.Document, o PagesOptions) (*Draft, error) {
	d, err := fromPages(ctx, name, pages, &o)
	if err != nil {
		return nil, fmt.Errorf("make topic from pages: %w", err)
	}
	return d, nil
}

func fromPages(ctx context.Context, name string, pages []textfile.Document, o *PagesOptions) (*Draft, error) {
	d := &Draft{Language: o.Language}
	if d.Language == "" {
		d.Language = languageOf(pages)
	}
	examples := slices.DeleteFunc(slices.Clone(pages), func(p textfile.Document) bool {
		return !language.Detect(p.Title + "\n" + p.Text).Fits(d.Language)
	})
	d.Pages, d.Foreign = len(examples), len(pages)-len(examples)
	switch {
	case d.Pages < fewExamples && d.Foreign > 0:
		return nil, fmt.Errorf("%d of %d pages are in the language %s, fewer than %d: give more, some twenty are good",
			d.Pages, len(pages), d.Language, fewExamples)
	case d.Pages < fewExamples:
		return nil, fmt.Errorf("%d pages with text, fewer than %d: give more, some twenty are good", d.Pages, fewExamples)
	}
	if o.Background == nil && !HasFrequencies(d.Language) {
		return nil, fmt.Errorf("there are no word frequencies for the language %s: give a background, texts about other things", d.Language)
	}
	prose, err := NewProse(d.Language, nil)
	if err != nil {
		return nil, fmt.Errorf("make segmenter: %w", err)
	}
	domain, background, err := countPages(ctx, prose, examples, o.Background)
	if err != nil {
		return nil, err
	}
	at := newPlaces()
	for _, p := range examples {
		at.add(placeOf(p.ID), prose.Words(p.Title+"\n"+p.Text))
	}
	if o.Background != nil {
		d.Background = background.Documents
	}
	d.Weights = classWeights(domain, background, shrinkPages, leastExamples)
	if o.Background != nil && primary(d.Language) == "zh" {
		d.Weights.atMost(classWeights(domain, dictionaryBackground(domain, frequencies(d.Language)), shrinkPages, leastExamples))
	}
	d.Words = bestWords(d.Language, d.Weights, domain, background, at, min(max(o.Words, 0), maxTopicWords))
	for i := range d.Words {
		d.Words[i].Word = prose.Written(d.Words[i].Word)
	}
	if len(d.Words) == 0 {
		return nil, errors.New("no word marks the pages: give pages that have a topic in common, and a background about other things")
	}
	d.YAML = draftFile(name, d, seedsOf(examples))
	if d.File, err = topic.Parse(name, d.YAML); err != nil {
		return nil, err
	}
	return d, nil
}

// languageOf returns the language that most pages are in; of languages that are
// equally frequent, the first.
func languageOf(pages []textfile.Document) string {
	most, best := 0, "zh"
	in := make(map[string]int)
	for _, p := range pages {
		tag := language.Detect(p.Title + "\n" + p.Text).Language
		if tag == "" || tag == language.Undetermined {
			continue
		}
		if in[tag]++; in[tag] > most {
			most, best = in[tag], tag
		}
	}
	return best
}

// primary returns the primary language of a tag such as zh-TW.
func primary(tag string) string {
	subtag, _, _ := strings.Cut(tag, "-")
	return subtag
}

// countPages counts the words of the pages and of the background.
func countPages(ctx context.Context, prose *Prose, pages []textfile.Document, others iter.Seq2[textfile.Document, error]) (domain, background *Counts, err error) {
	domain, err = Count(ctx, func(yield func(string, error) bool) {
		for _, p := range pages {
			if !yield(p.Title+"\n"+p.Text, nil) {
				return
			}
		}
	}, prose)
	if err != nil {
		return nil, nil, fmt.Errorf("count words of the pages: %w", err)
	}
	if others == nil {
		return domain, dictionaryBackground(domain, frequencies(prose.language)), nil
	}
	background, err = Count(ctx, func(yield func(string, error) bool) {
		for p, err := range others {
			if !yield(p.Title+"\n"+p.Text, err) {
				return
			}
		}
	}, prose)
	if err != nil {
		return nil, nil, fmt.Errorf("count words of the background: %w", err)
	}
	if background.Documents < fewTexts {
		return nil, nil, fmt.Errorf("the background has %d texts, fewer than %d: add texts about other things, or leave it out",
			background.Documents, fewTexts)
	}
	return domain, background, nil
}

// bestWords returns the best n words of a language, without parts of names of the
// texts' hosts; 0 means 200.
func bestWords(tag string, w *Weights, domain, background *Counts, at *places, n int) []Candidate {
	n = cmp.Or(n, draftWords)
	var found []Candidate
	for word, class := range w.Words {
		if weight := rounded(class); weight > 0 && proposable(tag, word) && !at.hosts[word] {
			found = append(found, Candidate{
				Word: word, Weight: weight, Class: class,
				Relevant: domain.In[word], Background: background.In[word], Reason: "marks the pages",
			})
		}
	}
	slices.SortFunc(found, better)
	return slices.Clip(found[:min(len(found), n)])
}

// seedsOf returns the home pages of the pages' hosts, and the pages.
func seedsOf(pages []textfile.Document) []string {
	var homes, addresses []string
	for _, p := range pages {
		u, err := url.Parse(p.ID)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
			continue
		}
		u.User, u.Fragment = nil, "" // a password would be kept in the corpus
		address := u.String()
		homes = append(homes, u.Scheme+"://"+u.Host+"/")
		addresses = append(addresses, address)
	}
	var seeds []string
	for _, seed := range slices.Concat(homes, addresses) {
		if len(seed) <= 2048 && !slices.Contains(seeds, seed) && len(seeds) < draftSeeds {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// draftFile writes the topic file.
func draftFile(name string, d *Draft, seeds []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "name: %q\nlanguage: %q\n\n", name, d.Language)
	fmt.Fprintf(&b, "# Words that mark %d example pages, the best first. Delete those that do not\n# belong to the topic.\nwords:\n", d.Pages)
	for _, word := range d.Words {
		fmt.Fprintf(&b, "  - %v\n", topicEntry{word.Word, word.Weight})
	}
	if len(seeds) > 0 {
		b.WriteString("\n# The home pages of the pages' hosts, and the pages.\nseeds:\n")
		for _, seed := range seeds {
			fmt.Fprintf(&b, "  - %q\n", seed)
		}
	}
	return []byte(b.String())
}
