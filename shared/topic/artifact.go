package topic

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Compiled is a topic ready to run.
type Compiled struct {
	File      *File // with the thresholds and weights that calibration found
	Lexicon   *Lexicon
	UserWords []string // words that the segmenter must not split, including the topic words
	Meta      Meta
	ID        string // names the version: 64 hex digits, of the checksum
}

// Errors of Decode; those of a damaged artifact say more.
var (
	errNotArtifact = errors.New("not a compiled topic")
	ErrVersion     = errors.New("this version of compiled topics is not supported")
	ErrTruncated   = errors.New("the compiled topic is cut off: copy or compile it again")
	errDamaged     = errors.New("the compiled topic is damaged: copy or compile it again")
	ErrSegmenter   = errors.New("the topic was compiled for another segmenter: compile it again")
)

// An artifact is a header, sections and a checksum, all numbers little endian.
//
//	magic      8 bytes
//	version    uint32, formatVersion
//	size       uint64, of the whole artifact in bytes
//	sections   each a tag of 4 bytes, its size as uint64, and its content;
//	           all of them, once, in the order of the list below
//	checksum   SHA-256 of everything before it
//
// Magic, version and size have the same place in every version.
const (
	// formatVersion is the version of artifacts that Encode writes and Decode
	// reads.
	formatVersion = 1

	magic       = mark + "\n"  // damaged by any conversion of line ends
	mark        = "\x89sluice" // not text
	headerSize  = len(magic) + 4 + 8
	maxArtifact = 64 << 20
	maxJSON     = 4 << 20 // of a section: a topic file of maxBytes takes less
)

// The sections.
const (
	sectionMeta    = "META" // JSON
	sectionFile    = "FILE" // JSON: the topic file
	sectionUser    = "USER" // word list: UserWords
	sectionTerms   = "TERM" // word list: the topic words as they are compared, sorted
	sectionWeights = "TWGT" // float64: w_t of each
	sectionWords   = "WORD" // word list: the vocabulary, see table
	sectionSlots   = "SLOT" // uint32: its hash table, see table.find
	sectionValues  = "CVAL" // float64: c(d) of the leading rows
	sectionRows    = "WWGT" // float64: w_d of those
	sectionShares  = "TOPS" // uint32 and float32, three times: their greatest shares
)

var sectionTags = [...]string{
	sectionMeta, sectionFile, sectionUser, sectionTerms, sectionWeights,
	sectionWords, sectionSlots, sectionValues, sectionRows, sectionShares,
}

// Encode returns the artifact of a compiled topic. The same topic gives the
// same bytes. It refuses what Decode refuses, except a bad segmenter:
// non-finite numbers, an invalid File, invalid user words, more than 64 MiB.
func Encode(c *Compiled) ([]byte, error) {
	meta := c.Meta
	meta.Version, meta.Language = formatVersion, c.File.Language
	data, err := assemble(c, &meta)
	if err != nil {
		return nil, fmt.Errorf("encode topic %s: %w", c.File.Name, err)
	}
	if _, err := decode(data); err != nil {
		return nil, fmt.Errorf("encode topic %s: %w", c.File.Name, err)
	}
	return data, nil
}

func assemble(c *Compiled, meta *Meta) ([]byte, error) {
	metaJSON, err := json.Marshal(meta)
	if err != nil {
		return nil, fmt.Errorf("encode parameters: %w", err)
	}
	fileJSON, err := json.Marshal(c.File)
	if err != nil {
		return nil, fmt.Errorf("encode topic file: %w", err)
	}
	texts, weights := make([]string, 0, len(c.Lexicon.terms)), []byte(nil)
	for _, t := range c.Lexicon.terms {
		texts = append(texts, t.text)
		weights = appendNumber(weights, t.weight)
	}
	t := &c.Lexicon.table
	data := binary.LittleEndian.AppendUint32([]byte(magic), formatVersion)
	data = append(data, make([]byte, 8)...) // size, below
	for i, content := range [len(sectionTags)][]byte{
		metaJSON, fileJSON, newWordList(c.UserWords).bytes(), newWordList(texts).bytes(), weights,
		t.words.bytes(), t.slots, t.values, t.weights, t.shares,
	} {
		data = append(data, sectionTags[i]...)
		data = binary.LittleEndian.AppendUint64(data, uint64(len(content)))
		data = append(data, content...)
	}
	binary.LittleEndian.PutUint64(data[len(magic)+4:], uint64(len(data)+sha256.Size))
	sum := sha256.Sum256(data)
	return append(data, sum[:]...), nil
}

// IsArtifact reports whether data begins as artifacts do, of any version, those
// that were copied as text among them.
func IsArtifact(data []byte) bool { return bytes.HasPrefix(data, []byte(mark)) }

// split checks header and checksum and returns the sections, by tag.
func split(data []byte) (map[string][]byte, error) {
	if !IsArtifact(data) {
		return nil, errNotArtifact
	}
	if len(data) < headerSize {
		return nil, ErrTruncated
	}
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, fmt.Errorf("%w (it was copied as text: its line ends are others)", errDamaged)
	}
	version := binary.LittleEndian.Uint32(data[len(magic):])
	size := binary.LittleEndian.Uint64(data[len(magic)+4:])
	switch {
	case version != formatVersion:
		return nil, fmt.Errorf("%w: it is %d, this program reads %d: compile the topic again", ErrVersion, version, formatVersion)
	case size > maxArtifact || size < uint64(headerSize+sha256.Size):
		return nil, fmt.Errorf("%w (its size is %d)", errDamaged, size)
	case uint64(len(data)) < size:
		return nil, fmt.Errorf("%w (%d of %d bytes are there)", ErrTruncated, len(data), size)
	case uint64(len(data)) > size:
		return nil, fmt.Errorf("%w (%d bytes follow its end)", errDamaged, uint64(len(data))-size)
	}
	body, checksum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], checksum) {
		return nil, fmt.Errorf("%w (its checksum is wrong)", errDamaged)
	}
	return sections(body[headerSize:])
}

// sections takes the sections one by one.
func sections(data []byte) (map[string][]byte, error) {
	found := make(map[string][]byte, len(sectionTags))
	for _, want := range sectionTags {
		if len(data) < 12 {
			return nil, fmt.Errorf("%w (section %s is missing)", errDamaged, want)
		}
		tag, size := string(data[:4]), binary.LittleEndian.Uint64(data[4:])
		if data = data[12:]; tag != want {
			return nil, fmt.Errorf("%w (section %q in the place of %s)", errDamaged, tag, want)
		}
		if size > uint64(len(data)) {
			return nil, fmt.Errorf("%w (section %s is too long)", errDamaged, tag)
		}
		found[tag], data = slices.Clip(data[:size]), data[size:]
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("%w (there are unknown sections)", errDamaged)
	}
	return found, nil
}
