package export

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"sluice/shared/state/corpus"
)

// rowGroupBytes is how much JSON makes a row group: it is in memory while it is
// written, in columns. A reader takes a row group at a time, too.
const rowGroupBytes = 64 << 20

// parquetEncoder writes rows of recordType.
type parquetEncoder struct {
	w        *parquet.GenericWriter[any]
	row      reflect.Type
	group    int64 // bytes of JSON a row group
	gathered int64 // in this one
}

func newParquetEncoder(w io.Writer, opts *Options) (*parquetEncoder, error) {
	t, err := recordType()
	if err != nil {
		return nil, fmt.Errorf("make schema: %w", err)
	}
	// Plain encoding is what every reader knows; the compression sees to the rest.
	pw := parquet.NewGenericWriter[any](w,
		parquet.NewSchema("document", parquet.SchemaOf(reflect.New(t).Interface())),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
		parquet.DefaultEncoding(&parquet.Plain),
		parquet.SkipPageBounds("text"),
		parquet.CreatedBy("sluice", opts.Sluice, ""),
	)
	return &parquetEncoder{w: pw, row: t, group: min(rowGroupBytes, opts.ShardSize)}, nil
}

func (e *parquetEncoder) add(line []byte, _ *corpus.Document) error {
	row := reflect.New(e.row)
	if err := json.Unmarshal(line, row.Interface()); err != nil {
		return fmt.Errorf("fill row: %w", err)
	}
	if _, err := e.w.Write([]any{row.Elem().Interface()}); err != nil {
		return fmt.Errorf("write row: %w", err)
	}
	if e.gathered += int64(len(line)); e.gathered < e.group {
		return nil
	}
	e.gathered = 0
	return e.w.Flush()
}

func (e *parquetEncoder) close() error { return e.w.Close() }
