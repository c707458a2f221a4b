package opscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
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

// web makes a frozen web of a crawl of this machine.
func (f *exportFlags) web(cmd *cobra.Command, s cli.Streams, dirs []string) error {
	var problems []error
	for _, name := range []string{"stack", "min-relevance", "dedupe", "split", "shard-size", "no-warc"} {
		if cmd.Flags().Changed(name) {
			problems = append(problems, fmt.Errorf("--format web takes no --%s", name))
		}
	}
	if len(dirs) > 1 {
		problems = append(problems, errors.New("--format web takes one DIR"))
	}
	if f.out == "" {
		problems = append(problems, errors.New("--out is missing: name a file for the web, such as crawl.web.jsonl.zst"))
	}
	if err := errors.Join(problems...); err != nil {
		return cli.Usage(err)
	}
	if err := cli.CheckFolder(dirs[0]); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(cmd.Context())
	defer stop()
	res, err := freezeInto(ctx, dirs[0], f.out)
	if err != nil {
		return err
	}
	return cli.PrintResult(s, f.json, res, webPage)
}

// freezeInto writes the file, whole or not at all.
func freezeInto(ctx context.Context, dir, out string) (*exportedWeb, error) {
	web := &exportedWeb{Out: out}
	err := cli.ReplaceFile(out, func(w io.Writer) (err error) {
		web.Result, err = freeze.Folder(ctx, dir, w)
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
