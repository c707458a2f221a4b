package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"sluice/shared/state/corpus"
)

// Formats of tables.
const (
	CSV     = "csv"
	Parquet = "parquet"
)

// ErrNone reports a folder without records.
var ErrNone = errors.New("there are no records: a structured crawl has some once it has ended, of pages with the fields of its template")

// Result is what was made.
type Result struct {
	Out    string  `json:"out"`
	Format string  `json:"format"`
	Tables []Table `json:"tables"`
}

// Table is a file of the result.
type Table struct {
	File string `json:"file"` // below Out: SITE/LAYER.csv
	Rows int    `json:"rows"`
}

// partSuffix is that of a table which is not complete.
const partSuffix = ".part"

// Run makes tables of the records below a folder, records/SITE/LAYER/*.jsonl, in out.
// Each file is complete or not there.
func Run(ctx context.Context, records, out, format string) (*Result, error) {
	schemas, err := fs.Glob(os.DirFS(records), "*/*/schema.json")
	if err != nil {
		return nil, err
	}
	if len(schemas) == 0 {
		return nil, fmt.Errorf("%s: %w", records, ErrNone)
	}
	slices.Sort(schemas)
	res := &Result{Out: out, Format: format}
	for _, name := range schemas {
		layer := path.Dir(name)
		t := Table{File: layer + "." + format}
		if t.Rows, err = one(ctx, filepath.Join(records, filepath.FromSlash(layer)), filepath.Join(out, filepath.FromSlash(t.File)), format); err != nil {
			return nil, fmt.Errorf("make table %s: %w", t.File, err)
		}
		res.Tables = append(res.Tables, t)
	}
	return res, nil
}

// one makes the table of a layer.
func one(ctx context.Context, layer, file, format string) (rows int, err error) {
	data, err := os.ReadFile(filepath.Join(layer, "schema.json"))
	if err != nil {
		return 0, err
	}
	cols, err := columns(data)
	if err != nil {
		return 0, err
	}
	names, err := filepath.Glob(filepath.Join(layer, "*.jsonl"))
	if err != nil {
		return 0, err
	}
	slices.Sort(names)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return 0, err
	}
	f, err := os.Create(file + partSuffix)
	if err != nil {
		return 0, err
	}
	w, err := newWriter(f, cols, format)
	for i := 0; i < len(names) && err == nil; i++ {
		err = copyRows(ctx, w, names[i], &rows)
	}
	if err == nil {
		err = w.close()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return 0, errors.Join(err, os.Remove(file+partSuffix))
	}
	return rows, os.Rename(file+partSuffix, file)
}

// writer writes the rows of a table.
type writer interface {
	write(r *row) error
	close() error
}

func newWriter(w io.Writer, cols []column, format string) (writer, error) {
	switch format {
	case CSV:
		return newCSV(w, cols)
	case Parquet:
		return newParquet(w, cols), nil
	}
	return nil, fmt.Errorf("%q is no format of tables", format)
}

func copyRows(ctx context.Context, w writer, name string, rows *int) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	return corpus.EachLine(in, func(l corpus.Line) error {
		r, err := parse(l.Raw)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = w.write(r)
		}
		if err != nil {
			return fmt.Errorf("line %d of %s: %w", l.Number, filepath.Base(name), err)
		}
		*rows++
		return nil
	})
}
