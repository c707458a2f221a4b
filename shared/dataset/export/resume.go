package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Files of the work folder.
const (
	planFile    = workFolder + "/plan.json"
	indexFile   = workFolder + "/index"
	chosenFile  = workFolder + "/chosen.json"
	journalFile = workFolder + "/shards.jsonl"
)

// finished returns the result of an export that is complete, nil where it is
// not.
func (e *exporter) finished() (*Result, error) {
	m, err := readManifest(e.out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	there := &plan{Options: m.Options, Folders: m.Folders}
	if d := there.differences(e.plan, false); d != "" {
		return nil, other(e.out, d)
	}
	for i, s := range e.plan.Folders {
		if err := sumInputs(e.folders[i].Dir, s.Corpus); err != nil {
			return nil, err
		}
	}
	if d := there.differences(e.plan, false); d != "" {
		return nil, other(e.out, d)
	}
	for _, f := range m.files() {
		info, err := os.Stat(filepath.Join(e.out, filepath.FromSlash(f.Name)))
		if err != nil || info.Size() != f.Bytes {
			return nil, fmt.Errorf("%s is missing or of another size in %s: sluice export --check says more; remove the folder to export again", f.Name, e.out)
		}
	}
	return e.result(m, true), nil
}

func other(out, differences string) error {
	return fmt.Errorf("%w: %s: %s (remove it, or name another --out)", ErrOther, out, differences)
}

// sumInputs notes the digests of files.
func sumInputs(dir string, files []Input) error {
	for i := range files {
		f, err := os.Open(filepath.Join(dir, filepath.FromSlash(files[i].Name)))
		if err != nil {
			return fmt.Errorf("read input: %w", err)
		}
		h := sha256.New()
		_, err = io.Copy(h, io.LimitReader(f, files[i].Bytes))
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("read input: %w", err)
		}
		files[i].SHA256 = hex.EncodeToString(h.Sum(nil))
	}
	return nil
}

// claim refuses a folder that an export did not begin.
func (e *exporter) claim() error {
	entries, err := os.ReadDir(e.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("open folder: %w", err)
	}
	if _, err := os.Stat(filepath.Join(e.out, filepath.FromSlash(planFile))); err == nil {
		return nil
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".") {
			return fmt.Errorf("%w: %s has %s (name another --out)", ErrForeign, e.out, entry.Name())
		}
	}
	return nil
}

// takeUp continues with the plan of an interrupted export, or notes the plan of
// this one.
func (e *exporter) takeUp() error {
	var begun plan
	switch err := e.readWork(planFile, &begun); {
	case errors.Is(err, fs.ErrNotExist):
		return e.writeWork(planFile, e.plan)
	case err != nil:
		return err
	}
	if d := begun.differences(e.plan, true); d != "" {
		return other(e.out, "an export that is not complete: "+d)
	}
	e.plan = &begun
	return nil
}

func (e *exporter) readWork(name string, v any) error {
	data, err := os.ReadFile(filepath.Join(e.out, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("read %s of %s: %w", name, e.out, err)
	}
	return nil
}

func (e *exporter) writeWork(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return e.writeFile(name, append(data, '\n'))
}
