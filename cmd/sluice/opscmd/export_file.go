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
	"sluice/shared/dataset/export"
	"sluice/shared/eval/freeze"
)

// The formats that are no dataset but one file: a frozen web, and links.
const (
	webFormat   = "web"
	edgesFormat = "edges"
)

// exportedWeb is what was frozen, and where it is.
type exportedWeb struct {
	Out   string `json:"out"`
	Bytes int64  `json:"bytes"`
	*freeze.Result
}

// file makes one file of a crawl.
func (f *exportFlags) file(cmd *cobra.Command, s cli.Streams, crawls []string) error {
	var problems []error
	for _, name := range []string{"min-relevance", "dedupe", "split", "shard-size", "no-warc"} {
		if cmd.Flags().Changed(name) {
			problems = append(problems, fmt.Errorf("--format %s takes no --%s", f.format, name))
		}
	}
	if len(crawls) > 1 {
		problems = append(problems, fmt.Errorf("--format %s takes one DIR", f.format))
	}
	if f.out == "" {
		problems = append(problems, errors.New("--out is missing: name a file, such as "+map[string]string{webFormat: "crawl.web.jsonl.zst", edgesFormat: "edges.tsv"}[f.format]))
	}
	if err := errors.Join(problems...); err != nil {
		return cli.Usage(err)
	}
	if f.stack != "" {
		return f.run(cmd.Context(), "nothing was written", func(ctx context.Context, o *operator.Operator) error {
			return f.fileOfStack(ctx, s, o, crawls[0])
		})
	}
	dir := crawls[0]
	if err := cli.CheckFolder(dir); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(cmd.Context())
	defer stop()
	if f.format == edgesFormat {
		return f.edges(ctx, s, dir)
	}
	return f.freeze(s, func(w io.Writer) (*freeze.Result, error) { return freeze.Folder(ctx, dir, w) })
}

// fileOfStack copies a crawl into a folder beside the file, and makes the file of the copy.
func (f *exportFlags) fileOfStack(ctx context.Context, s cli.Streams, o *operator.Operator, crawl string) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(f.out), ".copy-")
	if err != nil {
		return fmt.Errorf("export crawl: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sc := cli.NewScreen(s.Err)
	copied, err := o.Export(ctx, crawl, filepath.Join(dir, "crawl"), operator.ExportOptions{Progress: showCopies(sc)})
	sc.Show()
	if err != nil {
		return err
	}
	if f.format == edgesFormat {
		return f.edges(ctx, s, copied.Out)
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

// exportedEdges is how many links were written, and where.
type exportedEdges struct {
	Out string `json:"out"`
	*export.EdgeCount
}

// edges writes the links of a crawl.
func (f *exportFlags) edges(ctx context.Context, s cli.Streams, dir string) error {
	res := &exportedEdges{Out: f.out}
	err := cli.ReplaceFile(f.out, func(w io.Writer) (err error) {
		res.EdgeCount, err = export.Edges(ctx, dir, w)
		return err
	})
	if err != nil {
		return err
	}
	return cli.PrintResult(s, f.json, res, edgesPage)
}

func edgesPage(w *bytes.Buffer, r *exportedEdges) {
	fmt.Fprintf(w, "%s: %s of %s\n\n", r.Out, cli.Count(r.Links, "link"), cli.Count(r.Pages, "page"))
	fmt.Fprintf(w, "next  sluice eval pagerank <%s\n", r.Out)
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
