package wordvec

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/zeebo/xxh3"
)

const (
	// blockWords is about how many words are trained between two looks at the
	// context: a tenth of a second.
	blockWords = 1 << 15

	// maxSentence cuts text without sentence ends, as word2vec does.
	maxSentence = 1000
)

// spool is the corpus as word ids, in a temporary file that every epoch reads:
// text is extracted and segmented twice, not once an epoch. A sentence is its
// ids + 1, as uvarints, and a 0.
type spool struct {
	file   *os.File
	blocks []block
	words  int64
	sum    uint64 // over the file
}

// block is a run of whole sentences.
type block struct {
	offset, end int64 // in the file
	before      int64 // words in the blocks before this one
}

// newSpool reads the corpus once and writes the words in vocab to a file in
// dir. The caller closes it.
func newSpool(ctx context.Context, c Corpus, vocab *vocabulary, dir string) (_ *spool, err error) {
	file, err := os.CreateTemp(dir, "sluice-train-*.ids")
	if err != nil {
		return nil, fmt.Errorf("create word id file: %w", err)
	}
	// On Unix the file lives on without its name, and goes even if the process
	// is killed; elsewhere this fails, and close removes it.
	_ = os.Remove(file.Name())
	s := &spool{file: file}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	buffered := bufio.NewWriterSize(file, 1<<20)
	w := &spoolWriter{spool: s, hash: xxh3.New()}
	w.out = io.MultiWriter(buffered, w.hash)
	for sentence, err := range c.Sentences(ctx) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("write word ids: %w", err)
		}
		for _, word := range sentence {
			if id, ok := vocab.index[phrase(word)]; ok {
				w.add(id)
			}
		}
		w.endSentence()
	}
	w.endBlock()
	if err := cmp.Or(w.err, buffered.Flush()); err != nil {
		return nil, fmt.Errorf("write word ids: %w", err)
	}
	s.sum = w.hash.Sum64()
	return s, nil
}

// close removes the file.
func (s *spool) close() error {
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// read returns the bytes of block i, in buffer if they fit.
func (s *spool) read(i int, buffer []byte) ([]byte, error) {
	b := s.blocks[i]
	if n := int(b.end - b.offset); cap(buffer) < n {
		buffer = make([]byte, n)
	} else {
		buffer = buffer[:n]
	}
	if _, err := s.file.ReadAt(buffer, b.offset); err != nil {
		return nil, fmt.Errorf("read word ids: %w", err)
	}
	return buffer, nil
}

// nextSentence takes the ids of one sentence off data.
func nextSentence(data []byte, sentence []int32) (rest []byte, _ []int32) {
	sentence = sentence[:0]
	for len(data) > 0 {
		id, n := binary.Uvarint(data)
		data = data[max(n, 1):]
		if id == 0 {
			break
		}
		sentence = append(sentence, int32(id-1))
	}
	return data, sentence
}

// spoolWriter fills a spool. It keeps the first error.
type spoolWriter struct {
	spool    *spool
	hash     *xxh3.Hasher
	out      io.Writer
	sentence []byte
	length   int // of sentence, in words
	current  block
	words    int64 // in current
	err      error
}

// add adds a word to the sentence.
func (w *spoolWriter) add(id int32) {
	w.sentence = binary.AppendUvarint(w.sentence, uint64(id)+1)
	if w.length++; w.length == maxSentence {
		w.endSentence()
	}
}

// endSentence writes the sentence, unless it has only one word.
func (w *spoolWriter) endSentence() {
	if w.length > 1 && w.err == nil {
		w.sentence = append(w.sentence, 0)
		_, w.err = w.out.Write(w.sentence)
		w.current.end += int64(len(w.sentence))
		w.words += int64(w.length)
	}
	w.sentence, w.length = w.sentence[:0], 0
	if w.words >= blockWords {
		w.endBlock()
	}
}

// endBlock begins another block.
func (w *spoolWriter) endBlock() {
	if w.words == 0 {
		return
	}
	s := w.spool
	s.blocks = append(s.blocks, w.current)
	s.words += w.words
	w.current = block{offset: w.current.end, end: w.current.end, before: s.words}
	w.words = 0
}
