// Package pagescore measures how well relevance (METHOD A8) separates the pages
// of a topic from others, text by text: title, description and body of labelled
// pages (A14), compared with the cosine of TF-IDF vectors.
package pagescore

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/text/body"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Document is a labelled page, read as a crawl reads it.
type Document struct {
	URL         string
	Positive    bool   // it has the label in question
	Title       string // <title>
	Description string // description and keywords, which a crawl scores with the title
	Headline    string // scored with the main text, as in a crawl: Title without the site's name, if there is one
	Body        string // main text, "" if there is none
}

// Documents reads the labelled articles of a web, extracting head and main text
// from the raw HTML. Hosts, if not empty, selects only pages of that host and
// its subdomains; pages of leaveOut, which may be nil, are skipped, and so are
// pages that no crawl fetches, such as those of ftp. It is an error if no page
// has the label, or all have.
func Documents(w *frozenweb.Web, label, hosts string, leaveOut map[*frozenweb.Page]bool) ([]Document, error) {
	var documents []Document
	positives := 0
	for i := range w.Pages {
		p := &w.Pages[i]
		if !counts(p) || !OnHost(p.URL, hosts) || leaveOut[p] {
			continue
		}
		d, ok := read(p)
		if !ok {
			continue
		}
		if d.Positive = p.Label == label; d.Positive {
			positives++
		}
		documents = append(documents, d)
	}
	where := ""
	if hosts != "" {
		where = " on " + hosts
	}
	switch {
	case len(documents) == 0:
		return nil, errors.New("no article" + where + " has a label")
	case positives == 0:
		return nil, fmt.Errorf("no article%s has the label %q; there are %s", where, label, strings.Join(w.Labels(), ", "))
	case positives == len(documents):
		return nil, fmt.Errorf("all articles%s have the label %q: no others to compare with", where, label)
	}
	return documents, nil
}

// counts reports whether a page is an article with a label, or may be one on a
// web that does not tell articles from other pages.
func counts(p *frozenweb.Page) bool {
	return p.Label != "" && (p.Kind == frozenweb.Article || p.Kind == frozenweb.AnyPage && p.Label != frozenweb.None)
}

// OnHost reports whether a URL is on a host or its subdomains; an empty host
// means any.
func OnHost(address, host string) bool {
	if host == "" {
		return true
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	name := strings.ToLower(u.Hostname())
	host = strings.ToLower(strings.TrimPrefix(host, "*."))
	return name == host || strings.HasSuffix(name, "."+host)
}

// read takes a page apart with the crawl's own parsers. It is not ok if no crawl
// would fetch the page.
func read(p *frozenweb.Page) (d Document, ok bool) {
	d = Document{URL: p.URL, Title: p.Title, Description: p.Description, Headline: p.Title, Body: string(p.Body)}
	if p.Plain {
		return d, true
	}
	base, err := urlnorm.Parse(p.URL)
	if err != nil {
		return d, false
	}
	d.Body = ""
	text, head, err := page.Read(p.Body, cmp.Or(p.Type, "text/html"), base)
	if err != nil {
		return d, true // it has no text
	}
	d.Title, d.Description = head.Title, head.Description+"\n"+strings.Join(head.Keywords, "\n")
	d.Headline = d.Title
	if b, err := body.Extract(text, p.URL, head, body.Options{}); err == nil && !b.MediaOnly {
		d.Headline, d.Body = cmp.Or(b.Title, d.Title), b.Text
	}
	return d, true
}
