package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"sluice/shared/state/corpus"
)

// eachLineOf reads the lines of a file, up to the given length.
func eachLineOf(path string, size int64, visit func(l corpus.Line) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read lines: %w", err)
	}
	err = corpus.EachLine(io.LimitReader(f, size), visit)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readDocument reads a record, which must not be of a version to come.
func readDocument(text []byte) (*corpus.Document, error) {
	d := new(corpus.Document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, err
	}
	if d.V > corpus.Version {
		return nil, fmt.Errorf("record of version %d: this sluice knows %d", d.V, corpus.Version)
	}
	return d, nil
}
