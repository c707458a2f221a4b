package operator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// labelFile names the crawl that an export holds; stateFile marks a local
// crawl.
const (
	labelFile = "export.json"
	stateFile = "state.db"
)

// label identifies the source of an export.
type label struct {
	Stack  string `json:"stack"`
	Bucket string `json:"bucket"`
	Crawl  string `json:"crawl"`
}

// claim marks the folder for an export, unless it holds something else. Two
// crawls in one folder could not be told apart.
func (l label) claim(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, stateFile)); err == nil {
		return request("%s holds a local crawl: name another folder", dir)
	}
	name := filepath.Join(dir, labelFile)
	data, err := os.ReadFile(name)
	switch {
	case err == nil:
		var there label
		if err := json.Unmarshal(data, &there); err != nil {
			return request("%s is not the label of an export (%w): name another folder", name, err)
		}
		if there != l {
			return request("%s holds the export of crawl %s of stack %s: name another folder", dir, there.Crawl, there.Stack)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return requestError{fmt.Errorf("open folder: %w", err)} // it is a file
	case filled(dir):
		return request("%s holds another corpus: name another folder", dir)
	}
	if err := makeFolders(dir); err != nil {
		return err
	}
	if data, err = json.Marshal(l); err != nil {
		return fmt.Errorf("encode label: %w", err)
	}
	if err := os.WriteFile(name, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("label folder: %w", err)
	}
	return nil
}

// filled reports whether a folder has files where an export writes its own.
func filled(dir string) bool {
	for _, name := range []string{corpus.ArchiveFolder, corpus.DocumentFolder, corpus.RejectFolder} {
		if entries, err := os.ReadDir(filepath.Join(dir, name)); err == nil && len(entries) > 0 {
			return true
		}
	}
	return false
}
