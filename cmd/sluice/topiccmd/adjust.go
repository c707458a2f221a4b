package topiccmd

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
)

// adjustment is a word whose weight wants a look: it weighs more than most and
// yet occurs in texts of all kinds, as 中国 and 国家 do (METHOD A6).
type adjustment struct {
	Word       string   `json:"word"`
	Weight     float64  `json:"weight"`
	Everywhere float64  `json:"everywhere"`         // share of texts of any kind that have it
	By         string   `json:"by"`                 // what tells of them: background, dictionary or corpus
	Suggested  float64  `json:"suggested"`          // the mean weight
	Adjusted   *float64 `json:"adjusted,omitempty"` // by the topic file
	TopicWord  bool     `json:"topic_word"`
}

const (
	// everywhere is the share of texts of any kind from which on a word tells
	// little about a topic.
	everywhere = 0.1
	// articleWords is the length of the texts that a dictionary knows nothing
	// of: an article's, stop words included.
	articleWords = 300
	// The paper adjusted 38 of 88,820 words.
	adjustmentsShown = 40
)

// adjustments are the words to adjust, those first that weigh most in most
// texts, and all that the file adjusts and the corpus has.
func adjustments(rows []weightRow, mean float64, domain, background *compile.Counts, file *topic.File) []adjustment {
	share, by := commonness(domain, background, file.Language)
	set := make(map[string]float64, len(file.Adjust))
	for word, weight := range file.Adjust {
		if form, err := segment.Form(file.Language, word); err == nil {
			set[form] = weight
		}
	}
	found := []adjustment{}
	for _, row := range rows {
		a := adjustment{
			Word: row.Word, Weight: row.Weight, Everywhere: share(row.Word), By: by,
			Suggested: rounded(mean), TopicWord: row.TopicWord,
		}
		if weight, ok := set[row.Word]; ok {
			a.Adjusted = &weight
		}
		if a.Adjusted != nil || a.Weight > mean && a.Everywhere >= everywhere {
			found = append(found, a)
		}
	}
	slices.SortStableFunc(found, func(a, b adjustment) int {
		return cmp.Compare(b.Weight*b.Everywhere, a.Weight*a.Everywhere)
	})
	shown := 0
	return slices.DeleteFunc(found, func(a adjustment) bool {
		if a.Adjusted == nil {
			shown++
		}
		return a.Adjusted == nil && shown > adjustmentsShown
	})
}

// commonness tells the share of texts of any kind that have a word: by the
// background, else by the dictionary, which has figures for Chinese, else by
// the corpus itself.
func commonness(domain, background *compile.Counts, language string) (share func(word string) float64, by string) {
	of := func(c *compile.Counts) func(string) float64 {
		return func(word string) float64 { return float64(c.In[word]) / float64(max(c.Documents, 1)) }
	}
	switch {
	case background != nil:
		return of(background), "background"
	case isChinese(language):
		return func(word string) float64 { return -math.Expm1(-articleWords * segment.Frequency(word)) }, "dictionary"
	}
	return of(domain), "corpus"
}

// isChinese reports whether a language is Chinese.
func isChinese(language string) bool { return language == "zh" || strings.HasPrefix(language, "zh-") }

// rounded leaves three significant digits, as a person would write it.
func rounded(weight float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(weight, 'g', 3, 64), 64)
	return short
}

func weighPage(w *bytes.Buffer, r *weighing) {
	fmt.Fprintf(w, "%s: %s weighed by %s", r.Topic, cli.Count(r.Words, "word"), cli.Count(r.Documents, "document"))
	if r.Formula == formulaClass {
		fmt.Fprintf(w, " on the topic against %d others", r.Background)
	}
	fmt.Fprintf(w, "; mean %.4g\n%s\n\nHeaviest\n", r.Mean, r.Out)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "word\tweight\tdocuments\tbackground\n")
	for _, row := range r.Heaviest {
		fmt.Fprintf(t, "%s\t%.4g\t%d\t%d", cli.Clean(row.Word), row.Weight, row.Documents, row.Background)
		if row.TopicWord {
			fmt.Fprint(t, "\ttopic word")
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to memory
	printAdjustments(w, r.Adjust)
}

// printAdjustments prints them as lines for the topic file.
func printAdjustments(w *bytes.Buffer, adjust []adjustment) {
	if len(adjust) == 0 {
		fmt.Fprint(w, "\nNo word weighs much and occurs everywhere: there is nothing to adjust.\n")
		return
	}
	fmt.Fprint(w, "\n# Heavy, and yet in texts of all kinds: keep in the topic file what says little.\nadjust:\n")
	for _, a := range adjust {
		note, weight := fmt.Sprintf("%.3g by the corpus, in %.0f %% of texts by the %s", a.Weight, 100*a.Everywhere, a.By), a.Suggested
		if a.TopicWord {
			note += ", a topic word"
		}
		if a.Adjusted != nil {
			note, weight = "adjusted already; "+note, *a.Adjusted
		}
		fmt.Fprintf(w, "  %s: %s  # %s\n", strconv.Quote(a.Word), strconv.FormatFloat(weight, 'f', -1, 64), note)
	}
}
