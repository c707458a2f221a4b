package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"sluice/shared/state/corpus"
)

// checkedRecord is what is checked of a record.
type checkedRecord struct {
	FinalURL  string          `json:"final_url" parquet:"final_url"`
	Text      string          `json:"text" parquet:"text"`
	CharCount int64           `json:"char_count" parquet:"char_count"`
	WARC      corpus.Location `json:"warc" parquet:"-"`
	Place     checkedPlace    `json:"-" parquet:"warc"`
}

// checkedPlace is corpus.Location with the names of the columns.
type checkedPlace struct {
	File   string `parquet:"file"`
	Offset int64  `parquet:"offset"`
	Length int64  `parquet:"length"`
}

// shard counts the records of a shard that is as its digest says, and looks
// each up in the archives.
func (k *checker) shard(ctx context.Context, s *Shard) error {
	f, err := os.Open(filepath.Join(k.out, filepath.FromSlash(s.Name)))
	if err != nil {
		return fmt.Errorf("read shard: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	records, characters := int64(0), int64(0)
	visit := func(r *checkedRecord) error {
		records++
		characters += count(r.Text)
		k.res.Records++
		k.progress("check "+s.Name, records, s.Records)
		if k.m.Options.Format != Text {
			k.record(s.Name, records, r)
		}
		return ctx.Err()
	}
	switch k.m.Options.Format {
	case JSONL:
		err = eachZstdLine(f, func(l corpus.Line) error {
			r := new(checkedRecord)
			if err := json.Unmarshal(l.Text(), r); err != nil {
				return fmt.Errorf("record %d: %w", l.Number, err)
			}
			return visit(r)
		})
	case Text:
		err = eachText(f, visit)
	default:
		err = eachRow(f, s.Bytes, visit)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		k.res.wrong("%s cannot be read: %v", s.Name, err)
	}
	if records != s.Records || characters != s.Characters {
		k.res.wrong("%s holds %d records of %d characters, %s says %d of %d", s.Name, records, characters, ManifestFile, s.Records, s.Characters)
	}
	return nil
}

// record checks a record alone and against the archives.
func (k *checker) record(shard string, n int64, r *checkedRecord) {
	if have := count(r.Text); have != r.CharCount {
		k.res.wrong("%s, record %d: char_count is %d, the text has %d", shard, n, r.CharCount, have)
	}
	a, name := k.archiveOf(r.WARC.File)
	if a == nil {
		return
	}
	if err := a.response(name, r.WARC.Offset, r.WARC.Length, r.FinalURL); err != nil {
		k.res.wrong("%s, record %d (%.200s): %v", shard, n, r.FinalURL, err)
		return
	}
	k.res.Located++
}

// eachZstdLine reads the lines of a compressed file.
func eachZstdLine(r io.Reader, visit func(l corpus.Line) error) error {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	return corpus.EachLine(z, visit)
}

// eachText reads the texts of a file in the text format: line numbers jump
// where an empty line parts two of them.
func eachText(r io.Reader, visit func(*checkedRecord) error) error {
	text, last := []byte(nil), 0
	end := func() error {
		if last == 0 {
			return nil
		}
		return visit(&checkedRecord{Text: string(text)})
	}
	err := eachZstdLine(r, func(l corpus.Line) error {
		if last > 0 && l.Number > last+1 {
			if err := end(); err != nil {
				return err
			}
			text = text[:0]
		}
		last = l.Number
		text = append(append(text, l.Text()...), '\n')
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}

// eachRow reads the rows of a Parquet file.
func eachRow(f io.ReaderAt, size int64, visit func(*checkedRecord) error) (err error) {
	file, err := parquet.OpenFile(f, size)
	if err != nil {
		return err
	}
	rows := parquet.NewGenericReader[checkedRecord](file)
	defer func() { err = errors.Join(err, rows.Close()) }()
	buf := make([]checkedRecord, 64)
	for {
		n, err := rows.Read(buf)
		for i := range buf[:n] {
			buf[i].WARC = corpus.Location(buf[i].Place)
			if err := visit(&buf[i]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
