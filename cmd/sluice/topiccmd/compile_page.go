package topiccmd

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic"
)

// compilePage is the report of a compilation, for people.
func compilePage(w *bytes.Buffer, r *compilation) {
	fmt.Fprintf(w, "%s: topic %s in %s, %.1f KB, %.1f s\nid %s\n\n", r.Out, r.Topic, r.Language, float64(r.Bytes)/1e3, r.Seconds, r.ID)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "vocabulary\t%s: %d with a vector, %d in HowNet, %d topic words, %d new to the segmenter\n",
		cli.Count(r.Vocabulary, "word"), r.Vectors, r.HowNet, r.TopicWords, r.NewWords)
	fmt.Fprintf(t, "relevant\t%.2f %% of them have c above 0\n", 100*r.Words.Reaching)
	fmt.Fprintf(t, "noise floor\t%.4f %% of %d pairs survive algorithm 1: same word %.4f %%, HowNet %.4f %%, vectors %.4f %%\n",
		100*r.Noise.Surviving, r.Noise.Pairs, 100*r.Noise.Identity, 100*r.Noise.HowNet, 100*r.Noise.Vectors)
	fmt.Fprintf(t, "similarity\tTh1 %g, Th2 %g, α %g, β %g\n", r.Similarity.Th1, r.Similarity.Th2, r.Similarity.Alpha, r.Similarity.Beta)
	fmt.Fprintf(t, "mean weight\t%.4g\n", r.MeanWeight)
	_ = t.Flush() // to memory
	printThresholds(w, r.Thresholds, r.Calibration)
	printSpread(w, r.Calibration)
	printHeaviest(w, r.Heaviest)
	printUnknown(w, r.Unknown)
}

func printThresholds(w *bytes.Buffer, list []threshold, told *topic.Calibration) {
	fmt.Fprint(w, "\nThresholds")
	if told != nil && told.Samples > 0 {
		fmt.Fprintf(w, ", by %s (fallback %.4g)", cli.Count(told.Samples, "sample"), told.Fallback)
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range list {
		note := one.From
		if one.Clamped {
			note += ", drawn in: the samples show no clear split"
		}
		fmt.Fprintf(t, "%s\t%.4g\t%s\n", one.Name, one.Value, note)
	}
	_ = t.Flush() // to memory
}

// printSpread prints how c and Rel spread.
func printSpread(w *bytes.Buffer, told *topic.Calibration) {
	if told == nil || len(told.Spread) == 0 {
		return
	}
	fmt.Fprint(w, "\nDistribution of c (word) and of Rel on the samples, and on those off the topic\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "of\tcount\tmean\t")
	for _, q := range quantilesOf(told.Spread) {
		fmt.Fprintf(t, "%g %%\t", 100*q.Share)
	}
	fmt.Fprintln(t, "reaching\t")
	for _, d := range told.Spread {
		if d.Count == 0 {
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%.3g\t", d.Of, d.Count, d.Mean)
		for _, q := range d.Quantiles {
			fmt.Fprintf(t, "%.3g\t", q.Value)
		}
		fmt.Fprintf(t, "%.2f %%\t\n", 100*d.Reaching)
	}
	_ = t.Flush() // to memory
}

func quantilesOf(spread []topic.Distribution) []topic.Quantile {
	for _, d := range spread {
		if len(d.Quantiles) > 0 {
			return d.Quantiles
		}
	}
	return nil
}

// printHeaviest prints rows of the lexicon with what they rest on.
func printHeaviest(w *bytes.Buffer, rows []topic.Row) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "\nHeaviest words\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "word\tc\tweight\tsimilar to\n")
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t%.4g\t%.4g\t%s\n", cli.Clean(row.Word), row.Value, row.Weight, shares(row.Top))
	}
	_ = t.Flush() // to memory
}

// shares names topic words with their similarity.
func shares(top []topic.Share) string {
	parts := make([]string, len(top))
	for i, share := range top {
		parts[i] = fmt.Sprintf("%s %.2f", cli.Clean(share.Topic), share.Sim)
	}
	return strings.Join(parts, ", ")
}

func printUnknown(w *bytes.Buffer, u unknownWords) {
	if len(u.Words) == 0 {
		return
	}
	fmt.Fprintf(w, "\nWords of the samples outside the vocabulary: %.1f %% of all; the most frequent\n", 100*u.Ratio)
	items := make([]string, len(u.Words))
	for i, word := range u.Words {
		items[i] = fmt.Sprintf("%s %d", cli.Clean(word.Word), word.Seen)
	}
	fmt.Fprintln(w, cli.Wrap("", items))
}

// some lists words, and how many more there are.
func some(words []string) string {
	const shown = 20
	if more := len(words) - shown; more > 0 {
		return strings.Join(words[:shown], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(words, ", ")
}
