package topiccmd

import (
	"bytes"
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic/wordvec"
)

// nearestTable is what the command prints as JSON.
type nearestTable struct {
	Vectors    string        `json:"vectors"`
	Vocabulary int           `json:"vocabulary"`
	Dim        int           `json:"dim"`
	Words      []nearestWord `json:"words"`
}

// nearestWord is a word and those nearest to it.
type nearestWord struct {
	Word    string      `json:"word"` // as asked
	Form    string      `json:"form"` // as it was looked up
	Vector  string      `json:"vector"`
	Nearest []neighbour `json:"nearest"`
}

// The values of nearestWord.Vector.
const (
	vectorOwn      = "own"      // the word is in the vocabulary
	vectorComposed = "composed" // from the words that share characters with it
	vectorNone     = "none"
)

type neighbour struct {
	Word   string  `json:"word"`
	Cosine float64 `json:"cosine"`
}

func newTopicNearest(s cli.Streams) *cobra.Command {
	var n int
	cmd := &cobra.Command{
		Use:   "nearest VEC WORD…",
		Short: "Show the words that vectors hold for most similar",
		Long: `Show the words that vectors hold for most similar, with the cosine. The vector
of a word outside the vocabulary is composed from those of the words it shares
characters with, which is said.`,
		Example: "  sluice topic nearest news.bin 央行 加息",
		Args:    cli.WantSome("VEC", "WORD"),
	}
	cmd.Flags().IntVar(&n, "n", 10, "show `N` words")
	return cli.WithResult(s, cmd, func(_ context.Context, args []string) (*nearestTable, error) {
		if n < 1 || n > 10_000 {
			return nil, cli.Usage(fmt.Errorf("--n is %d: it must be 1 to 10,000", n))
		}
		return runNearest(args[0], args[1:], n)
	}, nearestPage)
}

func runNearest(path string, words []string, n int) (*nearestTable, error) {
	vectors, err := wordvec.Load(path)
	if err != nil {
		return nil, err
	}
	t := &nearestTable{Vectors: path, Vocabulary: vectors.Len(), Dim: vectors.Dim()}
	for _, word := range words {
		t.Words = append(t.Words, nearestTo(vectors, word, n))
	}
	return t, nil
}

func nearestTo(vectors *wordvec.Vectors, word string, n int) nearestWord {
	found := nearestWord{Word: word, Form: spelling(vectors, word), Nearest: []neighbour{}, Vector: vectorComposed}
	switch unit, known := vectors.Unit(found.Form); {
	case unit == nil:
		found.Vector = vectorNone
		return found
	case known:
		found.Vector = vectorOwn
	}
	for _, near := range vectors.Nearest(found.Form, n) {
		found.Nearest = append(found.Nearest, neighbour{near.Word, near.Cosine})
	}
	return found
}

// spelling returns a word as the vectors spell it: as it is, folded as texts
// are, or stemmed as in English ones. A word that they do not have is folded.
func spelling(vectors *wordvec.Vectors, word string) string {
	if vectors.Has(word) {
		return word
	}
	for _, language := range []string{"zh", "en"} {
		if form, err := segment.Form(language, word); err == nil && vectors.Has(form) {
			return form
		}
	}
	return segment.Fold(word)
}

// Failure is the error if no word has a vector.
func (t *nearestTable) Failure() error {
	for _, word := range t.Words {
		if word.Vector != vectorNone {
			return nil
		}
	}
	return fmt.Errorf("%s has no vector for these words, nor for parts of them", t.Vectors)
}

func nearestPage(w *bytes.Buffer, t *nearestTable) {
	for i, word := range t.Words {
		if i > 0 {
			fmt.Fprintln(w)
		}
		switch word.Vector {
		case vectorOwn:
			fmt.Fprintln(w, cli.Clean(word.Form))
		case vectorComposed:
			fmt.Fprintf(w, "%s: not in the vocabulary, composed from words that share characters with it\n", cli.Clean(word.Form))
		default:
			fmt.Fprintf(w, "%s: no vector\n", cli.Clean(word.Form))
		}
		rows := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, near := range word.Nearest {
			fmt.Fprintf(rows, "  %.4f\t%s\n", near.Cosine, cli.Clean(near.Word))
		}
		_ = rows.Flush() // to memory
	}
}
