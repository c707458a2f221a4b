package topiccmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/textfile"
)

// refineOptions are the flags of topic refine.
type refineOptions struct {
	scoring                    string // the topic that scores the texts
	topic                      string // the topic file to change
	corpus, background, fields []string
	add, max                   int
	out, weights               string
}

func newTopicRefine(s cli.Streams) *cobra.Command {
	var o refineOptions
	cmd := &cobra.Command{
		Use:   "refine TOPIC --corpus DIR|FILE…",
		Short: "Better topic words, from the texts of a crawl",
		Long: `Better topic words, from the texts of a crawl: weighs the author's words that
have no weight, cuts related ones that do not mark the topic, and proposes words
that are missing. The changes are printed as a diff: "patch -p0" applies it to a
topic file in the working folder or below it, "patch FILE" to any. Nothing is
written without --out or --weights.

TOPIC is a topic file or a compiled topic. A compiled one finds the texts that are
on the topic; the topic file to change is then X.yaml beside X.topic, or --topic.
With --background the whole corpus counts as on the topic, and is compared with
the texts of --background (METHOD A7): words of the author that none of its texts
has, or that do not mark it, are cut, too.`,
		Example: `  sluice topic refine my.topic --corpus out/my >my.diff && patch -p0 <my.diff
  sluice topic refine my.yaml --corpus out/my --out my.yaml --weights my.tsv`,
		Args: cli.WantSome("TOPIC"),
	}
	o.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*refined, error) {
		o.scoring = args[0]
		err := moreFiles(args[1:], &o.corpus, &o.background)
		if err = errors.Join(err, o.check()); err != nil {
			return nil, err
		}
		return runRefine(ctx, s, &o)
	}, func(w *bytes.Buffer, r *refined) {
		fmt.Fprint(s.Err, refineNote(r))
		w.WriteString(r.Diff)
	})
}

func (o *refineOptions) register(fl *pflag.FlagSet) {
	fl.StringArrayVar(&o.corpus, "corpus", nil, "folder of a crawl, or text, a `FILE` or folder; required, repeatable")
	fl.StringArrayVar(&o.background, "background", nil, "text about other things, a `FILE` or folder; repeatable")
	fl.StringArrayVar(&o.fields, "field", nil, "field `NAME` of JSON lines that holds text; repeatable")
	fl.StringVar(&o.topic, "topic", "", "topic `FILE` to change, if TOPIC is compiled (default the .yaml beside it)")
	fl.IntVar(&o.add, "add", 300, "propose at most `N` words")
	fl.IntVar(&o.max, "max", 0, "keep at most `N` words, with --background (default all that are good)")
	fl.StringVar(&o.out, "out", "", "write the topic file with the changes, to a new `FILE` or over the old one")
	fl.StringVar(&o.weights, "weights", "", "write the weights of all words of the texts, for topic compile, to `W.tsv`")
}

func (o *refineOptions) check() error {
	var problems []error
	if len(o.corpus) == 0 {
		problems = append(problems, errors.New("--corpus is missing: name the folder of a crawl, or text"))
	}
	if o.add < 0 {
		problems = append(problems, fmt.Errorf("--add is %d: it must not be negative", o.add))
	}
	switch {
	case o.max < 0:
		problems = append(problems, fmt.Errorf("--max is %d: it must not be negative", o.max))
	case o.max > 0 && len(o.background) == 0:
		problems = append(problems, errors.New("--max goes with --background: a crawl alone does not show which words are the best"))
	}
	texts := slices.Concat(o.corpus, o.background)
	kept := texts // what --out must not replace: of the topic only the compiled one
	if isArtifact(o.scoring) {
		kept = slices.Concat(texts, []string{o.scoring})
	}
	return cli.Usage(errors.Join(append(problems,
		checkOut("out", o.out, kept...),
		checkOut("weights", o.weights, slices.Concat(texts, []string{o.scoring, o.topic, o.out})...),
		checkApart(o.out, o.weights))...))
}

// refined is what the command prints as JSON.
type refined struct {
	Topic   string `json:"topic"`
	File    string `json:"file"`
	Out     string `json:"out,omitempty"`
	LeftOut int    `json:"left_out"`
	*compile.Refinement
	Diff string `json:"diff"` // "" where nothing changes
}

func runRefine(ctx context.Context, s cli.Streams, o *refineOptions) (*refined, error) {
	compiled, err := topic.LoadAny(o.scoring)
	if err != nil {
		return nil, err
	}
	path, source, file, err := o.file(compiled)
	if err != nil {
		return nil, err
	}
	prose, err := compile.NewProse(compiled.File.Language, compiled.UserWords)
	if err != nil {
		return nil, fmt.Errorf("prepare segmenter: %w", err)
	}
	damage := &skips{w: s.Err}
	var refinement *compile.Refinement
	if len(o.background) > 0 {
		refinement, err = o.against(ctx, s, file, prose, damage)
	} else {
		refinement, err = o.crawl(ctx, s, compiled.Lexicon, file, prose, damage)
	}
	if err != nil {
		return nil, err
	}
	damage.end()
	changed, err := refinement.Apply(path, source)
	if err != nil {
		return nil, err
	}
	diff, err := refinement.Diff(patchName(path), source)
	if err != nil {
		return nil, err
	}
	result := &refined{Topic: file.Name, File: path, Out: o.out, LeftOut: damage.all, Refinement: listed(refinement), Diff: string(diff)}
	return result, o.write(changed, refinement.Weights)
}

// listed makes empty lists of those that are missing, for JSON.
func listed(r *compile.Refinement) *compile.Refinement {
	for _, list := range []*[]compile.Candidate{&r.Kept, &r.Cut, &r.Added} {
		if *list == nil {
			*list = []compile.Candidate{}
		}
	}
	return r
}

func (o *refineOptions) limits(prose *compile.Prose) compile.RefineOptions {
	limits := compile.RefineOptions{Add: o.add, Max: o.max, Prose: prose}
	if o.add == 0 {
		limits.Add = -1 // no words; 0 would be the default
	}
	return limits
}

// crawl refines by texts of which the topic tells those that belong to it.
func (o *refineOptions) crawl(ctx context.Context, s cli.Streams, l *topic.Lexicon, file *topic.File, prose *compile.Prose, damage *skips) (*compile.Refinement, error) {
	options := textfile.Options{Fields: o.fields, Stdin: s.In}
	samples, err := compile.ReadSamples(ctx, o.corpus, options, prose.Words, damage.add)
	if err != nil {
		return nil, err
	}
	return compile.Refine(l, file, samples, o.limits(prose))
}

// against refines by texts that are known to be on the topic, and others.
func (o *refineOptions) against(ctx context.Context, s cli.Streams, file *topic.File, prose *compile.Prose, damage *skips) (*compile.Refinement, error) {
	counter := textCounter{s: s, fields: o.fields, segmenter: prose, skips: damage}
	domain, err := counter.count(ctx, "corpus", o.corpus)
	if err != nil {
		return nil, err
	}
	background, err := counter.count(ctx, "background", o.background)
	if err != nil {
		return nil, err
	}
	return compile.RefineAgainst(file, domain, background, o.limits(prose))
}

// write writes what was asked for.
func (o *refineOptions) write(changed []byte, weights *compile.Weights) error {
	if o.weights != "" {
		if err := cli.ReplaceFile(o.weights, weights.Write); err != nil {
			return err
		}
	}
	if o.out == "" {
		return nil
	}
	return replaceBytes(o.out, changed)
}

// refineNote says beside the diff what it rests on.
func refineNote(r *refined) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d texts on the topic, %d others", r.Topic, r.Relevant, r.Background)
	if r.Threshold > 0 {
		fmt.Fprintf(&b, " (split at relevance %.4g)", r.Threshold)
	}
	fmt.Fprintf(&b, "; %d words kept, %d cut, %d added\n", len(r.Kept), len(r.Cut), len(r.Added))
	if r.Clamped {
		b.WriteString("the relevance of the texts shows no clear split: perhaps few of them, or nearly all, are on the topic\n")
	}
	switch {
	case r.Diff == "":
		b.WriteString("nothing changes\n")
	case r.Out == "":
		fmt.Fprintf(&b, "nothing is written; --out %s accepts the changes\n", cli.Clean(r.File))
	}
	return b.String()
}
