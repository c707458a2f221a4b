package forget

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sluice/shared/state/corpus"
)

// Edit returns a line as it is from now on: empty if it goes, the same if it stays.
type Edit func(line []byte) ([]byte, error)

// about has the fields of a record that name pages.
type about struct {
	ID          string `json:"id"`
	URL         string `json:"url"`
	FinalURL    string `json:"final_url"`
	SourceURL   string `json:"source_url"` // of a corpus.Item
	DuplicateOf string `json:"duplicate_of"`
	Rule        string `json:"rule"`
	Detail      string `json:"detail"`
	Parent      string `json:"parent"`
	Path        struct {
		Parent string `json:"parent"`
	} `json:"path"`
}

func readAbout(line []byte) (*about, error) {
	a := new(about)
	if err := json.Unmarshal(line, a); err != nil {
		return nil, fmt.Errorf("not a record: %w", err)
	}
	return a, nil
}

// find returns the target for which the record of a page goes.
func (s *Set) find(a *about) (target int, ok bool) {
	for _, url := range []string{a.FinalURL, a.SourceURL, a.URL} {
		if target, ok = s.Find(url); ok {
			return target, true
		}
	}
	return 0, false
}

// Meet learns from a document or a reject which URLs are of one page, and whether
// the record goes. All records are met before the first is edited. It reports
// whether the set has grown: then earlier records have to be met again.
func (s *Set) Meet(line []byte) (grown bool, err error) {
	a, err := readAbout(line)
	if err != nil {
		return false, err
	}
	grown = s.Same(a.URL, a.FinalURL)
	if strings.HasPrefix(a.Rule, redirectRule) && s.Redirect(a.FinalURL, a.Detail) {
		grown = true
	}
	if _, goes := s.find(a); goes && a.ID != "" {
		s.ids[a.ID] = true
	}
	return grown, nil
}

// redirectRule is the beginning of the rules of refused redirects. The detail of
// such a reject is the target.
const redirectRule = "redirect_"

// Document is the Edit of a line of the corpus, or of the records of its pages. A document that repeats one that
// goes is no longer marked as a duplicate; one that was found on a page that goes
// loses its parent and anchor.
func (s *Set) Document(line []byte) ([]byte, error) {
	a, err := readAbout(line)
	if err != nil {
		return nil, err
	}
	if target, ok := s.find(a); ok {
		if a.SourceURL != "" { // it goes with its page, or with the page that it leads to
			s.count(target).Bytes += int64(len(line))
			return nil, nil
		}
		t := s.count(target, a.URL, a.FinalURL)
		t.Documents++
		t.Bytes += int64(len(line))
		return nil, nil
	}
	repeats, found := s.ids[a.DuplicateOf], s.Has(a.Path.Parent)
	if !repeats && !found {
		return line, nil
	}
	d := new(corpus.Document)
	if err := json.Unmarshal(line, d); err != nil {
		return nil, fmt.Errorf("not a document: %w", err)
	}
	if repeats {
		d.DuplicateOf = ""
	}
	if found {
		s.orphans[a.FinalURL] = true
		d.Path.Parent, d.Path.Anchor = "", ""
	}
	return d.AppendJSON(nil)
}

// Reject is the Edit of a line about a page that was not kept.
func (s *Set) Reject(line []byte) ([]byte, error) {
	a, err := readAbout(line)
	if err != nil {
		return nil, err
	}
	if target, ok := s.find(a); ok {
		t := s.count(target, a.URL, a.FinalURL)
		t.Rejects++
		t.Bytes += int64(len(line))
		return nil, nil
	}
	if !s.Has(a.Parent) {
		return line, nil
	}
	s.orphans[a.FinalURL] = true
	r := new(corpus.Reject)
	if err := json.Unmarshal(line, r); err != nil {
		return nil, fmt.Errorf("not a reject: %w", err)
	}
	r.Parent, r.Anchor = "", ""
	return r.AppendJSON(nil)
}

// EachLine calls f for each line, with its line feed if it has one. Errors name
// the line.
func EachLine(r io.Reader, f func(line []byte) error) error {
	return corpus.EachLine(r, func(l corpus.Line) error {
		if err := f(l.Raw); err != nil {
			return fmt.Errorf("line %d: %w", l.Number, err)
		}
		return nil
	})
}

// CopyLines copies edited lines, and reports whether any of them changed.
func CopyLines(w io.Writer, r io.Reader, edit Edit) (changed bool, err error) {
	err = EachLine(r, func(line []byte) error {
		out, err := edit(line)
		if err != nil {
			return err
		}
		changed = changed || !bytes.Equal(out, line)
		_, err = w.Write(out)
		return err
	})
	return changed, err
}
