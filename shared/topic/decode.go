package topic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"sluice/shared/text/quality"
	"sluice/shared/text/segment"
)

// Decode reads an artifact. Any data is either refused or safe to use; the
// errors are the Err… of this package, with details. An artifact for another
// segmenter than this program's is refused. The lexicon keeps using data, which
// must not be changed.
func Decode(data []byte) (*Compiled, error) {
	return decodeFor(data, segment.FingerprintOf)
}

// decodeFor reads an artifact for the segmenter that has the given fingerprint
// for a language.
func decodeFor(data []byte, running func(language string) segment.Fingerprint) (*Compiled, error) {
	c, err := decode(data)
	if err != nil {
		return nil, err
	}
	if err := compare(c.Meta.Segmenter, running(c.Meta.Language)); err != nil {
		return nil, err
	}
	return c, nil
}

// decode reads an artifact for any segmenter.
func decode(data []byte) (*Compiled, error) {
	parts, err := split(data)
	if err != nil {
		return nil, err
	}
	c := &Compiled{File: new(File), ID: hex.EncodeToString(data[len(data)-sha256.Size:])}
	if err := c.read(parts); err != nil {
		return nil, fmt.Errorf("%w (%w)", errDamaged, err)
	}
	return c, nil
}

func (c *Compiled) read(parts map[string][]byte) error {
	if err := readJSON(parts[sectionMeta], &c.Meta); err != nil {
		return fmt.Errorf("read parameters: %w", err)
	}
	if err := readJSON(parts[sectionFile], c.File); err != nil {
		return fmt.Errorf("read topic file: %w", err)
	}
	for _, name := range quality.Retired {
		delete(c.File.Quality, name)
	}
	if err := c.File.Validate(); err != nil {
		return fmt.Errorf("check topic file: %w", err)
	}
	if c.Meta.Version != formatVersion || c.Meta.Language != c.File.Language {
		return errors.New("the parameters are of another topic")
	}
	user, err := readWordList(parts[sectionUser])
	if err != nil {
		return fmt.Errorf("read user words: %w", err)
	}
	c.UserWords = user.all()
	for _, word := range c.UserWords {
		if _, err := segment.UserWord(word); err != nil {
			return fmt.Errorf("read user words: %w", err)
		}
	}
	if c.Lexicon, err = readLexicon(parts); err != nil {
		return fmt.Errorf("read lexicon: %w", err)
	}
	c.Lexicon.anchors = newTrie(c.File.anchors())
	return nil
}

// readJSON reads one value, without fields that it does not have.
func readJSON(data []byte, value any) error {
	if len(data) > maxJSON {
		return fmt.Errorf("%d bytes: at most %d belong here", len(data), maxJSON)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

// readLexicon reads all but the anchors.
func readLexicon(parts map[string][]byte) (*Lexicon, error) {
	texts, err := readWordList(parts[sectionTerms])
	if err != nil {
		return nil, fmt.Errorf("topic words: %w", err)
	}
	weights := parts[sectionWeights]
	if err := errors.Join(sorted(texts, 0, texts.len()), measures(weights, texts.len())); err != nil {
		return nil, fmt.Errorf("topic words: %w", err)
	}
	l := &Lexicon{terms: make([]term, 0, texts.len())}
	for i, text := range texts.all() {
		l.terms = append(l.terms, term{text, number(weights, i)})
	}
	words, err := readWordList(parts[sectionWords])
	if err != nil {
		return nil, err
	}
	l.table = table{
		words: words, slots: parts[sectionSlots], rowBits: rowBitsFor(words.len()),
		values: parts[sectionValues], weights: parts[sectionRows], shares: parts[sectionShares],
	}
	return l, errors.Join(l.table.checkRows(len(l.terms)), l.table.checkSlots())
}
