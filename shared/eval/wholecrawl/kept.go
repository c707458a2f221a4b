package wholecrawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sluice/shared/local"
	"sluice/shared/state/corpus"
)

// Documents calls visit for each document of a crawl's folder, in order, until
// visit returns an error. Errors name the file and the line.
func Documents(dir string, visit func(*corpus.Document) error) error {
	names, err := fs.Glob(os.DirFS(dir), "corpus/*.jsonl")
	if err != nil {
		return fmt.Errorf("list corpus: %w", err)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := documents(path, visit); err != nil {
			return fmt.Errorf("read corpus %s: %w", path, err)
		}
	}
	return nil
}

func documents(path string, visit func(*corpus.Document) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	return corpus.EachLine(file, func(l corpus.Line) error {
		if l.Torn() {
			return nil // it is still being written
		}
		d := new(corpus.Document)
		if err := json.Unmarshal(l.Raw, d); err != nil {
			return fmt.Errorf("line %d: %w", l.Number, err)
		}
		return visit(d)
	})
}

// Kept returns the final URLs of the documents in a crawl's folder, each once.
func Kept(dir string) ([]string, error) {
	var urls []string
	seen := map[string]bool{}
	err := Documents(dir, func(d *corpus.Document) error {
		if u := cmp.Or(d.FinalURL, d.URL); !seen[u] {
			seen[u] = true
			urls = append(urls, u)
		}
		return nil
	})
	return urls, err
}

// Of reads the outcome of a crawl that exists. Which pages it fetched, and in
// which order, is not known; how many is.
func Of(ctx context.Context, dir string) (_ *Outcome, err error) {
	folder, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	status, err := folder.Status(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := Kept(dir)
	if err != nil {
		return nil, err
	}
	return &Outcome{Name: status.Topic, Pages: status.Fetched, Kept: kept}, nil
}
