package forget

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// Patch is a record of a WARC file to remove or to shorten.
type Patch struct {
	record *corpus.Record // without its block
	block  []byte         // its new block; nil: it goes
}

// Archive reads a WARC file and returns what has to change in it, in the order of
// the file: responses, requests, metadata, rejects, decisions about links, and
// outlinks. Records that cannot be read, or are not gzip members of their own,
// cannot be replaced: damaged lists them.
func (s *Set) Archive(r io.Reader) (patches []Patch, damaged []error, err error) {
	in := bufio.NewReader(r)
	magic, _ := in.Peek(len(gzipMagic)) // ReadWARC meets the same error
	zipped := string(magic) == gzipMagic
	for rec, err := range corpus.ReadWARC(in) {
		if damage, ok := errors.AsType[*corpus.Damage](err); ok {
			damaged = append(damaged, damage)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		p, changes := s.record(rec)
		if !changes {
			continue
		}
		if rec.Length == 0 || !zipped {
			damaged = append(damaged, fmt.Errorf("record at byte %d: is not a gzip member of its own and cannot be replaced", rec.Offset))
			continue
		}
		rec.Block = nil
		patches = append(patches, p)
	}
	return patches, damaged, nil
}

// gzipMagic is the beginning of a compressed WARC file.
const gzipMagic = "\x1f\x8b"

// record returns the patch of a record, if it changes.
func (s *Set) record(rec *corpus.Record) (p Patch, changes bool) {
	p.record = rec
	if lines := rec.Decisions(); lines != nil {
		p.block, changes = s.decisions(lines)
		return p, changes
	}
	if reject, err := rec.Reject(); reject != nil && err == nil {
		return s.rejectRecord(rec)
	}
	if target, ok := s.Find(rec.TargetURI); ok {
		t := s.count(target, rec.TargetURI)
		t.Records++
		t.Bytes += rec.Length
		return p, true
	}
	if rec.Outlinks() != nil {
		p.block = rec.WithoutOutlinks(func(url string) bool {
			target, ok := s.Find(url)
			if ok {
				s.count(target).Links++
			}
			return ok
		})
		return p, len(p.block) < len(rec.Block)
	}
	if rec.Type != "metadata" || rec.ConcurrentTo == "" {
		return p, false
	}
	if p.block, changes = s.Trace(rec.Block); changes {
		s.orphans[rec.TargetURI] = true
	}
	return p, changes
}

// rejectRecord returns the patch of the record of a reject, if it changes.
func (s *Set) rejectRecord(rec *corpus.Record) (p Patch, changes bool) {
	p.record = rec
	a, err := readAbout(rec.Block)
	if err != nil {
		return p, false
	}
	if target, ok := s.find(a); ok {
		t := s.count(target, a.URL, a.FinalURL)
		t.Records++
		t.Bytes += rec.Length
		return p, true
	}
	p.block, err = s.Reject(rec.Block)
	return p, err == nil && !bytes.Equal(p.block, rec.Block)
}

// decisions returns the decisions about links that stay; nil if all of them go.
func (s *Set) decisions(lines [][]byte) (block []byte, changes bool) {
	for _, line := range lines {
		var d ledger.Decision
		if json.Unmarshal(line, &d) != nil {
			block = append(append(block, line...), '\n')
			continue
		}
		if target, ok := s.Find(d.Link.URL); ok {
			t := s.count(target)
			t.Links++
			t.Bytes += int64(len(line)) + 1
			changes = true
			continue
		}
		if s.Link(&d.Link) {
			if edited, err := json.Marshal(&d); err == nil {
				line, changes = edited, true
			}
		}
		block = append(append(block, line...), '\n')
	}
	return block, changes
}

// Apply copies a WARC file with the patches that Archive found in it. All other
// bytes stay the same and in place: a removed record is replaced by one of the same
// length that says so.
func Apply(w io.Writer, r io.Reader, patches []Patch, at time.Time) error {
	var offset int64
	var buf []byte
	for i := range patches {
		rec := patches[i].record
		if _, err := io.CopyN(w, r, rec.Offset-offset); err != nil {
			return fmt.Errorf("copy up to byte %d: %w", rec.Offset, err)
		}
		var err error
		if patches[i].block == nil {
			buf, err = corpus.AppendRemoved(buf[:0], rec, at)
		} else {
			buf, err = corpus.AppendEdited(buf[:0], rec, patches[i].block, at)
		}
		if err != nil {
			return fmt.Errorf("replace record at byte %d: %w", rec.Offset, err)
		}
		_, werr := w.Write(buf)
		_, rerr := io.CopyN(io.Discard, r, rec.Length)
		if err := cmp.Or(werr, rerr); err != nil {
			return fmt.Errorf("replace record at byte %d: %w", rec.Offset, err)
		}
		offset = rec.Offset + rec.Length
	}
	if _, err := io.Copy(w, r); err != nil {
		return fmt.Errorf("copy from byte %d: %w", offset, err)
	}
	return nil
}
