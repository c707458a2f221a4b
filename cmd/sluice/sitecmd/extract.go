package sitecmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/net/html"

	"sluice/cmd/sluice/cli"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/web/page"
)

// analyzeAgain is the share of fields that pages lack from which a site has changed.
const analyzeAgain = 0.3

func newExtract(s cli.Streams) *cobra.Command {
	var f storeFlags
	cmd := &cobra.Command{
		Use:   "extract HOST FILE…",
		Short: "Read the fields of pages by what is known of their site",
		Long: `Read the fields of pages, and of the records of their lists, at the paths that site
analyze has kept for their host (METHOD C6). FILE is HTML in any character set, "-"
standard input. A page belongs to the layer that most of its fields are found for.

Where many pages lack fields the site has changed: analyse it again.`,
		Example: `  sluice site extract www.example.com product.html
  sluice site extract --json www.example.com list-*.html`,
		Args: cli.WantSome("HOST", "FILE"),
	}
	f.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*extracted, error) {
		store, _, err := f.open(ctx, cmd.Flags())
		if err != nil {
			return nil, err
		}
		known, err := store.Site(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return extract(ctx, s, known, args[1:])
	}, extractedPage)
}

// extracted is what the command prints.
type extracted struct {
	Version int             `json:"version"` // of what is known of the site
	Pages   []extractedFile `json:"pages"`
}

type extractedFile struct {
	Page  string `json:"page"` // as it was named
	Error string `json:"error,omitempty"`
	*site.Extract
}

// Failure reports the pages that could not be read.
func (e *extracted) Failure() error {
	return failure("extract", e.Pages, func(p extractedFile) (string, string) { return p.Page, p.Error })
}

// failure joins the errors of pages.
func failure[T any](verb string, pages []T, of func(T) (page, problem string)) error {
	var problems []error
	for _, p := range pages {
		if name, problem := of(p); problem != "" {
			problems = append(problems, fmt.Errorf("%s %s: %s", verb, name, problem))
		}
	}
	return errors.Join(problems...)
}

func extract(ctx context.Context, s cli.Streams, known *site.Site, files []string) (*extracted, error) {
	reader, err := site.NewReader(known)
	if err != nil {
		return nil, err
	}
	base := &url.URL{Scheme: "https", Host: known.Host, Path: "/"}
	result := &extracted{Version: known.Version}
	lacking, pages := 0.0, map[string][]field.Page{}
	for _, name := range files {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read pages: %w", ctx.Err())
		}
		one := extractedFile{Page: name}
		data, err := readFile(s, name)
		var tree *html.Node
		if err == nil {
			tree, err = page.TreeOf(data, "")
		}
		if err != nil {
			one.Error = err.Error()
		} else {
			p := field.Page{Root: tree, Base: field.BaseOf(tree, base)}
			one.Extract = reader.Read(p)
			pages[one.Layer] = append(pages[one.Layer], p)
			lacking += one.Lacking()
		}
		result.Pages = append(result.Pages, one)
	}
	for layer := range known.Layers { // a page may be of none because of a correction
		if pages[layer] == nil {
			pages[layer] = pages[""]
		}
	}
	warnIdle(s, reader, pages)
	if share := lacking / float64(len(files)); share > analyzeAgain {
		fmt.Fprintf(s.Err, "sluice: the pages lack %.0f %% of the fields that the site had: run sluice site analyze again\n", 100*share)
	}
	return result, nil
}

func extractedPage(w *bytes.Buffer, e *extracted) {
	for _, p := range e.Pages {
		if p.Extract == nil {
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", cli.Clean(p.Page), cmp.Or(p.Layer, "no layer fits"))
		printValues(w, p.Fields)
		for i, r := range p.Records {
			fmt.Fprintf(w, "  %d\n", i+1)
			printValues(w, r)
		}
	}
}

func printValues(w *bytes.Buffer, v site.Values) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		fmt.Fprintf(tab, "  %s\t%s\n", name, cli.Clean(shorten(v[name].Text)))
	}
	_ = tab.Flush() // to memory
}
