// Package frozenweb reads and serves frozen webs: pages saved with their URLs
// and labels, so that a crawl can be repeated without a network and judged page
// by page.
//
// A frozen web is a file of JSON lines, plain, gzip or zstd:
//
//	{"web": "news", "seeds": ["http://x.cn/"], "note": "…"}
//	{"url": "http://x.cn/a", "type": "text/html", "b64": "PGh0bWw…", "label": "finance", "kind": "article"}
//	{"url": "http://x.cn/old", "redirect": "http://x.cn/a"}
//	{"url": "http://x.cn/b", "title": "…", "description": "…", "text": "…", "label": "sports"}
//
// The first line may name the web and its seeds. A page's body is in b64 or,
// unencoded, in text. A page may refer to another by a redirect. A page with a title
// or a description is plain: its texts were extracted from the mark-up elsewhere,
// and it cannot be served.
package frozenweb

import (
	"fmt"
	"net/url"
	"strings"

	"sluice/shared/web/urlnorm"
)

// Article is the kind of a page that is a document, not a list. It is the
// default kind.
const Article = "article"

// AnyPage is the kind of all pages of a web that does not tell articles from
// others.
const AnyPage = "page"

// Media is the kind of a page that has a player or pictures instead of a text.
const Media = "media"

// None is the label of a page without topic or section.
const None = "none"

// Page is a page of a frozen web.
type Page struct {
	URL   string // as in the file; a plain page may have none
	Type  string // Content-Type
	Body  []byte // as it went over the wire; the main text of a plain page; nil after ReadIndex
	Label string // its topic or section, None, or "" if the file has none
	Kind  string // Article, list, media, home …

	Redirect string // the URL that it redirects to, "" for none

	Plain              bool
	Title, Description string // of a plain page
}

// Web is a frozen web in memory. It does not change and is safe for concurrent
// use.
type Web struct {
	Name  string // as in the file, "" if it has none
	Note  string // about contents and licence
	Seeds []string
	Pages []Page // in the order of the file

	exact, canonical map[string]int // index in Pages by URL
	secure           bool           // it has pages of https
}

// Page returns the page with this URL in any spelling, nil if the web has none.
func (w *Web) Page(address string) *Page {
	i, ok := w.exact[address]
	if !ok {
		u, err := urlnorm.Parse(address)
		if err != nil {
			return nil
		}
		if i, ok = w.canonical[u.String()]; !ok {
			return nil
		}
	}
	return &w.Pages[i]
}

// add adds a page. Two URLs with one canonical form are two pages with
// different spellings; the first one is served for all others. A URL that no
// crawl would fetch, such as one of ftp, is known only by its spelling.
func (w *Web) add(p Page) error {
	if p.URL != "" {
		if u, err := url.Parse(p.URL); err != nil || u.Scheme == "" || u.Hostname() == "" {
			return fmt.Errorf("url %.100q is not absolute", p.URL)
		}
		if _, ok := w.exact[p.URL]; ok {
			return fmt.Errorf("url %.100q is there twice", p.URL)
		}
		w.exact[p.URL] = len(w.Pages)
		if u, err := urlnorm.Parse(p.URL); err == nil {
			if _, ok := w.canonical[u.String()]; !ok {
				w.canonical[u.String()] = len(w.Pages)
			}
		}
	}
	w.secure = w.secure || strings.HasPrefix(p.URL, "https:")
	w.Pages = append(w.Pages, p)
	return nil
}

// Labels returns the labels that occur, in the order of their first page.
func (w *Web) Labels() []string {
	var labels []string
	seen := map[string]bool{"": true, None: true}
	for i := range w.Pages {
		if l := w.Pages[i].Label; !seen[l] {
			seen[l] = true
			labels = append(labels, l)
		}
	}
	return labels
}
