package topiccmd

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
)

// inspectPage is an inspection, for people.
func inspectPage(w *bytes.Buffer, r *inspection) {
	kind := "topic file, not compiled: words are similar to themselves alone"
	if r.Compiled {
		kind = fmt.Sprintf("compiled topic, version %d", r.Meta.Version)
	}
	fmt.Fprintf(w, "%s in %s: %s, %.1f KB\nid %s\n\n", r.Topic, r.Meta.Language, kind, float64(r.Bytes)/1e3, r.ID)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "words\t%d topic words, vocabulary of %d, %d of them with c above 0, %d kept whole in texts\n",
		r.TopicWords, r.Vocabulary, r.Relevant, r.UserWords)
	if r.Compiled {
		b := r.Meta.Similarity
		fmt.Fprintf(t, "similarity\tTh1 %g, Th2 %g, α %g, β %g\n", b.Th1, b.Th2, b.Alpha, b.Beta)
	}
	fmt.Fprintf(t, "mean weight\t%.4g\n", r.Meta.MeanWeight)
	fmt.Fprintf(t, "priority\tα %.4g, β %.4g, λ %.4g\n", r.Weights.Alpha, r.Weights.Beta, r.Weights.Lambda)
	for _, source := range [][2]string{{"vectors", r.Meta.Vectors}, {"HowNet", r.Meta.HowNet}, {"weights", r.Meta.Weights}} {
		if r.Compiled {
			fmt.Fprintf(t, "%s\t%s\n", source[0], cmp.Or(source[1], "none"))
		}
	}
	f := r.Meta.Segmenter
	fmt.Fprintf(t, "segmenter\tdictionary %s, stop words %s, parts of speech %s, conversion %s, rules %s\n",
		f.Dictionary, f.StopWords, f.PartsOfSpeech, f.Conversion, f.Rules)
	_ = t.Flush() // to memory
	printThresholds(w, r.Thresholds, r.Meta.Calibration)
	printSpread(w, r.Meta.Calibration)
	printHeaviest(w, r.Heaviest)
	for i := range r.Words {
		printInspected(w, &r.Words[i])
	}
	for i := range r.Texts {
		fmt.Fprintln(w)
		printScored(w, &r.Texts[i])
	}
}

func printInspected(w *bytes.Buffer, word *inspectedWord) {
	fmt.Fprintf(w, "\n%s: c %.4g, weight %.4g: %s\n", cli.Clean(word.Form), word.Value, word.Weight, cli.Clean(word.Reason))
	if len(word.Yields) > 0 && !(len(word.Yields) == 1 && word.Yields[0] == word.Form) {
		fmt.Fprintf(w, "  in texts: %s\n", cli.Clean(strings.Join(word.Yields, " + ")))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, share := range word.Top {
		fmt.Fprintf(t, "  %s\tSim %.4f\tweight %.4g\tgives %.4g\n", cli.Clean(share.Topic), share.Sim, share.Weight, share.Value)
	}
	_ = t.Flush() // to memory
}
