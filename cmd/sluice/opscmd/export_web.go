package opscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/eval/freeze"
)

// webFormat is the format that is no dataset: a frozen web.
const webFormat = "web"

// exportedWeb is what was frozen, and where it is.
type exportedWeb struct {
	Out   string `json:"out"`
	Bytes int64  `json:"bytes"`
	*freeze.Result
}

// web makes a frozen web of a crawl.
func (f *exportFlags) web(cmd *cobra.Command, s cli.Streams, crawls []string) error {
	var problems []error
	for _, name := range []string{"min-relevance", "dedupe", "split", "shard-size", "no-warc"} {
		if cmd.Flags().Changed(name) {
			problems = append(problems, fmt.Errorf("--format web takes no --%s", name))
		}
	}
	if len(crawls) > 1 {
		problems = append(problems, errors.New("--format web takes one DIR"))
	}
	if f.out == "" {
		problems = append(problems, errors.New("--out is missing: name a file for the web, such as crawl.web.jsonl.zst"))
	}
	if err := errors.Join(problems...); err != nil {
		return cli.Usage(err)
	}
	if f.stack != "" {
		return f.run(cmd.Context(), "nothing was written", func(ctx context.Context, o *operator.Operator) error {
			return f.webOfStack(ctx, s, o, crawls[0])
		})
	}
	dir := crawls[0]
	if err := cli.CheckFolder(dir); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(cmd.Context())
	defer stop()
	return f.freeze(s, func(w io.Writer) (*freeze.Result, error) { return freeze.Folder(ctx, dir, w) })
}

// webOfStack copies a crawl into a folder beside the file, and makes the web of the copy.
func (f *exportFlags) webOfStack(ctx context.Context, s cli.Streams, o *operator.Operator, crawl string) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(f.out), ".web-")
	if err != nil {
		return fmt.Errorf("write web: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sc := cli.NewScreen(s.Err)
	copied, err := o.Export(ctx, crawl, filepath.Join(dir, "crawl"), operator.ExportOptions{Progress: showCopies(sc)})
	sc.Show()
	if err != nil {
		return err
	}
	if copied.Missing > 0 {
		return cli.Stopped(fmt.Sprintf("%s of %d not in the corpus: not cleaned yet; the same command makes the web when they are", cli.Count(copied.Missing, "document"), copied.Kept))
	}
	finished, err := o.Finished(ctx, crawl)
	if err != nil {
		return err
	}
	return f.freeze(s, func(w io.Writer) (*freeze.Result, error) { return freeze.Of(ctx, finished, copied.Out, w) })
}

// freeze writes and shows a web.
func (f *exportFlags) freeze(s cli.Streams, to func(io.Writer) (*freeze.Result, error)) error {
	res, err := freezeInto(f.out, to)
	if err != nil {
		return err
	}
	return cli.PrintResult(s, f.json, res, webPage)
}

// freezeInto writes the file, whole or not at all.
func freezeInto(out string, to func(io.Writer) (*freeze.Result, error)) (*exportedWeb, error) {
	web := &exportedWeb{Out: out}
	err := cli.ReplaceFile(out, func(w io.Writer) (err error) {
		web.Result, err = to(w)
		return err
	})
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(out)
	if err != nil {
		return nil, fmt.Errorf("write web: %w", err)
	}
	web.Bytes = info.Size()
	return web, nil
}

func webPage(w *bytes.Buffer, r *exportedWeb) {
	fmt.Fprintf(w, "%s: %s, %.1f MB\n\n", r.Out, cli.Count(r.Pages, "page"), float64(r.Bytes)/1e6)
	fmt.Fprintf(w, "%d labelled %s, as they were served\n", r.Documents, r.Web)
	fmt.Fprintf(w, "%d that were not kept: %d as they were served, of the others titles and links\n", r.Others, r.Held)
	fmt.Fprintf(w, "%d redirects, %d sitemaps, feeds and robots.txt\n", r.Redirects, r.Sources)
	fmt.Fprintf(w, "%d URLs could not be fetched, and are missing\n\n", r.Missing)
	fmt.Fprintf(w, "next  sluice eval strategies --web %s --topic FILE --label %s\n", r.Out, r.Web)
}
