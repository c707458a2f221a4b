package frozenweb

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Writer writes a frozen web, as zstd. Close it. Equal webs give equal bytes.
type Writer struct {
	packed *zstd.Encoder
	lines  *json.Encoder
}

// NewWriter begins a web; w is not closed.
func NewWriter(w io.Writer, name, note string, seeds []string) (*Writer, error) {
	packed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("write web: %w", err)
	}
	lines := json.NewEncoder(packed)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(&record{Web: name, Note: note, Seeds: seeds}); err != nil {
		return nil, fmt.Errorf("write web: %w", errors.Join(err, packed.Close()))
	}
	return &Writer{packed, lines}, nil
}

// Add adds a page that is not plain.
func (w *Writer) Add(p *Page) error {
	r := record{URL: p.URL, Type: p.Type, Base64: p.Body, Redirect: p.Redirect, Label: p.Label, Kind: p.Kind}
	if err := w.lines.Encode(&r); err != nil {
		return fmt.Errorf("write page %s: %w", p.URL, err)
	}
	return nil
}

// Close ends the web.
func (w *Writer) Close() error { return w.packed.Close() }
