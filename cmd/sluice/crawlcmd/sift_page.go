package crawlcmd

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"text/tabwriter"
	"time"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local/sift"
)

// siftedLine says what came of an archive.
func siftedLine(r *sift.Result, took time.Duration) string {
	if r.Error != "" {
		return "sluice: " + cli.Clean(r.Error)
	}
	return fmt.Sprintf("%s: %s, %d kept, %.1f s", cli.Clean(r.File), cli.Count(r.Pages, "page"), r.Kept, took.Seconds())
}

// showSifting shows how a sift goes until the returned function is called.
func showSifting(sc *cli.Screen, sifter *sift.Sift) (end func()) {
	every := cli.PlainEvery
	if sc.Live() {
		every = cli.LiveEvery
	}
	over := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		var speed cli.Meter
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		var last sift.Progress
		for {
			select {
			case <-over:
				return
			case <-ticks.C:
			}
			now := sifter.Progress()
			speed.Add(now.Pages-last.Pages, every)
			last = now
			sc.Show(
				fmt.Sprintf("%.1f/%.1f MB", float64(now.Read)/1e6, float64(now.Size)/1e6), cli.Count(now.Pages, "page"),
				fmt.Sprintf("%d kept", now.Kept), fmt.Sprintf("%.1f pages/s", speed.Rate()),
			)
		}
	})
	return func() {
		close(over)
		done.Wait()
		sc.Show()
	}
}

// siftPage is the page of a report, for people.
func siftPage(w *bytes.Buffer, r *sift.Report) {
	fmt.Fprintf(w, "%s %s: %s\n\n", cli.Clean(r.Topic), r.TopicVersion, cli.Count(len(r.Inputs), "archive"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "archive\tkind\trecords\tskipped\tpages\tkept\trejected\tdamaged\tMB")
	row := func(name, kind string, c *sift.Counts) {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\n", cli.Clean(name), kind,
			c.Records, c.Skipped, c.Pages, c.Kept, c.Rejected, c.Damaged, float64(c.Bytes)/1e6)
	}
	for _, in := range r.Inputs {
		kind := string(in.Kind)
		if in.Error != "" {
			kind = "–"
		}
		row(in.Name, kind, &in.Counts)
	}
	if len(r.Inputs) > 1 {
		row("all", "", &r.Total)
	}
	_ = t.Flush() // to memory
	cli.PrintRules(w, "rejected, by rule", r.Total.Rules)
	cli.PrintRules(w, "skipped, by type of record", r.Total.Types)
	if r.Failed > 0 {
		fmt.Fprint(w, "\nnot read\n")
	}
	for _, in := range r.Inputs {
		if in.Error != "" {
			fmt.Fprintf(w, "  %s\n", cli.Clean(in.Error))
		}
	}
	printWhere(w, r.Out)
}

// printWhere says where the outputs are.
func printWhere(w io.Writer, dir string) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "corpus\t%s\tone document a line\n", filepath.Join(dir, "corpus", "*.jsonl"))
	fmt.Fprintf(t, "rejects\t%s\tpages that were not kept, with the rule\n", filepath.Join(dir, "rejects", "*.jsonl"))
	_ = t.Flush()
}
