package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// readJournal returns the shards that are complete, and leaves a journal of
// them alone: a line that was torn goes, and a shard that went missing is
// written again with those after it.
func (e *exporter) readJournal() ([]written, error) {
	data, err := os.ReadFile(filepath.Join(e.out, filepath.FromSlash(journalFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	var done []written
	whole := 0
	for l := range bytes.Lines(data) {
		var s written
		if !bytes.HasSuffix(l, []byte("\n")) || json.Unmarshal(l, &s) != nil || s.Stats == nil {
			break
		}
		info, err := os.Stat(filepath.Join(e.out, filepath.FromSlash(s.Name)))
		if err != nil || info.Size() != s.Bytes {
			break
		}
		done = append(done, s)
		whole += len(l)
	}
	if whole == len(data) {
		return done, nil
	}
	return done, e.makeFile(journalFile, func(w io.Writer) error {
		_, err := w.Write(data[:whole])
		return err
	})
}

// note adds a shard to the journal, after it has its name.
func (e *exporter) note(s *written) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("note shard: %w", err)
	}
	f, err := e.disk.open(filepath.Join(e.out, filepath.FromSlash(journalFile)), os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("note shard: %w", err)
	}
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("note shard: %w", err)
	}
	return nil
}
