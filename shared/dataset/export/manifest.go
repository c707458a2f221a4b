package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ManifestFile vouches for a dataset. It is written last.
const ManifestFile = "manifest.json"

const manifestVersion = 1

// Manifest lists the sources and the files of a dataset.
type Manifest struct {
	V       int       `json:"v"`
	Options Options   `json:"options"`
	Folders []*Source `json:"folders"`
	Totals  Totals    `json:"totals"`
	Left    Left      `json:"left_out"`
	Shards  []Shard   `json:"shards"`
	Files   []File    `json:"files"`           // besides the shards
	Index   *Index    `json:"index,omitempty"` // of the archives; none where there are no archives
	Digest  string    `json:"digest"`          // SHA-256 of this document with this field empty
}

// Totals sums up the records.
type Totals struct {
	Records    int64 `json:"records"`
	Characters int64 `json:"characters"`
	Bytes      int64 `json:"bytes"`   // of the shards
	Repeats    int64 `json:"repeats"` // records that say that they repeat another
}

// File is a file other than a shard.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Index sums up the index of the archives.
type Index struct {
	Records int64 `json:"records"` // responses
	Torn    int64 `json:"torn"`    // half records at the end of archives that were being written
}

func (m *Manifest) total(s *Stats) {
	m.Totals.Repeats = s.Repeats
	for _, shard := range m.Shards {
		m.Totals.Records += shard.Records
		m.Totals.Characters += shard.Characters
		m.Totals.Bytes += shard.Bytes
	}
}

// files lists every file of the dataset but the manifest.
func (m *Manifest) files() []File {
	list := make([]File, 0, len(m.Shards)+len(m.Files))
	for _, s := range m.Shards {
		list = append(list, File{s.Name, s.Bytes, s.SHA256})
	}
	return append(list, m.Files...)
}

// encode returns the document with its digest.
func (m *Manifest) encode() ([]byte, error) {
	m.Digest = ""
	data, err := m.marshal()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	m.Digest = hex.EncodeToString(sum[:])
	return m.marshal()
}

func (m *Manifest) marshal() ([]byte, error) {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	return append(data, '\n'), nil
}

// errManifest says that a manifest is not as it was written.
var errManifest = errors.New(ManifestFile + " is damaged")

// readManifest reads the manifest of a dataset and compares it with its digest.
func readManifest(dir string) (*Manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	m := new(Manifest)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errManifest, dir, err)
	}
	if m.V > manifestVersion {
		return nil, fmt.Errorf("%s: manifest of version %d: this sluice knows %d", dir, m.V, manifestVersion)
	}
	again := *m
	if as, err := again.encode(); err != nil || !bytes.Equal(as, data) {
		return nil, fmt.Errorf("%w: %s: it is not what its digest says", errManifest, dir)
	}
	return m, nil
}

// Result is what Run comes to; the keys are stable.
type Result struct {
	Out       string   `json:"out"`
	Format    Format   `json:"format"`
	State     string   `json:"state"`     // of the crawls: running or stopped
	Unchanged bool     `json:"unchanged"` // it was there already
	Folders   []string `json:"folders"`
	Totals
	Left    Left     `json:"left_out"`
	Missing int64    `json:"missing"` // records that the ledger of a running crawl points at, and that are not there
	Splits  []Splits `json:"splits"`
	Shards  []Shard  `json:"shards"`
	Indexed int64    `json:"indexed"` // responses in the index of the archives
	Notes   []string `json:"notes"`   // what is odd about the folders
}

// Splits is how much there is of a split.
type Splits struct {
	Name    string `json:"name"`
	Shards  int64  `json:"shards"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`
}

// States of the crawls of an export.
const (
	StateRunning = "running"
	StateStopped = "stopped"
)

func (e *exporter) result(m *Manifest, unchanged bool) *Result {
	r := &Result{
		Out: e.out, Format: m.Options.Format, State: StateStopped, Unchanged: unchanged,
		Totals: m.Totals, Left: m.Left, Splits: m.splits(), Shards: m.Shards, Notes: []string{},
	}
	for i, s := range m.Folders {
		r.Folders = append(r.Folders, e.folders[i].Dir)
		if s.Open {
			r.State = StateRunning
		}
		r.Missing += s.Missing
		if s.Unarchived > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %d records name archives that are not there", e.folders[i].Dir, s.Unarchived))
		}
	}
	if m.Index != nil {
		r.Indexed = m.Index.Records
	}
	return r
}

// splits sums the shards of each split.
func (m *Manifest) splits() []Splits {
	list := []Splits{}
	for _, name := range splitNames {
		s := Splits{Name: name}
		for _, shard := range m.Shards {
			if shard.Split == name {
				s.Shards++
				s.Records += shard.Records
				s.Bytes += shard.Bytes
			}
		}
		if s.Shards > 0 {
			list = append(list, s)
		}
	}
	return list
}
