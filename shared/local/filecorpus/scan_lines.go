package filecorpus

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// line is what the index needs of a line, and where it ends.
type line struct {
	file  int
	end   int64
	key   key
	place place // of its exchange; empty of a reject that has none
}

// tail is the contents of the last two files of a kind.
type tail struct {
	n             int // number of the last file; without one, of the file before the first
	end           int64
	older, latest []line
}

func (t *tail) lines() []line { return append(t.older[:len(t.older):len(t.older)], t.latest...) }

// scanLast reads the last two files of a kind of JSON lines, from file start on.
func scanLast(dir string, k kind, start int) (*tail, error) {
	start = max(start, 1)
	n, err := k.last(dir)
	if err != nil || n < start {
		return &tail{n: start - 1}, err
	}
	t := &tail{n: n}
	if n > start {
		var rest int64
		t.older, rest, err = scanFile(dir, k, n-1)
		if err == nil && rest > 0 {
			err = fmt.Errorf("%s ends within a line, though it is not the last file", k.path(n-1))
		}
		if errors.Is(err, os.ErrNotExist) { // moved away: its keys are forgotten
			err = nil
		}
		if err != nil {
			return nil, err
		}
	}
	if t.latest, _, err = scanFile(dir, k, n); err != nil {
		return nil, err
	}
	if len(t.latest) > 0 {
		t.end = t.latest[len(t.latest)-1].end
	}
	return t, nil
}

// scanFile returns the whole lines of a file and how many bytes follow the
// last of them.
func scanFile(dir string, k kind, n int) (lines []line, rest int64, err error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(k.path(n))))
	if err != nil {
		return nil, 0, fmt.Errorf("scan %s: %w", k.path(n), err)
	}
	defer func() { _ = f.Close() }()
	lines, rest, err = scanLines(f, k)
	if err != nil {
		return nil, 0, fmt.Errorf("scan %s: %w", k.path(n), err)
	}
	for i := range lines {
		lines[i].file = n
	}
	return lines, rest, nil
}

func scanLines(r io.Reader, k kind) (lines []line, rest int64, err error) {
	br := bufio.NewReaderSize(r, 64<<10)
	var buf []byte
	var end int64
	for {
		buf, err = readLine(br, buf[:0])
		if errors.Is(err, io.EOF) {
			return lines, int64(len(buf)), nil
		}
		if err != nil {
			return nil, 0, err
		}
		l, err := parseLine(buf, k)
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", len(lines)+1, err)
		}
		end += int64(len(buf))
		l.end = end
		lines = append(lines, l)
	}
}

// readLine appends the next line with its line feed to buf; with io.EOF, the
// bytes after the last line feed.
func readLine(br *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := br.ReadSlice('\n')
		buf = append(buf, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, err
		}
	}
}

// parseLine reads the key of a record as its own type computes it.
func parseLine(b []byte, k kind) (line, error) {
	var rec struct {
		V        int             `json:"v"`
		URL      string          `json:"url"`
		FinalURL string          `json:"final_url"`
		Version  int             `json:"version"`
		Previous string          `json:"previous"`
		WARC     corpus.Location `json:"warc"`
	}
	if err := json.Unmarshal(b, &rec); err != nil {
		return line{}, fmt.Errorf("is not a JSON record: %w", err)
	}
	if rec.V != corpus.Version {
		return line{}, fmt.Errorf("is not a record of version %d", corpus.Version)
	}
	r := corpus.Reject{URL: rec.URL, Previous: rec.Previous}
	if k == rejectKind && rec.WARC == (corpus.Location{}) {
		return line{key: keyOf(r.Key())}, nil
	}
	p := placeOf(rec.WARC)
	if p.file == 0 || p.offset < 0 || p.length <= 0 {
		return line{}, fmt.Errorf("names no WARC record: %+v", rec.WARC)
	}
	if k == rejectKind {
		return line{key: keyOf(r.Key()), place: p}, nil
	}
	d := corpus.Document{FinalURL: rec.FinalURL, Version: rec.Version}
	return line{key: keyOf(d.Key()), place: p}, nil
}
