// Package sitefields measures how well the fields of a template are found on
// saved pages with known values (METHOD C4, C7).
package sitefields

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
	"sluice/shared/web/page"
)

// Site is a site's pages of one kind, and what their fields hold.
type Site struct {
	Name     string // "book-amazon"
	Template *template.Template
	Pages    []Page
	Sample   int                            // of the pages are analysed, evenly spread; 0: all
	Truth    map[string]map[string][]string // by field and page: its values, none where it has none
}

// Page is a saved page.
type Page struct {
	Name string // "0000"
	Raw  []byte
	Type string   // Content-Type, if it is known
	URL  *url.URL // nil if it is not known
}

// Load reads a folder in the form of SWDE: html/SITE/PAGE.htm, and
// groundtruth/SITE-FIELD.txt with two lines of heading, then page, number of
// values and values between tabs. A site is called VERTICAL-NAME, and the
// template of that vertical is used. Truth of fields that it does not have
// counts, as not found.
func Load(dir string) ([]Site, error) {
	folders, err := os.ReadDir(filepath.Join(dir, "html"))
	if err != nil {
		return nil, fmt.Errorf("read sites: %w", err)
	}
	var sites []Site
	var problems []error
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		site, err := loadSite(dir, folder.Name())
		problems = append(problems, err)
		sites = append(sites, site)
	}
	if len(sites) == 0 {
		problems = append(problems, fmt.Errorf("%s has no folder of a site: pages belong into html/VERTICAL-SITE", dir))
	}
	return sites, errors.Join(problems...)
}

func loadSite(dir, name string) (Site, error) {
	site := Site{Name: name, Truth: map[string]map[string][]string{}}
	vertical, _, _ := strings.Cut(name, "-")
	var err error
	if site.Template, err = template.Load(vertical); err != nil {
		return site, fmt.Errorf("site %s: %w", name, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "html", name, "*.htm*"))
	if err != nil || len(files) == 0 {
		return site, cmp.Or(err, fmt.Errorf("site %s has no pages", name))
	}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			return site, fmt.Errorf("read page: %w", err)
		}
		base := filepath.Base(path)
		site.Pages = append(site.Pages, Page{Name: strings.TrimSuffix(base, filepath.Ext(base)), Raw: raw})
	}
	truths, err := filepath.Glob(filepath.Join(dir, "groundtruth", name+"-*.txt"))
	if err != nil || len(truths) == 0 {
		return site, cmp.Or(err, fmt.Errorf("site %s has no file groundtruth/%[1]s-FIELD.txt: %w", name, fs.ErrNotExist))
	}
	for _, path := range truths {
		data, err := os.ReadFile(path)
		if err != nil {
			return site, fmt.Errorf("read truth: %w", err)
		}
		of := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), name+"-"), ".txt")
		site.Truth[of] = readTruth(string(data))
	}
	return site, nil
}

// readTruth reads the values of a field by page.
func readTruth(text string) map[string][]string {
	truth := map[string][]string{}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		cells := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if i < 2 || len(cells) < 3 {
			continue
		}
		values := []string{}
		for _, value := range cells[2:] {
			if value = strings.TrimSpace(html.UnescapeString(value)); value != "" && value != "<NULL>" {
				values = append(values, value)
			}
		}
		truth[cells[0]] = values
	}
	return truth
}

// parse reads a page as a crawl does.
func parse(p *Page) (field.Page, error) {
	root, err := page.TreeOf(p.Raw, cmp.Or(p.Type, "text/html"))
	if err != nil {
		return field.Page{}, fmt.Errorf("read page %s: %w", p.Name, err)
	}
	return field.Page{Root: root, Base: field.BaseOf(root, p.URL)}, nil
}
