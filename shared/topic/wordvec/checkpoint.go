package wordvec

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// checkpointVersion changes with the format and with everything that changes
// how training continues from a checkpoint.
const checkpointVersion = 1

// checkpointHead begins a checkpoint, little-endian. Both matrices follow, and
// the xxh3 of everything before it.
type checkpointHead struct {
	Magic       [8]byte
	Version     uint32
	Fingerprint [2]uint64
	Next        int64
	Words       int64
	Loss        float64
	Pairs       int64
	LossEpoch   int64
}

var errForeign = errors.New("it belongs to another text or other options; remove it, or name another file")

func (r *run) head() checkpointHead {
	return checkpointHead{
		Magic: [8]byte([]byte("sluiceWV")), Version: checkpointVersion, Fingerprint: r.fingerprint,
		Next: int64(r.next), Words: r.words, Loss: r.loss, Pairs: r.pairs, LossEpoch: int64(r.lossEpoch),
	}
}

// fingerprint distinguishes trainings that cannot continue from each other's
// checkpoints. The number of threads may differ.
func fingerprint(vocab *vocabulary, s *spool, t Training) [2]uint64 {
	h := xxh3.New()
	fmt.Fprintln(h, t.Dim, t.Window, t.Negative, t.Epochs, t.Sample, t.LearningRate, t.Seed, blockWords, s.words, s.sum)
	for i, word := range vocab.words {
		fmt.Fprintln(h, word, vocab.counts[i])
	}
	sum := h.Sum128()
	return [2]uint64{sum.Hi, sum.Lo}
}

// save writes the checkpoint. The file is always either the old one or the new
// one.
func (r *run) save() error {
	if r.Checkpoint == "" {
		return nil
	}
	file, err := os.CreateTemp(filepath.Dir(r.Checkpoint), filepath.Base(r.Checkpoint)+".*.new")
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	err = r.encode(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), r.Checkpoint)
	}
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", errors.Join(err, os.Remove(file.Name())))
	}
	return nil
}

func (r *run) encode(out io.Writer) error {
	buffered := bufio.NewWriterSize(out, 1<<20)
	hash := xxh3.New()
	w := io.MultiWriter(buffered, hash)
	if err := binary.Write(w, binary.LittleEndian, r.head()); err != nil {
		return err
	}
	for _, m := range []*matrix{&r.in, &r.out} {
		for row := range rows(m) {
			if err := binary.Write(w, binary.LittleEndian, row); err != nil {
				return err
			}
		}
	}
	if err := binary.Write(buffered, binary.LittleEndian, hash.Sum64()); err != nil {
		return err
	}
	return buffered.Flush()
}

// rows yields the rows of a matrix.
func rows(m *matrix) func(yield func([]float32) bool) {
	return func(yield func([]float32) bool) {
		for i := 0; i < len(m.values); i += m.dim {
			if !yield(m.values[i : i+m.dim]) {
				return
			}
		}
	}
}

// restore continues from the checkpoint, if there is one.
func (r *run) restore() error {
	if r.Checkpoint == "" {
		return nil
	}
	file, err := os.Open(r.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	defer func() { _ = file.Close() }()
	if err := r.decode(file); err != nil {
		return fmt.Errorf("read checkpoint %s: %w", r.Checkpoint, err)
	}
	return nil
}

// decode reads the format of encode. It allocates by the sizes of this
// training, not by those in the file.
func (r *run) decode(in io.Reader) error {
	buffered := bufio.NewReaderSize(in, 1<<20)
	hash := xxh3.New()
	tee := io.TeeReader(buffered, hash)
	var head checkpointHead
	want := r.head()
	if err := binary.Read(tee, binary.LittleEndian, &head); err != nil || head.Magic != want.Magic {
		return errors.New("it is not a checkpoint of a training")
	}
	if head.Version != want.Version {
		return fmt.Errorf("it has version %d: want %d", head.Version, want.Version)
	}
	if head.Fingerprint != want.Fingerprint {
		return errForeign
	}
	for _, m := range []*matrix{&r.in, &r.out} {
		for row := range rows(m) {
			if err := binary.Read(tee, binary.LittleEndian, row); err != nil {
				return fmt.Errorf("it is damaged: %w", err)
			}
		}
	}
	var sum uint64
	if err := binary.Read(buffered, binary.LittleEndian, &sum); err != nil || sum != hash.Sum64() {
		return errors.New("it is damaged: its checksum is wrong")
	}
	r.next, r.words, r.loss, r.pairs, r.lossEpoch = int(head.Next), head.Words, head.Loss, head.Pairs, int(head.LossEpoch)
	return nil
}
