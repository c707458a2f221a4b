package maintext

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Page is a saved page.
type Page struct {
	Name        string // of its file
	URL         string // if known: the host's
	Date        time.Time
	Raw         []byte // as it was saved
	Reference   string // its main text, cut out by hand, "" if it was not
	Traditional bool   // it is in traditional characters
	List        bool   // it is known for a list of links
}

// Set is a folder of saved pages.
type Set struct {
	Name       string
	Pages      []Page // by name
	Mismatched int    // pages left out because their reference is that of another page
}

// Load reads the sets under a folder: its subfolders one by one, or the folder
// itself if it is a set. A set with an index.tsv has references: every line
// names a page of the folder html and its reference of the same name; the
// columns id, host, date and html_lang are read. A set without one has no
// references: its pages are the files named *.html, and those under a folder
// with "list" in its name are lists.
func Load(dir string) ([]Set, error) {
	if s, err := loadIndexed(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return []Set{s}, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read pages: %w", err)
	}
	var sets []Set
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		s, err := loadIndexed(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			s, err = loadSaved(filepath.Join(dir, e.Name()))
		}
		if err != nil {
			return nil, err
		}
		if len(s.Pages) > 0 {
			sets = append(sets, s)
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("read pages: %s holds neither an index.tsv nor folders of pages", dir)
	}
	return sets, nil
}

// mismatched are the pages of DAnIEL whose reference is the text of another
// page, by the beginning of their names.
var mismatched = [...]string{"20120117_news.sohu.com_71b0d2b3", "20111215_www.northnews.cn_e23d84fd"}

// loadIndexed reads a set with references. The error is fs.ErrNotExist if there
// is no index.
func loadIndexed(dir string) (Set, error) {
	s := Set{Name: filepath.Base(dir)}
	index, err := os.ReadFile(filepath.Join(dir, "index.tsv"))
	if err != nil {
		return s, fmt.Errorf("read index: %w", err)
	}
	lines := strings.Split(strings.TrimRight(string(index), "\r\n"), "\n")
	columns := strings.Split(strings.TrimSpace(lines[0]), "\t")
	for i, line := range lines[1:] {
		row := map[string]string{}
		for j, value := range strings.Split(strings.TrimRight(line, "\r"), "\t") {
			if j < len(columns) {
				row[columns[j]] = value
			}
		}
		id := row["id"]
		if slices.ContainsFunc(mismatched[:], func(name string) bool { return strings.HasPrefix(id, name) }) {
			s.Mismatched++
			continue
		}
		p, err := loadReferenced(dir, id)
		if err != nil {
			// By its text: a missing page is not a missing index.
			return s, fmt.Errorf("read pages: %s, line %d: %v", filepath.Join(dir, "index.tsv"), i+2, err) //nolint:errorlint // see above
		}
		p.URL = "http://" + cmp.Or(row["host"], "page.invalid") + "/"
		p.Traditional = row["html_lang"] == "trad"
		p.Date, _ = time.Parse("20060102", row["date"]) // zero if invalid
		s.Pages = append(s.Pages, p)
	}
	if len(s.Pages) == 0 {
		return s, fmt.Errorf("read pages: %s names no page", filepath.Join(dir, "index.tsv"))
	}
	return s, nil
}

func loadReferenced(dir, id string) (Page, error) {
	if id == "" || !filepath.IsLocal(id) {
		return Page{}, fmt.Errorf("id is %q, want the name of a file", id)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "html", id))
	if err != nil {
		return Page{}, err
	}
	reference, err := os.ReadFile(filepath.Join(dir, "reference", id))
	if err != nil {
		return Page{}, err
	}
	return Page{Name: id, Raw: raw, Reference: referenceText(string(reference))}, nil
}

// referenceText reads a reference: paragraphs between <p> and </p>, other
// characters as in HTML. A "<" that starts no tag is text.
func referenceText(marked string) string {
	return html.UnescapeString(strings.NewReplacer("<p>", "", "</p>", "\n").Replace(marked))
}

// loadSaved reads a set without references.
func loadSaved(dir string) (Set, error) {
	s := Set{Name: filepath.Base(dir)}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || filepath.Ext(path) != ".html" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		s.Pages = append(s.Pages, Page{
			Name: filepath.ToSlash(name), URL: "http://page.invalid/", Raw: raw, List: strings.Contains(filepath.Dir(name), "list"),
		})
		return nil
	})
	if err != nil {
		return s, fmt.Errorf("read pages: %w", err)
	}
	return s, nil
}
