package compile

import (
	"net/url"
	"strings"
	"unicode"

	"sluice/shared/web/urlnorm"
)

// placeOf returns the host and the section of a page, by its URL: the first
// folder of its path that is no number. It is "" for a text without a URL.
func placeOf(id string) string {
	u, err := url.Parse(id)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	folders := strings.Split(u.Path, "/")
	for _, folder := range folders[:len(folders)-1] {
		if strings.ContainsFunc(folder, unicode.IsLetter) {
			return u.Hostname() + "/" + folder
		}
	}
	return u.Hostname()
}

// siteOf returns the registrable domain of a place.
func siteOf(place string) string {
	host, _, _ := strings.Cut(place, "/")
	return urlnorm.RegistrableDomain(host)
}

// places tells which words texts of several places have. Texts without a place
// are each at one of their own.
type places struct {
	all   map[string]bool
	hosts map[string]bool   // the parts of their names
	first map[string]string // the place of the first text that has a word
	many  map[string]bool   // words of several places
}

func newPlaces() *places {
	return &places{all: map[string]bool{}, hosts: map[string]bool{}, first: map[string]string{}, many: map[string]bool{}}
}

// add counts a text.
func (p *places) add(place string, words []string) {
	if !p.all[place] {
		p.all[place] = true
		host, _, _ := strings.Cut(place, "/")
		for part := range strings.SplitSeq(host, ".") {
			p.hosts[part] = true
		}
	}
	for _, word := range words {
		if first, seen := p.first[word]; !seen {
			p.first[word] = place
		} else if first != place || place == "" {
			p.many[word] = true
		}
	}
}

// allow reports whether a word may be proposed: texts of several places have
// it, unless all are of one, and it is no part of the name of a host.
func (p *places) allow(word string) bool {
	return p == nil || !p.hosts[word] && (p.many[word] || len(p.all) == 1)
}
