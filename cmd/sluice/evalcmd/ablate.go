package evalcmd

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/wholecrawl"
)

func newEvalAblate(s cli.Streams) *cobra.Command {
	f := &crawlsFlags{}
	cmd := &cobra.Command{
		Use:   "ablate --web FILE --topic FILE --label L",
		Short: "What each part of a link's priority is worth (eq. 5)",
		Long: `What each part of a link's priority is worth (eq. 5): crawls a frozen web for
the topic as it is, then with one part left out each time (α, β or λ is 0), then
with either form of the structure vote, and judges what was kept by the labels
of the web. The thresholds stay as they are.

Pages to 80 %: pages fetched, on any host, until four fifths of the
articles with the label were among them; a dash where they never were. With
--random-seed the crawl goes in rounds, which is not its best order: 0 takes
links in the exact order of their priority.

` + caption,
		Example: `  sluice eval ablate --web news.web.jsonl.zst --topic topics/finance.topic --label finance`,
	}
	f.register(cmd.Flags())
	return cli.WithFile(cli.WithResult(s, cmd, func(ctx context.Context, _ []string) (*crawlsTable, error) {
		return runAblate(ctx, s, f)
	}, ablatePage))
}

func ablatePage(w *bytes.Buffer, t *crawlsTable) {
	crawlsTitle(w, t)
	printResults(w, t.Crawls, true)
	fmt.Fprintf(w, "\n%s\n", t.Caption)
}

func runAblate(ctx context.Context, s cli.Streams, f *crawlsFlags) (*crawlsTable, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	setup, q, err := f.load()
	if err != nil {
		return nil, err
	}
	t := &crawlsTable{Web: f.web, Topic: setup.Topic.File.Name, Label: f.label, Hosts: f.hosts, Caption: caption}
	t.Crawls, err = crawlAll(ctx, s, setup, q, wholecrawl.Ablations())
	return t, err
}
