package topic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"sluice/shared/text/segment"
)

// LoadAny reads a topic file or an artifact, distinguished by its first bytes,
// and makes it ready to run. The errors are those of Read and of reading the
// file.
func LoadAny(path string) (*Compiled, error) {
	data, err := ReadSource(path)
	if err != nil {
		return nil, err
	}
	return Read(path, data)
}

// ReadSource reads the bytes of a topic file or an artifact, for Read. It reads
// only enough of a too large file to detect that.
func ReadSource(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read topic file: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	var data bytes.Buffer
	if _, err := io.CopyN(&data, file, int64(len(magic))); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read topic file: %w", err)
	}
	most := int64(maxBytes)
	if IsArtifact(data.Bytes()) {
		most = maxArtifact
	}
	if info, err := file.Stat(); err == nil {
		data.Grow(int(min(info.Size(), most)) + bytes.MinRead)
	}
	if _, err := data.ReadFrom(io.LimitReader(file, most+1-int64(data.Len()))); err != nil {
		return nil, fmt.Errorf("read topic file: %w", err)
	}
	return data.Bytes(), nil
}

// Read makes a topic ready to run, from the bytes of a topic file or of an
// artifact; errors call it name. They are of type Problems for a topic file,
// the Err… of this package for an artifact. A topic file is compiled at once,
// with similarity 1 for the same word and 0 otherwise; its ID is the SHA-256 of
// data.
func Read(name string, data []byte) (*Compiled, error) {
	if IsArtifact(data) {
		c, err := Decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return c, nil
	}
	file, err := Parse(name, data)
	if err != nil {
		return nil, err
	}
	c := file.Compiled()
	c.ID = digest(data)
	return c, nil
}

// Compiled compiles the topic directly, with similarity 1 for the same word and
// 0 otherwise (see Lexicon). The result shares the File; its ID is that of the
// File's content.
func (f *File) Compiled() *Compiled {
	words := make([]string, len(f.Words))
	for i, word := range f.Words {
		words[i] = word.Text
	}
	return &Compiled{
		File: f, Lexicon: f.Lexicon(), UserWords: words, ID: digest(fmt.Appendf(nil, "%+v", *f)),
		Meta: Meta{Language: f.Language, Segmenter: segment.FingerprintOf(f.Language), MeanWeight: f.MeanWeight},
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
