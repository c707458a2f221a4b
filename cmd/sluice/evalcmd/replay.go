package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/replay"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/rank"
	"sluice/shared/topic"
)

func newEvalReplay(s cli.Streams) *cobra.Command {
	var path, strategy string
	var threshold float64
	cmd := &cobra.Command{
		Use:   "replay DIR",
		Short: "What another topic, strategy or threshold would change of a crawl",
		Long: `What another topic, strategy or threshold would change of a finished crawl: its
links and pages are judged again, without fetching. It says which links would be
dropped or followed, how the order changes, and which pages would be kept or
refused. Under the crawl's own rules nothing changes, except the order of a
strategy that learns.

A link is judged once, on the page that ranked it best, with the structure vote
that it had then. A strategy that learns (hybrid, neighborhood) has learned from
all pages before. Pages that are archived are read again, which are all that were
judged unless the crawl had another --archive. Of others only titles and scores are
known: another topic judges them by their titles, and those that it would read are
undecided. The text around a link and the graph of links were not recorded, so
strategies that need them see none.`,
		Example: `  sluice eval replay out/finance --strategy best-first
  sluice eval replay out/finance --topic my.topic --threshold 0.1 --json`,
		Args: cli.WantArgs("DIR"),
	}
	fl := cmd.Flags()
	fl.StringVar(&path, "topic", "", "judge by the topic in `FILE`, YAML or compiled (default that of the crawl)")
	fl.StringVar(&strategy, "strategy", "", "judge by the strategy `NAME` (default that of the topic)")
	fl.Float64Var(&threshold, "threshold", 0, "follow links above the priority `X` (default that of the topic)")
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*replay.Result, error) {
		var problems []error
		var variants []wholecrawl.Variant
		if strategy != "" {
			_, err := rank.New(strategy, rank.Settings{})
			problems = append(problems, err)
			variants = append(variants, wholecrawl.Strategy(strategy))
		}
		if fl.Changed("threshold") {
			if !(threshold > 0) || math.IsInf(threshold, 0) {
				problems = append(problems, fmt.Errorf("--threshold is %v: it must be a number above 0", threshold))
			}
			variants = append(variants, wholecrawl.Priority(threshold))
		}
		var other *topic.Compiled
		if path != "" {
			var err error
			other, err = topic.LoadAny(path)
			problems = append(problems, err)
		}
		if err := errors.Join(problems...); err != nil {
			return nil, cli.Usage(err)
		}
		ctx, stop := cli.UntilInterrupt(ctx)
		defer stop()
		return replay.Run(ctx, args[0], other, variants...)
	}, replayPage)
}

func replayPage(w *bytes.Buffer, r *replay.Result) {
	for _, rules := range []replay.Rules{r.Before, r.After} {
		fmt.Fprintf(w, "topic %s, strategy %s, threshold %.4g\n", rules.Topic, rules.Strategy, rules.Threshold)
	}
	l, p := &r.Links, &r.Pages
	fmt.Fprintf(w, "\n%s judged, %d followed by the crawl\n", cli.Count(l.Judged, "link"), l.Followed)
	fmt.Fprintf(w, "%6d of these still followed; their order before and after correlates by %s\n", l.Still, cell(l.Order))
	fmt.Fprintf(w, "%6d of these now dropped%s\n", l.NowDropped, byRule(l.Drops))
	fmt.Fprintf(w, "%6d of these on pages that would not be fetched\n", l.Unreached)
	fmt.Fprintf(w, "%6d now followed that were dropped\n", l.NowFollowed)
	if l.ByTitle > 0 {
		fmt.Fprintf(w, "%6d on pages that were judged by their titles alone\n", l.ByTitle)
	}
	fmt.Fprintf(w, "\n%s kept by the crawl\n", cli.Count(p.Kept, "page"))
	fmt.Fprintf(w, "%6d of these still kept\n", p.Still)
	fmt.Fprintf(w, "%6d of these refused%s\n", p.Refused, byRule(p.Rules))
	fmt.Fprintf(w, "%6d of these not fetched\n", p.Unreached)
	fmt.Fprintf(w, "%6d now kept that were refused\n", p.NowKept)
	fmt.Fprintf(w, "%6d undecided: they would be read, and were not archived\n", p.Undecided)
	for _, list := range []struct {
		title string
		links []replay.Link
	}{{"Dropped, the best of before", l.MostDropped}, {"Followed, the best of after", l.MostFollowed}} {
		if len(list.links) > 0 {
			fmt.Fprintf(w, "\n%s\n", list.title)
		}
		for _, link := range list.links {
			fmt.Fprintf(w, "  %.4g → %.4g  %s  %s (%s)\n", link.Before, link.After, cli.Clean(link.URL), cli.Clean(link.Anchor), link.Rule)
		}
	}
	for _, list := range []struct {
		title string
		pages []replay.Page
	}{{"Refused", p.Removed}, {"Kept", p.Added}} {
		if len(list.pages) > 0 {
			fmt.Fprintf(w, "\n%s\n", list.title)
		}
		for _, page := range list.pages {
			fmt.Fprintf(w, "  %s  %s (%s)\n", cli.Clean(page.URL), cli.Clean(page.Title), page.Rule)
		}
	}
}

// byRule lists counts by rule, in brackets.
func byRule(counts map[string]int) string {
	text := ""
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		text += fmt.Sprintf(", %s %d", rule, counts[rule])
	}
	if text == "" {
		return ""
	}
	return " (" + text[2:] + ")"
}
