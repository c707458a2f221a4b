package structure

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Posts reports whether the records of a list are posts of a board, comments or reviews: at
// least half of them say when they were written and lead to the person who did, and less than
// half lead to something that has a name of its own. A page with such a list is rather one
// record, as a whole: a thread, an article with comments.
func (l *List) Posts(base *url.URL) bool {
	links := make([][]recordLink, len(l.Records))
	holders := map[string]int{}
	for i, r := range l.Records {
		links[i] = r.links(base)
		of := map[string]bool{}
		for _, link := range links[i] {
			if name := link.name(); !of[name] {
				of[name] = true
				holders[name]++
			}
		}
	}
	written, named := 0, 0
	for i, r := range l.Records {
		if r.isWritten() {
			written++
		}
		for _, link := range links[i] {
			if name := link.name(); name != "" && holders[name] == 1 && !IsPerson(link.to) {
				named++
				break
			}
		}
	}
	return 2*written >= len(l.Records) && 2*named < len(l.Records)
}

// IsPerson reports whether an address is of what a site knows of one of its users:
// /user/ann, /users/7/ann, space-uid-7.html, home.php?mod=space&uid=7.
func IsPerson(href string) bool { return person.MatchString(href) }

var person = regexp.MustCompile(`(?i)(?:^|/)(?:users?|members?|profiles?|people|space|uid|u)(?:-uid)?(?:/\d+)?[/-][^/?#]+/?(?:[?#]|$)|` +
	`(?:^|/)(?:user|member|profile)(?:\.\w+)?\?|[?&;](?:u|(?:uid|user|member)(?:_?id)?)=[\w-]+(?:[&;#]|$)`)

// clock is the time of a day, or how long ago something was.
var clock = regexp.MustCompile(`(?i)\d:\d\d|[秒钟时天周月年]前|昨天|前天|\b(?:ago|yesterday|today)\b`)

// moment is a time at which something was written, perhaps a date alone.
var moment = regexp.MustCompile(clock.String() + `|\d{4}[-/.年]\d{1,2}[-/.月]\d|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d`)

const (
	minName   = 3  // letters
	minPost   = 40 // runes outside links, where the time of day is not said: a member joined on a date
	maxMoment = 40 // runes of a link that is called by a time: "Ann wrote on 2024-05-01"
)

// name is what a link is called or shows, "" for the number of a post, or its time.
func (l *recordLink) name() string {
	letters := 0
	for _, c := range l.text {
		if unicode.IsLetter(c) {
			letters++
		}
	}
	if letters < minName || utf8.RuneCountInString(l.text) <= maxMoment && moment.MatchString(l.text) {
		return l.picture
	}
	return l.text
}

// isWritten reports whether a record says when it was written, and leads to who did.
func (r Record) isWritten() bool {
	person, own := false, 0
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			own += utf8.RuneCountInString(strings.TrimSpace(n.Data))
		case n.Type == html.ElementNode && n.Data == "a":
			person = person || IsPerson(strings.TrimSpace(Attr(n, "href")))
			return
		}
		for c := range n.ChildNodes() {
			visit(c)
		}
	}
	for _, n := range r {
		visit(n)
	}
	text := r.Text()
	return person && (clock.MatchString(text) || own >= minPost && moment.MatchString(text))
}
