package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// EdgeCount counts the links of a crawl.
type EdgeCount struct {
	Pages int `json:"pages"` // whose links are recorded; one that was fetched twice counts twice
	Links int `json:"links"`
}

// ErrNoEdges says that the links of a crawl are not recorded.
var ErrNoEdges = errors.New("the archive has no links: only a crawl by the strategy pagerank records those of its pages")

// Edges writes the links that the archive in a crawl's folder has of its pages, in the
// order of the archive. Each line has a page, a tab, and a page that it links to. If the
// archive has no links, the error wraps ErrNoEdges.
func Edges(ctx context.Context, dir string, w io.Writer) (*EdgeCount, error) {
	archives, err := inputs(dir, corpus.ArchiveFolder, ".warc", ".warc.gz")
	if err != nil {
		return nil, err
	}
	n, out := new(EdgeCount), bufio.NewWriter(w)
	for _, in := range archives {
		if err := n.add(ctx, filepath.Join(dir, filepath.FromSlash(in.Name)), out); err != nil {
			return nil, fmt.Errorf("read links of %s: %w", in.Name, err)
		}
	}
	if n.Pages == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoEdges)
	}
	return n, out.Flush()
}

// add writes the links of one file.
func (n *EdgeCount) add(ctx context.Context, path string, out *bufio.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was read only
	for rec, err := range corpus.ReadWARC(file) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		links := rec.Outlinks()
		if len(links) == 0 {
			continue
		}
		n.Pages++
		for _, link := range links {
			n.Links++
			if _, err := fmt.Fprintf(out, "%s\t%s\n", rec.TargetURI, link); err != nil {
				return err
			}
		}
	}
	return nil
}
