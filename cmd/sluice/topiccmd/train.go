package topiccmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/topic/textfile"
	"sluice/shared/topic/wordvec"
)

// trainOptions are the flags of topic train.
type trainOptions struct {
	texts, fields, topics []string
	out, format, language string
	training              wordvec.Training
}

func newTopicTrain(s cli.Streams) *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train --text FILE… --out VEC",
		Short: "Train word vectors on text",
		Long: `Train word vectors on text: skip-gram with negative sampling.

FILE is plain text, JSON lines, a MediaWiki dump, HTML or WARC, also compressed
(gzip, zstd, bzip2), or a folder of such files. Text is cut into words as a
crawl cuts it, without stop words; the words of --topic are kept whole.

Memory is bounded by the vocabulary, not by the text. An interrupt keeps what
was learned in VEC.checkpoint, and the same command continues from there. With
--threads 1 the same text and flags give the same vectors.`,
		Example: `  sluice topic train --text news.txt.zst --out news.bin
  sluice topic train --out wiki.vec --topic my.yaml --text zhwiki-latest-pages-articles.xml.bz2`,
		Args: cobra.ArbitraryArgs,
	}
	o.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*trained, error) {
		o.texts = append(o.texts, args...)
		if err := o.check(); err != nil {
			return nil, err
		}
		return runTrain(ctx, s, &o)
	}, trainedPage)
}

func trainedPage(w *bytes.Buffer, r *trained) {
	fmt.Fprintf(w, "%s: %s of %d components (%s), trained on %s\n", r.Out,
		cli.Count(r.Words, "word"), r.Dim, r.Format, cli.Count(r.Documents, "document"))
}

// trained is what the command prints as JSON.
type trained struct {
	Out       string  `json:"out"`
	Format    string  `json:"format"`
	Language  string  `json:"language"`
	Words     int     `json:"words"` // of the vocabulary
	Dim       int     `json:"dim"`
	Documents int     `json:"documents"`
	LeftOut   int     `json:"left_out"` // documents that could not be read
	Trained   int64   `json:"trained_words"`
	Loss      float64 `json:"loss"`
}

// runTrain trains and writes the vectors. The first interrupt leaves the
// checkpoint, the second does not wait for it.
func runTrain(ctx context.Context, s cli.Streams, o *trainOptions) (*trained, error) {
	sc := cli.NewScreen(s.Err)
	corpus, err := o.corpus(s, sc)
	if err != nil {
		return nil, err
	}
	ctx, halt := context.WithCancel(ctx)
	defer halt()
	brokenOff := make(chan struct{})
	defer cli.OnInterrupt(
		func() {
			fmt.Fprintln(sc, "stopping; interrupt again to break off")
			halt()
		},
		func() { close(brokenOff) },
	)()
	type end struct {
		result *trained
		err    error
	}
	ended := make(chan end, 1)
	go func() {
		result, err := o.train(ctx, newTrainView(sc), corpus)
		ended <- end{result, err}
	}()
	select {
	case e := <-ended:
		return e.result, e.err
	case <-brokenOff: // the process ends, and the training with it
		return nil, interrupted(o.out + ".checkpoint")
	}
}

// train trains, from the checkpoint on if there is one.
func (o *trainOptions) train(ctx context.Context, view *trainView, corpus *trainCorpus) (*trained, error) {
	checkpoint := o.out + ".checkpoint"
	if _, err := os.Stat(checkpoint); err == nil {
		fmt.Fprintf(view.sc, "going on from %s\n", checkpoint)
	}
	t := o.training
	t.Checkpoint, t.Progress, corpus.onRead = checkpoint, view.trained, view.read
	vectors, err := wordvec.Train(ctx, corpus, t)
	view.end()
	corpus.damage.end()
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, interrupted(checkpoint)
	case err != nil:
		return nil, err
	}
	if err := cli.ReplaceFile(o.out, writerOf(vectors, o.format)); err != nil {
		return nil, err
	}
	if err := os.Remove(checkpoint); err != nil {
		return nil, fmt.Errorf("remove checkpoint: %w", err)
	}
	return &trained{
		Out: o.out, Format: o.format, Language: corpus.language, Words: vectors.Len(), Dim: vectors.Dim(),
		Documents: corpus.documents, LeftOut: corpus.damage.all, Trained: view.last.Words, Loss: view.last.Loss,
	}, nil
}

// interrupted says how to continue an interrupted training.
func interrupted(checkpoint string) error {
	if _, err := os.Stat(checkpoint); err != nil {
		return cli.Stopped("stopped early, before the training began: the same command begins again")
	}
	return cli.Stopped(fmt.Sprintf("stopped early: continue with the same command from %s", checkpoint))
}

func writerOf(v *wordvec.Vectors, format string) func(io.Writer) error {
	if format == formatBinary {
		return v.WriteBinary
	}
	return v.WriteText
}

// corpus opens the texts, and cuts them with the words of the topics in mind.
func (o *trainOptions) corpus(s cli.Streams, sc *cli.Screen) (*trainCorpus, error) {
	var words []string
	language := o.language
	for _, path := range o.topics {
		compiled, err := topic.LoadAny(path)
		if err != nil {
			return nil, err
		}
		switch named := compiled.File.Language; {
		case language == "":
			language = named
		case language != named:
			return nil, cli.Usage(fmt.Errorf("the topic %s is in the language %s, the text in %s", path, named, language))
		}
		words = append(words, compiled.UserWords...)
	}
	language = cmp.Or(language, "zh")
	segmenter, err := segment.NewFor(language, words)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("cut text of language %q: %w", language, err))
	}
	source, err := textfile.Open(o.texts, textfile.Options{Fields: o.fields, Stdin: s.In})
	if err != nil {
		return nil, err
	}
	if _, total := source.Progress(); total < 0 {
		return nil, cli.Usage(errors.New("--text: text is read twice, and one of these is a stream: write it to a file first"))
	}
	return &trainCorpus{source: source, segmenter: segmenter, language: language, damage: &skips{w: sc}}, nil
}
