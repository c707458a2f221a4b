package operator

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// partSuffix ends the names of incomplete files.
const partSuffix = ".part"

// archive copies a segment unchanged. A segment with forgotten pages has its
// old size, but a new time.
func (e *export) archive(ctx context.Context, f exportFile) error {
	if info, err := os.Stat(f.path); err == nil && info.Size() == f.Size && info.ModTime().Unix() == f.Modified.Unix() {
		e.done(&f, false)
		return nil
	}
	return e.fetch(ctx, f, func(w io.Writer, r io.Reader) error {
		_, err := io.Copy(w, r)
		return err
	})
}

// fetch copies an object to a temporary file, gives it the object's time, by
// which the next export recognises it, and renames it.
func (e *export) fetch(ctx context.Context, f exportFile, convert func(io.Writer, io.Reader) error) (err error) {
	body, err := e.o.parts.Objects.Open(ctx, f.Key)
	if err != nil {
		return err
	}
	defer body.Close()
	part := f.path + partSuffix
	file, err := os.Create(part)
	if err != nil {
		return fmt.Errorf("write %s: %w", part, err)
	}
	w := bufio.NewWriter(file)
	err = convert(w, body)
	if err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", f.Key, err)
	}
	if err := os.Chtimes(part, time.Time{}, f.Modified); err != nil {
		return fmt.Errorf("copy %s: %w", f.Key, err)
	}
	if err := os.Rename(part, f.path); err != nil {
		return fmt.Errorf("copy %s: %w", f.Key, err)
	}
	e.done(&f, true)
	return nil
}

// linesAtOnce is how many records are looked up at once.
const linesAtOnce = 500

// pick reads the line of a record. It returns the URL whose end decides whether
// to keep it ("" for none), whether to keep it if the URL has no end, and the
// line to write.
type pick func(line []byte, segment string) (url string, foreign bool, out []byte, err error)

// lines copies the JSON lines that the ledger points at.
func (e *export) lines(ctx context.Context, f exportFile, p pick) error {
	// A refresh can change which pages of the earlier crawls are current.
	fixed := f.crawl == e.crawls[0]
	if info, err := os.Stat(f.path); err == nil && fixed && info.ModTime().Unix() == f.Modified.Unix() {
		e.done(&f, false)
		return nil
	}
	segment := f.segment()
	return e.fetch(ctx, f, func(w io.Writer, r io.Reader) error {
		return eachChunk(r, func(lines [][]byte) error { return e.copyLines(ctx, w, lines, segment, p) })
	})
}

func (e *export) copyLines(ctx context.Context, w io.Writer, lines [][]byte, segment string, p pick) error {
	type record struct {
		url     string
		foreign bool
		out     []byte
	}
	records := make([]record, len(lines))
	var urls []string
	for i, line := range lines {
		r := &records[i]
		var err error
		if r.url, r.foreign, r.out, err = p(line, segment); err != nil {
			return err
		}
		if r.url != "" {
			urls = append(urls, r.url)
		}
	}
	entries, err := e.known.Entries(ctx, urls)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.url != "" {
			entry := entries[0]
			entries = entries[1:]
			if entry == nil && !r.foreign || entry != nil && entry.Segment != segment {
				continue
			}
		}
		if _, err := w.Write(r.out); err != nil {
			return err
		}
	}
	return nil
}

// document is the pick of documents. Documents of foreign archives have no seed
// and no end.
func (e *export) document(line []byte, segment string) (url string, foreign bool, out []byte, err error) {
	var d corpus.Document
	if err := json.Unmarshal(line, &d); err != nil {
		return "", false, nil, fmt.Errorf("read document: %w", err)
	}
	d.WARC.File = localWARC(cmp.Or(d.WARC.File, segment))
	out, err = d.AppendJSON(nil)
	return d.FinalURL, d.Path.Seed == "", out, err
}

// reject is the pick of rejects. Unreadable places of a segment have no URL.
func (e *export) reject(line []byte, _ string) (url string, foreign bool, out []byte, err error) {
	var r corpus.Reject
	if err := json.Unmarshal(line, &r); err != nil {
		return "", false, nil, fmt.Errorf("read reject: %w", err)
	}
	return r.FinalURL, r.Parent == "", line, nil
}

// documents counts the documents in the folder, and returns how many of them
// the ledger may have. It leaves out foreign archives and repeated pages,
// fetched again after their first segment had been copied: they would hide
// missing ones.
func (e *export) documents(ctx context.Context, corpora []exportFile) (ours int64, err error) {
	seen := map[uint64]struct{}{}
	for _, f := range corpora {
		file, err := os.Open(f.path)
		if err != nil {
			return 0, fmt.Errorf("count documents: %w", err)
		}
		err = eachChunk(file, func(lines [][]byte) error {
			e.out.Documents += int64(len(lines))
			var foreign []string
			for _, line := range lines {
				var d struct {
					FinalURL string `json:"final_url"`
					Path     struct {
						Seed string `json:"seed"`
					} `json:"path"`
				}
				if err := json.Unmarshal(line, &d); err != nil {
					return fmt.Errorf("read %s: %w", f.path, err)
				}
				if d.Path.Seed == "" {
					foreign = append(foreign, d.FinalURL) // a task by hand may name none, too
					continue
				}
				seen[xxh3.HashString(d.FinalURL)] = struct{}{}
			}
			entries, err := e.known.Entries(ctx, foreign)
			for i, entry := range entries {
				if entry != nil {
					seen[xxh3.HashString(foreign[i])] = struct{}{}
				}
			}
			return err
		})
		if err = errors.Join(err, file.Close()); err != nil {
			return 0, err
		}
	}
	return int64(len(seen)), nil
}

// refused counts the pages that the ledger has as kept but clean refused for a
// fault of the page itself, or by the second look. Pages refused by another topic or by a fault of ours are
// lost; rejects of other segments than the ledger's are outdated.
func (e *export) refused(ctx context.Context, rejects []exportFile) (int64, error) {
	var n int64
	for _, f := range rejects {
		segment := f.segment()
		file, err := os.Open(f.path)
		if err != nil {
			return 0, fmt.Errorf("count rejects: %w", err)
		}
		err = eachChunk(file, func(lines [][]byte) error {
			var urls []string
			for _, line := range lines {
				var r corpus.Reject
				if err := json.Unmarshal(line, &r); err != nil {
					return fmt.Errorf("read %s: %w", f.path, err)
				}
				if r.FinalURL != "" && (!reading.ByTopic(r.Rule) || r.Rule == reading.RuleSecondLook) && r.Rule != reading.RulePanic {
					urls = append(urls, r.FinalURL)
				}
			}
			entries, err := e.known.Entries(ctx, urls)
			for _, entry := range entries {
				if entry != nil && entry.Verdict == ledger.Kept && entry.Segment == segment {
					n++
				}
			}
			return err
		})
		if err = errors.Join(err, file.Close()); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// eachChunk reads lines with their ends, linesAtOnce at a time.
func eachChunk(r io.Reader, visit func(lines [][]byte) error) error {
	br := bufio.NewReaderSize(r, 1<<20)
	var chunk [][]byte
	for {
		line, err := br.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			chunk = append(chunk, append(bytes.TrimRight(line, "\r\n"), '\n'))
		}
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return err
		}
		if len(chunk) == linesAtOnce || end && len(chunk) > 0 {
			if err := visit(slices.Clone(chunk)); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
		if end {
			return nil
		}
	}
}
