package topiccmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/textfile"
)

// compileOptions are the flags of topic compile.
type compileOptions struct {
	topic           string
	from            compileSources
	samples, fields []string
	similarity      compile.Similarity // its constants
	out             string
}

func newTopicCompile(s cli.Streams) *cobra.Command {
	o := compileOptions{similarity: compile.DefaultSimilarity()}
	cmd := &cobra.Command{
		Use:   "compile TOPIC.yaml --out X.topic",
		Short: "Compile a topic file into the topic that crawls run on",
		Long: `Compile a topic file into the topic that crawls run on: the relevance of every
word of the vectors, of HowNet, of the weights and of the topic file (METHOD A3
to A8), and thresholds for it.

Without --vectors and --hownet a word is similar to itself alone. Thresholds
that the topic file does not give are calibrated on --samples: unlabelled texts,
on the topic and others, such as the folder of a first crawl. The same inputs
give the same bytes.`,
		Example: `  sluice topic compile my.yaml --vectors news.bin --weights my.tsv --samples out/my --out my.topic
  sluice crawl --topic my.topic --contact you@example.org`,
		Args: cli.WantSome("TOPIC.yaml"),
	}
	o.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*compilation, error) {
		o.topic = args[0]
		err := moreFiles(args[1:], &o.samples)
		if err = errors.Join(err, o.check()); err != nil {
			return nil, err
		}
		result, err := runCompile(ctx, s, &o)
		if err != nil {
			return nil, err
		}
		for _, warning := range result.Warnings {
			fmt.Fprintln(s.Err, "warning:", cli.Clean(warning))
		}
		return result, nil
	}, compilePage)
}

func (o *compileOptions) register(fl *pflag.FlagSet) {
	o.from.register(fl)
	fl.StringArrayVar(&o.samples, "samples", nil, "texts to calibrate thresholds on, the folder of a crawl or a `FILE`; repeatable")
	fl.StringArrayVar(&o.fields, "field", nil, "field `NAME` of JSON lines that holds text; repeatable")
	fl.Float64Var(&o.similarity.Th1, "th1", o.similarity.Th1, "similarities of vectors, and of words, below `TH1` count as 0")
	fl.Float64Var(&o.similarity.Th2, "th2", o.similarity.Th2, "similarities by HowNet below `TH2` count as 0")
	fl.Float64Var(&o.similarity.Alpha, "alpha", o.similarity.Alpha, "weight `A` of vectors where HowNet says nothing")
	fl.Float64Var(&o.similarity.Beta, "beta", o.similarity.Beta, "weight `B` of HowNet where it says something; vectors have the rest")
	fl.StringVar(&o.out, "out", "", "write the compiled topic to `X.topic`; required")
}

func (o *compileOptions) check() error {
	inputs := slices.Concat([]string{o.topic}, o.from.given(), o.samples)
	return cli.Usage(errors.Join(o.similarity.Validate(), cli.Required([2]string{"out", o.out}), checkOut("out", o.out, inputs...)))
}

// compilation is what the command prints as JSON.
type compilation struct {
	Topic    string `json:"topic"`
	Out      string `json:"out"`
	ID       string `json:"id"`
	Language string `json:"language"`
	*compile.Report
	Similarity  topic.Blend        `json:"similarity"`
	MeanWeight  float64            `json:"mean_weight"`
	Thresholds  []threshold        `json:"thresholds"`
	Calibration *topic.Calibration `json:"calibration"`
	Unknown     unknownWords       `json:"unknown"`
	Warnings    []string           `json:"warnings"`
	Seconds     float64            `json:"seconds"`
}

func runCompile(ctx context.Context, s cli.Streams, o *compileOptions) (*compilation, error) {
	begun := time.Now()
	file, err := readTopicFile(o.topic)
	if err != nil {
		return nil, err
	}
	from, err := o.from.load()
	if err != nil {
		return nil, err
	}
	in := compile.Inputs{File: file, Similarity: o.similarity, Weights: from.weights, Digests: from.digests}
	in.Similarity.Vectors, in.Similarity.HowNet = from.vectors, from.hownet
	damage := &skips{w: s.Err}
	var seen wordTally
	if len(o.samples) > 0 {
		in.Samples = func(ctx context.Context, words func(string) []string) (*compile.Samples, error) {
			options := textfile.Options{Fields: o.fields, Stdin: s.In}
			return compile.ReadSamples(ctx, o.samples, options, seen.watch(words), damage.add)
		}
	}
	compiled, report, err := compile.Compile(ctx, in)
	if err != nil {
		return nil, err
	}
	damage.end()
	data, err := topic.Encode(compiled)
	if err != nil {
		return nil, fmt.Errorf("encode topic %s: %w", file.Name, err)
	}
	if err := replaceBytes(o.out, data); err != nil {
		return nil, err
	}
	return &compilation{
		Topic: file.Name, Out: o.out, ID: compiled.ID, Language: file.Language, Report: complete(report),
		Similarity: compiled.Meta.Similarity, MeanWeight: compiled.Meta.MeanWeight,
		Thresholds: thresholdsOf(compiled), Calibration: compiled.Meta.Calibration,
		Unknown:  seen.unknown(compiled.Lexicon),
		Warnings: append(warnings(report), oddities(from)...),
		Seconds:  time.Since(begun).Seconds(),
	}, nil
}

// readTopicFile reads a topic file, and nothing that is compiled already.
func readTopicFile(path string) (*topic.File, error) {
	source, err := topic.ReadSource(path)
	if err != nil {
		return nil, err
	}
	if topic.IsArtifact(source) {
		return nil, cli.Usage(fmt.Errorf("%s is a compiled topic: name the topic file", path))
	}
	return topic.Parse(path, source)
}

// complete makes empty lists of those that are missing, for JSON.
func complete(r *compile.Report) *compile.Report {
	for _, list := range []*[]string{&r.Composed, &r.NoVector, &r.NotInHowNet, &r.NotOneWord} {
		if *list == nil {
			*list = []string{}
		}
	}
	return r
}

// loudNoise is the share of pairs of words from which on similarity tells little:
// ten times what trained vectors leave, several times what HowNet adds.
const loudNoise = 0.1

// warnings tell of topic words that will score less than their author thinks, and
// of similarities that say nothing.
func warnings(r *compile.Report) []string {
	told := []string{}
	if similar := r.Noise.HowNet + r.Noise.Vectors; similar > loudNoise {
		told = append(told, fmt.Sprintf("%.0f %% of all pairs of words pass for similar: train the vectors on more text, or raise --th1", 100*similar))
	}
	for _, w := range []struct {
		words []string
		what  string
	}{
		{r.NoVector, "no vector, nor words that share characters: similar to themselves alone, or by HowNet"},
		{r.Composed, "no vector of their own: composed from words that share characters"},
		{r.NotInHowNet, "not in HowNet"},
	} {
		if n := len(w.words); n > 0 {
			told = append(told, fmt.Sprintf("%s: %s", cli.Count(n, "topic word")+", "+w.what, some(w.words)))
		}
	}
	return told
}

// oddities are what is not right in the user's HowNet, and was read anyway.
func oddities(from *loaded) []string {
	var told []string
	if from.hownet != nil {
		for _, oddity := range from.hownet.Oddities() {
			told = append(told, oddity.Error())
		}
	}
	return told
}
