package tables

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// parquetWriter writes a table in Parquet. A value that a record lacks is null.
type parquetWriter struct {
	w    *parquet.GenericWriter[any]
	cols []column
	typ  reflect.Type // of a row: a field for each column
	rows int          // of the row group
}

// rowGroup is how many rows are kept in memory.
const rowGroup = 20_000

func newParquet(w io.Writer, cols []column) *parquetWriter {
	types := map[kind]reflect.Type{asText: reflect.TypeFor[*string](), asReal: reflect.TypeFor[*float64](), asWhole: reflect.TypeFor[*int64]()}
	fields := make([]reflect.StructField, len(cols))
	for i := range cols {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: types[cols[i].kind],
			Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, cols[i].name)),
		}
	}
	typ := reflect.StructOf(fields)
	return &parquetWriter{
		w: parquet.NewGenericWriter[any](w,
			parquet.NewSchema("record", parquet.SchemaOf(reflect.New(typ).Interface())),
			parquet.DefaultEncoding(&parquet.Plain),
			parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
		),
		cols: cols, typ: typ,
	}
}

func (p *parquetWriter) write(r *row) error {
	one := reflect.New(p.typ)
	for i := range p.cols {
		var value any
		switch v := p.cols[i].of(r).(type) {
		case string:
			value = &v
		case float64:
			value = &v
		case int64:
			value = &v
		default:
			continue
		}
		if field := one.Elem().Field(i); field.Type() == reflect.TypeOf(value) {
			field.Set(reflect.ValueOf(value))
		}
	}
	if _, err := p.w.Write([]any{one.Interface()}); err != nil {
		return err
	}
	if p.rows++; p.rows < rowGroup {
		return nil
	}
	p.rows = 0
	return p.w.Flush()
}

func (p *parquetWriter) close() error { return p.w.Close() }
