// Package optout reads what pages and sites say about the use of their text:
// robots directives (<meta name=robots>, X-Robots-Tag), the TDM Reservation
// Protocol (header, meta, /.well-known/tdmrep.json), the usage preferences of
// robots.txt and of headers (Content-Signal, Content-Usage, DisallowAITraining)
// and ai.txt. A corpus for training models honours all of them.
//
// The parsers accept any input: they ignore what they do not understand, take
// time linear in the size, and keep a bounded amount. If two statements about
// one page differ, the stricter counts, except for TDMRep, which defines its
// own order.
package optout

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Rules that refuse a page because of such a statement.
const (
	RuleNoIndex    = "noindex"        // not to be indexed, or no longer available by its own statement
	RuleNoArchive  = "noarchive"      // no copy to be kept
	RuleNoAI       = "noai"           // not for the training of models, by a robots directive
	RuleTDM        = "tdm_reserved"   // the rights of text and data mining are reserved
	RuleNoTraining = "no_ai_training" // a usage preference asks not to train models
	RuleAITxt      = "ai_txt"         // ai.txt asks not to
)

// Meta has the statements of a page's <meta> elements.
type Meta struct {
	Robots []string // as Directives returns them
	TDM    Reservation
	Usage  string // as Usage returns it for the header, or for the element that replaces it
}

// Site has the statements of a site's files about one of its URLs. The zero
// value says nothing.
type Site struct {
	TDM    Reservation `json:"tdm,omitzero"`         // tdmrep.json
	Robots string      `json:"robots_txt,omitempty"` // the line of robots.txt that asks not to train models
	AI     string      `json:"ai_txt,omitempty"`     // the line of ai.txt that does
}

// Signals are all that was said about one page.
type Signals struct {
	Header []string    // directives of X-Robots-Tag that address us
	Meta   []string    // directives of <meta name=robots>
	TDM    Reservation // the last word of site, header and page
	Usage  string      // the place and text of a field that asks not to train models; "" for none
	Site   Site
}

// Gather combines the statements about a page: of its response header, of
// itself and of its site. It ignores directives of X-Robots-Tag for other
// products.
//
// For TDMRep, the header supersedes the site's file, and the page both (TDMRep
// 2024-02-02, "Processing priority").
func Gather(h http.Header, product string, meta Meta, site Site) Signals {
	return Signals{
		Header: Directives(product, h.Values("X-Robots-Tag")...),
		Meta:   meta.Robots,
		TDM:    meta.TDM.over(headerTDM(h)).over(site.TDM),
		Usage:  saidUsage(h, meta),
		Site:   site,
	}
}

// saidUsage returns the place and text of the field of header or page that asks
// not to train models.
func saidUsage(h http.Header, meta Meta) string {
	if field := Usage(h); field != "" {
		return "header: " + field
	}
	if meta.Usage != "" {
		return "meta: " + meta.Usage
	}
	return ""
}

// Refusal returns the rule by which the page must not be kept, with the
// statement and its place; "" for none. A page may state when it ceases to be
// available, so at is the time of the fetch.
func (s *Signals) Refusal(at time.Time) (rule, detail string) {
	for _, r := range []string{RuleNoIndex, RuleNoArchive, RuleNoAI} {
		for _, place := range []struct {
			name       string
			directives []string
		}{{"meta robots", s.Meta}, {"X-Robots-Tag", s.Header}} {
			if slices.ContainsFunc(place.directives, func(d string) bool { return meaning(d, at) == r }) {
				return r, place.name + ": " + strings.Join(place.directives, ",")
			}
		}
	}
	switch {
	case s.TDM.Value == reserved:
		return RuleTDM, s.TDM.detail()
	case s.Usage != "":
		return RuleNoTraining, s.Usage
	case s.Site.Robots != "":
		return RuleNoTraining, "robots.txt: " + s.Site.Robots
	case s.Site.AI != "":
		return RuleAITxt, "ai.txt: " + s.Site.AI
	}
	return "", ""
}

// NoFollow reports whether the links of the page are not to be followed.
func (s *Signals) NoFollow() bool {
	return slices.Contains(s.Meta, "nofollow") || slices.Contains(s.Header, "nofollow")
}

// Directives returns the directives of page and header, each once.
func (s *Signals) Directives() []string {
	all := slices.Clone(s.Meta)
	for _, d := range s.Header {
		if !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// meaning returns the rule that a directive implies, "" for none.
func meaning(directive string, at time.Time) string {
	name, value, _ := strings.Cut(directive, ":")
	switch name {
	case "noindex":
		return RuleNoIndex
	case "unavailable_after":
		if t, ok := date(value); ok && !at.IsZero() && at.After(t) {
			return RuleNoIndex
		}
	case "noarchive", "nocache":
		return RuleNoArchive
	case "noai", "noml", "disallowaitraining":
		return RuleNoAI
	}
	return ""
}

// date reads the dates that search engines accept, in lower case.
func date(s string) (time.Time, bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	for _, layout := range []string{
		time.RFC1123, time.RFC1123Z, time.RFC850, time.RFC822, time.RFC3339, time.ANSIC,
		"2 Jan 2006 15:04:05 MST", "2-Jan-2006 15:04:05 MST", "Mon, 02-Jan-2006 15:04:05 MST", "2 Jan 2006", "2-Jan-2006", time.DateTime, time.DateOnly,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// fold returns a name in the case that names are compared in.
func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// most returns the first n bytes of s at most, in whole characters.
func most(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
