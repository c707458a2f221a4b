package frozenweb

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"sluice/shared/web/urlnorm"
)

// Limits of a file, so that one made to do harm ends with an error.
const (
	maxLine = 64 << 20 // bytes of one line
	maxSize = 4 << 30  // bytes of all lines, unpacked
	maxRAM  = 256 << 20
)

// Load reads a frozen web with all its bodies. Errors name the file and the
// line.
func Load(path string) (*Web, error) { return load(path, true) }

// LoadIndex reads a frozen web without bodies, for callers that only need URLs
// and labels, in a fraction of the memory.
func LoadIndex(path string) (*Web, error) { return load(path, false) }

func load(path string, bodies bool) (*Web, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read web: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	web, err := read(file, bodies)
	if err != nil {
		return nil, fmt.Errorf("read web %s: %w", path, err)
	}
	return web, nil
}

// Read reads a frozen web, packed or not. The error names the line.
func Read(r io.Reader) (*Web, error) { return read(r, true) }

func read(r io.Reader, bodies bool) (*Web, error) {
	unpacked, done, err := unpack(r)
	if err != nil {
		return nil, err
	}
	defer done()
	web := &Web{exact: map[string]int{}, canonical: map[string]int{}}
	limited := &io.LimitedReader{R: unpacked, N: maxSize}
	lines := bufio.NewScanner(limited)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := web.line(line, bodies); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: longer than %d bytes", number+1, maxLine)
	case err != nil:
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	case limited.N == 0:
		return nil, fmt.Errorf("line %d: more than %d bytes altogether", number, int64(maxSize))
	case len(web.Pages) == 0:
		return nil, errors.New("no pages")
	}
	return web, nil
}

// unpack detects compression by the first bytes, since file names are
// unreliable.
func unpack(r io.Reader) (unpacked io.Reader, done func(), err error) {
	head := bufio.NewReaderSize(r, 1<<20)
	magic, _ := head.Peek(4) // a shorter file is not packed
	switch {
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(head, zstd.WithDecoderMaxMemory(maxRAM), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, fmt.Errorf("unpack zstd: %w", err)
		}
		return z, z.Close, nil
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(head)
		if err != nil {
			return nil, nil, fmt.Errorf("unpack gzip: %w", err)
		}
		return z, func() {}, nil
	}
	return head, func() {}, nil
}

// record is a line: the head of a web, or a page.
type record struct {
	Web         string   `json:"web,omitempty"`
	Note        string   `json:"note,omitempty"`
	Seeds       []string `json:"seeds,omitempty"`
	URL         string   `json:"url,omitempty"`
	Type        string   `json:"type,omitempty"`
	Base64      []byte   `json:"b64,omitempty"`
	Text        string   `json:"text,omitempty"`
	Redirect    string   `json:"redirect,omitempty"`
	Label       string   `json:"label,omitempty"`
	Kind        string   `json:"kind,omitempty"`
	Title       *string  `json:"title,omitempty"`
	Description *string  `json:"description,omitempty"`
}

func (w *Web) line(line []byte, bodies bool) error {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	plain := r.Title != nil || r.Description != nil
	switch {
	case len(w.Pages) == 0 && r.URL == "" && !plain && (r.Web != "" || len(r.Seeds) > 0):
		return w.head(&r)
	case r.URL == "" && !plain:
		return errors.New("no url")
	case len(r.Base64) > 0 && r.Text != "":
		return fmt.Errorf("url %.100q has both b64 and text: give its body in one of them", r.URL)
	case r.Redirect != "" && (plain || len(r.Base64) > 0 || r.Text != ""):
		return fmt.Errorf("url %.100q has a redirect and a body", r.URL)
	}
	if r.Redirect != "" {
		if _, err := urlnorm.Parse(r.Redirect); err != nil {
			return fmt.Errorf("redirect %.100q: %w", r.Redirect, err)
		}
	}
	p := Page{URL: r.URL, Type: r.Type, Label: r.Label, Kind: cmp.Or(r.Kind, Article), Redirect: r.Redirect, Plain: plain}
	if plain {
		p.Title, p.Description = *cmp.Or(r.Title, new(string)), *cmp.Or(r.Description, new(string))
	}
	if bodies {
		if p.Body = r.Base64; len(p.Body) == 0 {
			p.Body = []byte(r.Text)
		}
	}
	return w.add(p)
}

func (w *Web) head(r *record) error {
	if w.Name != "" || len(w.Seeds) > 0 {
		return errors.New("the web is named twice")
	}
	for _, seed := range r.Seeds {
		if _, err := urlnorm.Parse(seed); err != nil {
			return fmt.Errorf("seed %.100q: %w", seed, err)
		}
	}
	w.Name, w.Note, w.Seeds = r.Web, r.Note, r.Seeds
	return nil
}
