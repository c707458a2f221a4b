package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sluice/shared/state/corpus"
)

// plan is all that a dataset is a function of. It is kept while an export runs,
// so that one that is taken up again ends as it would have.
type plan struct {
	Options Options   `json:"options"`
	Folders []*Source `json:"folders"`
}

// Source is a folder as it was when the export began.
type Source struct {
	Label   string `json:"label"`   // its base name; told apart by a number from others of that name
	Path    string `json:"path"`    // as seen from the dataset
	Open    bool   `json:"open"`    // the crawl was running
	Crawl   *Crawl `json:"crawl"`   // null where nothing was counted
	Records int64  `json:"records"` // read from the files, before any was left out
	Missing int64  `json:"missing"` // the ledger points at them and they are not there; only of a crawl that was running

	// Unarchived counts the records whose response lies in an archive of the
	// folder that is not there.
	Unarchived int64 `json:"unarchived"`

	Corpus   []Input `json:"corpus"`
	Rejects  []Input `json:"rejects"`
	Archives []Input `json:"archives"`
}

// dir is where a dataset finds the folder.
func (s *Source) dir(out string) string {
	dir := filepath.FromSlash(s.Path)
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(out, dir)
}

// Input is a file of a folder, up to the length that is read.
type Input struct {
	Name   string `json:"name"` // below the folder, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"` // of files of documents, once they were read
}

// Where a folder keeps its files, and how they end.
const (
	linesEnd = ".jsonl"
)

// newPlan notes what is there. One folder goes by the name of its crawl, so that
// the same crawl in another place makes the same dataset.
func newPlan(folders []*Folder, out string, opts Options) (*plan, error) {
	switch {
	case len(folders) == 0:
		return nil, fmt.Errorf("%w: no folder is named", ErrInput)
	case len(folders) > math.MaxUint16:
		return nil, fmt.Errorf("%w: %d folders are too many", ErrInput, len(folders))
	}
	p := &plan{Options: opts}
	labels := map[string]bool{}
	for _, f := range folders {
		s, err := newSource(f, out)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(p.Folders, func(o *Source) bool { return o.Path == s.Path }) {
			return nil, fmt.Errorf("%w: %s is named twice", ErrInput, f.Dir)
		}
		name := s.Label
		for n := 2; labels[s.Label]; n++ {
			s.Label = fmt.Sprintf("%s-%d", name, n)
		}
		if len(folders) == 1 && f.Crawl != nil && f.Crawl.Name != "" {
			s.Label = f.Crawl.Name
		}
		labels[s.Label] = true
		p.Folders = append(p.Folders, s)
	}
	return p, nil
}

func newSource(f *Folder, out string) (*Source, error) {
	dir, err := filepath.Abs(f.Dir)
	if err != nil {
		return nil, fmt.Errorf("find folder: %w", err)
	}
	from, err := filepath.Abs(out)
	if err != nil {
		return nil, fmt.Errorf("find folder: %w", err)
	}
	rel, err := filepath.Rel(from, dir)
	if err != nil {
		rel = dir // on another drive
	}
	s := &Source{Label: filepath.Base(dir), Path: filepath.ToSlash(rel), Open: f.Open, Crawl: f.Crawl}
	if _, err := os.Stat(filepath.Join(dir, corpus.DocumentFolder)); err != nil {
		return nil, fmt.Errorf("%w: %s has no folder %s", ErrInput, f.Dir, corpus.DocumentFolder)
	}
	if s.Corpus, err = inputs(dir, corpus.DocumentFolder, linesEnd); err != nil {
		return nil, err
	}
	if s.Rejects, err = inputs(dir, corpus.RejectFolder, linesEnd); err != nil {
		return nil, err
	}
	if s.Archives, err = inputs(dir, corpus.ArchiveFolder, ".warc", ".warc.gz"); err != nil {
		return nil, err
	}
	return s, nil
}

// inputs lists the files of a folder that end so, by name. A folder that is not
// there has none.
func inputs(dir, folder string, ends ...string) ([]Input, error) {
	list := []Input{}
	entries, err := os.ReadDir(filepath.Join(dir, folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list files: %w", err)
	}
	for _, entry := range entries {
		name := entry.Name()
		ours := slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
		if strings.HasPrefix(name, ".") || !ours {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, folder, name)) // of what a link points at
		if err != nil {
			return nil, fmt.Errorf("list files: %w", err)
		}
		if info.Mode().IsRegular() {
			list = append(list, Input{Name: folder + "/" + name, Bytes: info.Size()})
		}
	}
	return list, nil
}

// differences says in what two plans differ, "" for nothing. later allows for
// what a crawl that was running has done since the first was made.
func (p *plan) differences(now *plan, later bool) string {
	var d []string
	for _, o := range []struct {
		name      string
		have, now any
	}{
		{"format", p.Options.Format, now.Options.Format},
		{"least relevance", p.Options.MinRelevance, now.Options.MinRelevance},
		{"leaving out of duplicates", p.Options.Dedupe, now.Options.Dedupe},
		{"split", p.Options.Split.String(), now.Options.Split.String()},
		{"shard size", p.Options.ShardSize, now.Options.ShardSize},
		{"sluice", p.Options.Sluice, now.Options.Sluice},
		{"number of folders", len(p.Folders), len(now.Folders)},
	} {
		if o.have != o.now {
			d = append(d, fmt.Sprintf("%s is %v, not %v", o.name, o.have, o.now))
		}
	}
	if len(p.Folders) == len(now.Folders) {
		for i, s := range p.Folders {
			d = append(d, s.differences(now.Folders[i], later && s.Open)...)
		}
	}
	return strings.Join(d, "; ")
}

func (s *Source) differences(now *Source, later bool) []string {
	var d []string
	if s.Path != now.Path || s.Label != now.Label {
		d = append(d, fmt.Sprintf("folder is %s, not %s", s.Path, now.Path))
	}
	if !later && (s.Open != now.Open || !equalJSON(s.Crawl, now.Crawl)) {
		d = append(d, s.Label+": the crawl has gone on since")
	}
	for _, kind := range [][2][]Input{{s.Corpus, now.Corpus}, {s.Rejects, now.Rejects}, {s.Archives, now.Archives}} {
		d = append(d, changed(kind[0], kind[1], later)...)
	}
	return d
}

// changed says how files differ.
func changed(have, now []Input, later bool) []string {
	var d []string
	seen := map[string]Input{}
	for _, f := range now {
		seen[f.Name] = f
	}
	for _, f := range have {
		n, there := seen[f.Name]
		delete(seen, f.Name)
		switch {
		case !there:
			d = append(d, f.Name+" is gone")
		case n.Bytes != f.Bytes && (!later || n.Bytes < f.Bytes):
			d = append(d, fmt.Sprintf("%s had %d bytes, now %d", f.Name, f.Bytes, n.Bytes))
		case f.SHA256 != "" && n.SHA256 != "" && f.SHA256 != n.SHA256:
			d = append(d, f.Name+" is another file")
		}
	}
	if len(seen) > 0 && !later {
		for _, f := range now {
			if _, fresh := seen[f.Name]; fresh {
				d = append(d, f.Name+" is new")
			}
		}
	}
	return d
}

func equalJSON(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(x) == string(y)
}
