package crawlcmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local/sift"
	"sluice/shared/topic"
)

// siftFlags are the flags of sift, as given.
type siftFlags struct {
	topic, out string
	workers    int
	json       bool
}

// NewSift makes the command sift.
func NewSift(s cli.Streams) *cobra.Command {
	f := &siftFlags{}
	cmd := &cobra.Command{
		Use:   "sift --topic FILE --out DIR ARCHIVE…",
		Short: "Make a corpus out of archives that exist, without a crawl",
		Long: `Make a corpus out of archives that exist, without a crawl: the pages are judged
and cleaned as those of a crawl, and the records are the same.

ARCHIVE is a WARC file (its responses), a WET file of Common Crawl (its texts),
or JSON lines: objects with a text as text, content or body, or with a page as
html or raw_content; title, url (also in metadata), date and the fields of our
own records are taken over. What a file is shows in its bytes; gzip and zstd are
unpacked.

Each archive becomes corpus/NAME.jsonl and rejects/NAME.jsonl in DIR. Ctrl-C
stops it; the same command continues, and skips the archives that are done.
What was taken out of DIR by sluice forget does not come back.`,
		Example: `  sluice sift --topic topics/finance.yaml --out out/sifted CC-MAIN-*.warc.gz
  sluice sift --topic my.topic --out out/sifted --json fineweb.jsonl.zst`,
		Args: cli.WantSome("ARCHIVE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := f.spec(args)
			if err != nil {
				return err
			}
			return runSift(cmd.Context(), s, spec, f.json)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.topic, "topic", "", "topic `FILE`, YAML or compiled; required")
	fl.StringVar(&f.out, "out", "", "folder of the corpus, `DIR`; required")
	fl.IntVar(&f.workers, "workers", 0, "read `N` pages at a time (default one for each processor)")
	fl.BoolVar(&f.json, "json", false, "print the report as JSON")
	return cmd
}

// spec checks the flags and the topic file, all problems at once.
func (f *siftFlags) spec(files []string) (sift.Spec, error) {
	spec := sift.Spec{Dir: f.out, Files: files, Workers: f.workers}
	var problems []error
	if f.out == "" {
		problems = append(problems, cli.Usage(errors.New("--out is missing: name a folder for the corpus")))
	}
	if f.workers < 0 {
		problems = append(problems, cli.Usage(fmt.Errorf("--workers is %d: at least 1 is needed", f.workers)))
	}
	if f.topic == "" {
		problems = append(problems, cli.Usage(errors.New("--topic is missing: name a topic file or a compiled topic")))
	} else {
		problems = append(problems, f.readTopic(&spec))
	}
	problems = append(problems, cli.CheckFolder(f.out))
	return spec, errors.Join(problems...)
}

func (f *siftFlags) readTopic(spec *sift.Spec) (err error) {
	if spec.Source, err = topic.ReadSource(f.topic); err != nil {
		return cli.Usage(err)
	}
	if spec.Topic, err = topic.Read(f.topic, spec.Source); topic.IsArtifact(spec.Source) {
		return cli.Usage(err) // it can be mended by compiling the topic again
	}
	return err
}

// runSift sifts, shows how it goes and prints what came of it.
func runSift(ctx context.Context, s cli.Streams, spec sift.Spec, asJSON bool) error {
	sc := cli.NewScreen(s.Err)
	spec.Done = func(r *sift.Result, took time.Duration) { fmt.Fprintln(sc, siftedLine(r, took)) }
	ctx, halt := context.WithCancelCause(ctx)
	defer halt(nil)
	stop := func() { halt(cli.Stopped("stopped early: continue with the same command")) }
	defer cli.OnInterrupt(stop, stop)()

	report, err := siftFolder(ctx, sc, spec)
	for _, mistake := range []error{sift.ErrOther, sift.ErrForeign, sift.ErrClash} {
		if errors.Is(err, mistake) {
			return cli.Usage(err)
		}
	}
	if report == nil || err != nil && !errors.Is(err, cli.ErrStopped) {
		return err
	}
	printed := cli.PrintResult(s, asJSON, report, siftPage)
	switch {
	case err != nil || printed != nil:
		return errors.Join(err, printed)
	case report.Failed > 0:
		return fmt.Errorf("%s of %d cannot be read", cli.Count(report.Failed, "archive"), len(report.Inputs))
	}
	return nil
}

// siftFolder opens the folder, sifts into it (see sift.Sift.Run) and closes it.
func siftFolder(ctx context.Context, sc *cli.Screen, spec sift.Spec) (report *sift.Report, err error) {
	sifter, err := sift.Open(spec)
	if err != nil {
		return nil, err
	}
	defer func() { err = cli.CloseWith(sifter, err) }()
	defer showSifting(sc, sifter)()
	return sifter.Run(ctx)
}
