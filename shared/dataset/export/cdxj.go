package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sluice/shared/extsort"
	"sluice/shared/state/corpus"
)

// IndexFile lists the responses in the archives, as CDXJ: a line for each, of
// its SURT key, its time in 14 digits and a JSON object, sorted by bytes. The
// file names are those of the records.
const IndexFile = "index.cdxj"

// capture is the JSON of a line of the index; the values are strings, as other
// indexers write them.
type capture struct {
	URL      string `json:"url"`
	MIME     string `json:"mime,omitempty"`
	Status   string `json:"status,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Length   string `json:"length"`
	Offset   string `json:"offset"`
	Filename string `json:"filename"`
}

// runBytes is how many bytes of lines are sorted in memory.
const runBytes = 32 << 20

// indexArchives writes the index, where there are archives.
func (e *exporter) indexArchives(ctx context.Context, m *Manifest) error {
	some := false
	for _, s := range e.plan.Folders {
		some = some || len(s.Archives) > 0
	}
	if !some {
		return nil
	}
	m.Index = new(Index)
	sorted := extsort.New(extsort.Lines, filepath.Join(e.out, workFolder), runBytes)
	defer func() { _ = sorted.Close() }() // its file has no name, or goes with the folder
	for i, s := range e.plan.Folders {
		for _, in := range s.Archives {
			e.tools.Progress("index "+in.Name, m.Index.Records, 0)
			if err := e.indexArchive(ctx, i, in, m.Index, sorted); err != nil {
				return err
			}
		}
	}
	sum := File{Name: IndexFile}
	err := e.makeSummed(&sum, func(w *countingWriter) error {
		for line, err := range sorted.Sorted() {
			if err != nil {
				return err
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	m.Files = append(m.Files, sum)
	return nil
}

// indexArchive adds the responses of an archive.
func (e *exporter) indexArchive(ctx context.Context, folder int, in Input, x *Index, sorted *extsort.Sorter[[]byte]) error {
	name := filepath.Join(e.folders[folder].Dir, filepath.FromSlash(in.Name))
	torn, err := eachRecord(ctx, name, in.Bytes, func(rec *corpus.Record) error {
		if rec.Type != "response" || rec.Length == 0 {
			return nil
		}
		line, err := captureLine(rec, e.plan.archive(folder, in.Name))
		if err != nil {
			return fmt.Errorf("index record at byte %d: %w", rec.Offset, err)
		}
		x.Records++
		return sorted.Add(line)
	})
	switch {
	case err == nil && torn != nil && e.plan.Folders[folder].Open:
		x.Torn++
	case err == nil:
		err = torn
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("read archive %s: %w", name, err)
	}
	return err
}

// eachRecord reads the records of an archive, up to the given length. An error
// about the last one is torn: a crawl may be writing it.
func eachRecord(ctx context.Context, path string, size int64, visit func(rec *corpus.Record) error) (torn, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	for rec, err := range corpus.ReadWARC(io.LimitReader(f, size)) {
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case torn != nil: // it was not the last one
			return nil, torn
		case err != nil:
			torn = err
		default:
			if err := visit(rec); err != nil {
				return nil, err
			}
		}
	}
	return torn, nil
}

// captureLine is the line of a response.
func captureLine(rec *corpus.Record, file string) ([]byte, error) {
	c := capture{
		URL: rec.TargetURI, Digest: rec.PayloadDigest(),
		Length: strconv.FormatInt(rec.Length, 10), Offset: strconv.FormatInt(rec.Offset, 10), Filename: file,
	}
	if resp, err := rec.HTTP(); err == nil {
		c.Status = strconv.Itoa(resp.Status)
		if kinds := strings.FieldsFunc(resp.Header.Get("Content-Type"), func(r rune) bool { return r == ';' || r == ' ' || r == '\t' }); len(kinds) > 0 {
			c.MIME = kinds[0]
		}
	}
	var b bytes.Buffer
	b.WriteString(surtKey(c.URL))
	b.WriteByte(' ')
	b.WriteString(rec.Date.UTC().Format("20060102150405"))
	b.WriteByte(' ')
	enc := json.NewEncoder(&b) // ends with a line feed
	enc.SetEscapeHTML(false)
	err := enc.Encode(&c)
	return b.Bytes(), err
}
