package topiccmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/topic/directsum"
	"sluice/shared/topic/textfile"
)

// scoreOptions are the flags of topic score.
type scoreOptions struct {
	topic  string
	texts  []string
	fields []string
	direct bool
	from   compileSources
	json   bool
}

func newTopicScore(s cli.Streams) *cobra.Command {
	var o scoreOptions
	cmd := &cobra.Command{
		Use:   "score TOPIC FILE…",
		Short: "Score documents: relevance of title with description, and of title with text",
		Long: `Score documents: the relevance of title and description, and that of title and
main text, with the words that carry them, and whether they reach the topic's
thresholds (METHOD A8). FILE is HTML, WARC, text, JSON lines, the folder of a
crawl, or "-".

--direct computes, beside what the compiled topic gives, the double sum over
words and topic words, from the files that the topic was compiled from, and
fails where the two differ by more than a millionth.`,
		Example: `  sluice topic score my.topic page.html
  sluice topic score my.topic out/my --direct --vectors news.bin --weights my.tsv`,
		Args: cli.WantSome("TOPIC", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.topic, o.texts = args[0], args[1:]
			if len(o.from.given()) > 0 && !o.direct {
				return cli.Usage(errors.New("--vectors, --hownet and --weights go with --direct"))
			}
			return runScore(cmd.Context(), s, &o)
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func (o *scoreOptions) register(fl *pflag.FlagSet) {
	fl.StringArrayVar(&o.fields, "field", nil, "field `NAME` of JSON lines that holds text; repeatable")
	fl.BoolVar(&o.direct, "direct", false, "check the compiled topic against the double sum")
	o.from.register(fl)
	fl.BoolVar(&o.json, "json", false, "print the result as JSON")
}

// scored is the relevance of a document.
type scored struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Description partScore `json:"description"` // of title and description
	Body        partScore `json:"body"`        // of the main text
}

// partScore is the relevance of one part of a document.
type partScore struct {
	topic.Relevance
	Threshold float64  `json:"threshold"`
	Reaches   bool     `json:"reaches"`
	Direct    *float64 `json:"direct,omitempty"` // the double sum
}

// scoreSummary ends the output of the command.
type scoreSummary struct {
	Documents   int      `json:"scored"`
	LeftOut     int      `json:"left_out"`
	Description int      `json:"reach_description"`
	Body        int      `json:"reach_body"`
	Difference  *float64 `json:"largest_difference,omitempty"` // between compiled and direct
}

// maxDifference is how far the compiled topic may be off the double sum.
const maxDifference = 1e-6

// scorer scores texts by a topic.
type scorer struct {
	topic     *topic.Compiled
	segmenter *segment.Segmenter
	direct    *directsum.Sum // nil: not asked for
}

func newScorer(c *topic.Compiled) (*scorer, error) {
	segmenter, err := segment.NewFor(c.File.Language, c.UserWords)
	if err != nil {
		return nil, fmt.Errorf("prepare segmenter: %w", err)
	}
	return &scorer{topic: c, segmenter: segmenter}, nil
}

func (s *scorer) score(doc textfile.Document) scored {
	t := s.topic.File.Thresholds
	return scored{
		ID: doc.ID, Title: doc.Title,
		Description: s.part(doc.Title+"\n"+doc.Description, t.Description),
		Body:        s.part(doc.Text, t.Body),
	}
}

func (s *scorer) part(text string, threshold float64) partScore {
	words := s.segmenter.Words(text)
	p := partScore{Relevance: s.topic.Lexicon.Rel(words), Threshold: threshold}
	p.Reaches = p.Words > 0 && p.Value >= threshold
	if p.Top == nil {
		p.Top = []topic.Contribution{}
	}
	if s.direct != nil {
		direct := s.direct.Rel(words)
		p.Direct = &direct
	}
	return p
}

func runScore(ctx context.Context, s cli.Streams, o *scoreOptions) error {
	compiled, err := topic.LoadAny(o.topic)
	if err != nil {
		return err
	}
	sc, err := newScorer(compiled)
	if err != nil {
		return err
	}
	if o.direct {
		if sc.direct, err = directSum(compiled, &o.from); err != nil {
			return err
		}
	}
	source, err := openTexts(s, o.texts, o.fields)
	if err != nil {
		return err
	}
	out := newScoreWriter(s.Out, o.json)
	out.begin(compiled)
	damage := &skips{w: s.Err}
	var sum scoreSummary
	for doc, err := range inOrder(readable(ctx, source, damage.add), sc.score) {
		if err != nil {
			return fmt.Errorf("score documents: %w", err)
		}
		sum.add(&doc)
		if err := out.document(&doc); err != nil {
			return fmt.Errorf("print result: %w", err)
		}
	}
	damage.end()
	sum.LeftOut = damage.all
	if err := out.end(&sum); err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	switch {
	case sum.Documents == 0:
		return errors.New("there is no document to score in these files")
	case sum.Difference != nil && *sum.Difference > maxDifference:
		return fmt.Errorf("compiled and direct relevance differ by %.3g, more than %.0e", *sum.Difference, maxDifference)
	}
	return nil
}
