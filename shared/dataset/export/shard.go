package export

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// Shard is a file of records.
type Shard struct {
	Name       string `json:"name"` // below the dataset, with slashes
	Split      string `json:"split"`
	Records    int64  `json:"records"`
	Characters int64  `json:"characters"` // of text
	Bytes      int64  `json:"bytes"`
	SHA256     string `json:"sha256"`
}

// dataFolder holds the shards.
const dataFolder = "data"

// written is a shard that is complete, as the journal has it.
type written struct {
	Shard
	Next  int64  `json:"next"` // the row with which the search for the next one begins
	Stats *Stats `json:"stats"`
}

// shardWriter writes the shards of a dataset, one after another.
type shardWriter struct {
	e     *exporter
	index *index
	lines *lineReader
	done  []written
}

// writeShards writes the shards that are not there yet, and returns all.
func (e *exporter) writeShards(ctx context.Context, c *chosen) ([]written, error) {
	x, err := e.openIndex(c.Rows)
	if err != nil {
		return nil, err
	}
	defer func() { _ = x.f.Close() }() // it was only read
	done, err := e.readJournal()
	if err != nil {
		return nil, err
	}
	w := &shardWriter{e: e, index: x, lines: &lineReader{e: e}, done: done}
	defer w.lines.close()
	for _, split := range splitNames {
		if err := w.write(ctx, split); err != nil {
			return nil, err
		}
	}
	return w.done, nil
}

// write writes what is left of a split. For training there is always a shard:
// a dataset without files cannot be read at all.
func (w *shardWriter) write(ctx context.Context, split string) error {
	n, next := 0, int64(0)
	for _, s := range w.done {
		if s.Split == split {
			n, next = n+1, s.Next
		}
	}
	for {
		first, err := w.find(split, next)
		if err != nil {
			return err
		}
		if first == w.index.rows && (n > 0 || split != trainSplit) {
			return nil
		}
		s, err := w.shard(ctx, split, n, first)
		if err != nil {
			return err
		}
		if err := w.e.note(s); err != nil {
			return err
		}
		w.done = append(w.done, *s)
		n, next = n+1, s.Next
	}
}

// find returns the first row of a split from one on, the number of rows if
// there is none.
func (w *shardWriter) find(split string, from int64) (int64, error) {
	found := w.index.rows
	err := w.index.each(from, func(n int64, r row) (bool, error) {
		at, _, err := w.place(&r)
		if err != nil || at != split {
			return true, err
		}
		found = n
		return false, nil
	})
	return found, err
}

// place returns the split of a row, "" for one that is left out, and the id of
// the document that it repeats.
func (w *shardWriter) place(r *row) (split, repeats string, err error) {
	id := r.ID
	if r.Stays > 0 {
		if w.e.plan.Options.Dedupe {
			return "", "", nil
		}
		stays, err := w.index.at(int64(r.Stays) - 1)
		if err != nil {
			return "", "", err
		}
		id = stays.ID
		repeats = hex.EncodeToString(id[:])
	}
	return w.e.plan.Options.Split.of(id), repeats, nil
}

// shard writes shard n of a split, whose first row is known.
func (w *shardWriter) shard(ctx context.Context, split string, n int, first int64) (*written, error) {
	opts := &w.e.plan.Options
	s := &written{Shard: Shard{Name: path.Join(dataFolder, fmt.Sprintf("%s-%05d%s", split, n, opts.Format.ending())), Split: split}, Stats: newStats()}
	f := File{Name: s.Name}
	err := w.e.makeSummed(&f, func(out *countingWriter) error {
		enc, err := newEncoder(out, opts)
		if err != nil {
			return err
		}
		s.Next = w.index.rows
		err = w.index.each(first, func(n int64, r row) (bool, error) {
			if out.n >= opts.ShardSize {
				s.Next = n
				return false, nil
			}
			w.e.tools.Progress("write "+s.Name, n, w.index.rows)
			return true, w.record(ctx, s, enc, &r)
		})
		if err != nil {
			return err
		}
		return enc.close()
	})
	s.Bytes, s.SHA256 = f.Bytes, f.SHA256
	return s, err
}

// record writes the record of a row, if it is of the shard's split.
func (w *shardWriter) record(ctx context.Context, s *written, enc encoder, r *row) error {
	split, repeats, err := w.place(r)
	if err != nil || split != s.Split {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	raw, err := w.lines.read(r)
	if err != nil {
		return err
	}
	line, d, err := w.convert(raw, r, repeats)
	if err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if err := enc.add(line, d); err != nil {
		return err
	}
	characters := w.e.plan.Options.Format.characters(d)
	s.Records++
	s.Characters += characters
	s.Stats.add(d, characters)
	return nil
}

// convert makes the record that is exported of one that was read.
func (w *shardWriter) convert(raw []byte, r *row, repeats string) ([]byte, *corpus.Document, error) {
	d, err := readDocument(raw)
	if err != nil {
		return nil, nil, err
	}
	if w.e.tools.Duplicates != nil {
		d.DuplicateOf = repeats
	}
	d.WARC.File = w.e.plan.archive(int(r.Folder), d.WARC.File)
	line, err := d.AppendJSON(nil)
	if err != nil || bytes.Equal(bytes.TrimRight(line, "\n"), raw) {
		return line, d, err
	}
	clean := new(corpus.Document) // as the record says it, in its lines and rows
	err = json.Unmarshal(line, clean)
	return line, clean, err
}

// archive names the archive of a folder: in a dataset of several, by the
// folder, too.
func (p *plan) archive(folder int, name string) string {
	if len(p.Folders) == 1 || name == "" {
		return name
	}
	return path.Join(p.Folders[folder].Label, filepath.ToSlash(name))
}
