package opscmd

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/dataset/export"
	"sluice/shared/local"
)

// copyCrawl copies the corpus of a crawl on a stack, then continues with the copy,
// unless there is nothing more to do, and says what is missing.
func copyCrawl(ctx context.Context, s cli.Streams, f *stackFlags, o *operator.Operator, crawl, dir string, opts operator.ExportOptions,
	then func(context.Context, *operator.Exported) (*export.Result, error),
) error {
	sc := cli.NewScreen(s.Err)
	opts.Progress = showCopies(sc)
	out, err := o.Export(ctx, crawl, dir, opts)
	sc.Show()
	if err != nil {
		return err
	}
	res := &copied{Exported: out}
	if res.Records, err = gather(ctx, o, crawl, out, opts.NoWARC); err != nil {
		return err
	}
	if then != nil {
		if res.Dataset, err = then(ctx, out); err != nil {
			return err
		}
	}
	if err := cli.PrintResult(s, f.json, res, copiedPage); err != nil {
		return err
	}
	if out.Missing > 0 {
		return cli.Stopped(fmt.Sprintf("%s of %d not in the corpus: not cleaned yet; continue with the same command", cli.Count(out.Missing, "document"), out.Kept))
	}
	if len(out.Again) > 0 {
		return cli.Stopped(cli.Count(len(out.Again), "segment") + " to be cleaned again, most within a quarter of an hour; the same command takes them over")
	}
	return nil
}

// copied is what was copied, and the dataset that was made of it.
type copied struct {
	*operator.Exported
	Dataset *export.Result `json:"dataset,omitempty"`
	Records map[string]int `json:"records,omitzero"` // of a structured crawl, by SITE/LAYER
}

// gather copies the records of a structured crawl or, where the stack has not made all of
// them, makes them of its copy.
func gather(ctx context.Context, o *operator.Operator, crawl string, out *operator.Exported, noWARC bool) (map[string]int, error) {
	t, err := o.Template(ctx, crawl)
	if t == nil || err != nil {
		return nil, err
	}
	counts, made, err := o.Records(ctx, crawl)
	switch {
	case err != nil:
		return nil, err
	case made != nil:
		return counts, local.WriteRecords(out.Out, t, made)
	case noWARC:
		return nil, nil
	}
	return local.GatherRecords(ctx, out.Out, t, o.Sites())
}

// copiedPage says what was copied, and what was made of it.
func copiedPage(w *bytes.Buffer, c *copied) {
	exportedPage(w, c.Exported)
	cli.PrintRecords(w, c.Records)
	if c.Dataset != nil {
		fmt.Fprintln(w)
		datasetPage(w, c.Dataset)
	}
}

// exportedPage says what was copied, and where it is.
func exportedPage(w *bytes.Buffer, out *operator.Exported) {
	fmt.Fprintf(w, "%s of stack %s: %s in %s\n\n", out.Crawl, out.Stack, cli.Count(out.Documents, "document"), out.Out)
	fmt.Fprintf(w, "%s, %d of them copied now (%.1f MB)\n", cli.Count(out.Files, "file"), out.Copied, float64(out.Bytes)/1e6)
	if len(out.Segments) > 0 {
		fmt.Fprintf(w, "%s of which nothing was made so far, the first %s\n", cli.Count(len(out.Segments), "segment"), cli.Clean(out.Segments[0]))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "corpus\t%s\tone document a line\n", filepath.Join(out.Out, "corpus", "*.jsonl"))
	fmt.Fprintf(t, "rejects\t%s\tpages that were not kept, with the rule\n", filepath.Join(out.Out, "rejects", "*.jsonl"))
	_ = t.Flush() // to memory
}
