package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sluice/shared/aws/operator"
)

func newExport(s streams) *cobra.Command {
	var f stackFlags
	var out string
	var opts operator.ExportOptions
	cmd := &cobra.Command{
		Use:   "export --stack NAME CRAWL --out DIR",
		Short: "Copy the corpus of a crawl on AWS into a folder",
		Long: `Copy the corpus of a crawl on AWS into a folder that is laid out like that of a
crawl on this machine. Repeated, it copies what is missing. It ends with 3 where
pages are not cleaned yet.`,
		Example: "  sluice export --stack sluice finance --out out/finance",
		Args:    wantArgs("CRAWL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usage(errors.New("--out is missing: name a folder"))
			}
			if err := checkFolder(out); err != nil {
				return err
			}
			return f.run(cmd.Context(), "the same command goes on", func(ctx context.Context, o *operator.Operator) error {
				return export(ctx, s, &f, o, args[0], out, opts)
			})
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&out, "out", "", "folder to copy into, `DIR`")
	cmd.Flags().BoolVar(&opts.NoWARC, "no-warc", false, "leave the archives (WARC) where they are")
	return cmd
}

// export copies and says what is missing.
func export(ctx context.Context, s streams, f *stackFlags, o *operator.Operator, crawl, dir string, opts operator.ExportOptions) error {
	sc := newScreen(s.err)
	opts.Progress = showCopies(sc)
	out, err := o.Export(ctx, crawl, dir, opts)
	sc.show()
	if err != nil {
		return err
	}
	if err := printResult(s, f.json, out, exportedPage); err != nil {
		return err
	}
	if out.Missing > 0 {
		return stoppedError(fmt.Sprintf("%s of %d not in the corpus: not cleaned yet; the same command goes on", count(out.Missing, "document"), out.Kept))
	}
	return nil
}

// showCopies shows how far a copy is.
func showCopies(sc *screen) func(done, all int) {
	every := plainEvery
	if sc.live() {
		every = liveEvery
	}
	last := time.Now()
	return func(done, all int) {
		if time.Since(last) >= every {
			last = time.Now()
			sc.show(fmt.Sprintf("%d/%d files", done, all))
		}
	}
}

// exportedPage says what was copied, and where it is.
func exportedPage(out *operator.Exported) *bytes.Buffer {
	w := new(bytes.Buffer)
	fmt.Fprintf(w, "%s of stack %s: %s in %s\n\n", out.Crawl, out.Stack, count(out.Documents, "document"), out.Out)
	fmt.Fprintf(w, "%s, %d of them copied now (%.1f MB)\n", count(out.Files, "file"), out.Copied, float64(out.Bytes)/1e6)
	if len(out.Segments) > 0 {
		fmt.Fprintf(w, "%s of which nothing was made so far, the first %s\n", count(len(out.Segments), "segment"), clean(out.Segments[0]))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "corpus\t%s\tone document a line\n", filepath.Join(out.Out, "corpus", "*.jsonl"))
	fmt.Fprintf(t, "rejects\t%s\tpages that did not stay, and the rule\n", filepath.Join(out.Out, "rejects", "*.jsonl"))
	_ = t.Flush() // to memory
	return w
}
