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
// half have a name of their own. A page with such a list is rather one record, as a whole: a
// thread, an article with comments.
func (l *List) Posts(base *url.URL) bool {
	links := make([][]recordLink, len(l.Records))
	holders := map[string]int{} // of a name, and of an address
	for i, r := range l.Records {
		links[i] = append(r.links(base), r.headings()...)
		of := map[string]bool{}
		for _, link := range links[i] {
			for _, s := range []string{link.name(), "to " + link.to} {
				if !of[s] {
					of[s] = true
					holders[s]++
				}
			}
		}
	}
	written, named := 0, 0
	for i, r := range l.Records {
		people := map[string]bool{}
		for _, link := range links[i] {
			if link.text != "" && IsPerson(link.to) {
				people[link.text] = true
			}
		}
		if r.isWritten(base) {
			written++
		}
		for _, link := range links[i] {
			name := link.name()
			own := holders[name] == 1 || holders["to "+link.to] == 1 && 2*holders[name] < len(l.Records)
			if name != "" && own && !people[link.text] && !IsPerson(link.to) {
				named++
				break
			}
		}
	}
	return 2*written >= len(l.Records) && 2*named < len(l.Records)
}

// IsPerson reports whether an address is of what a site knows of one of its users:
// /user/ann, /users/7/ann-lee, space-uid-7.html, home.php?mod=space&uid=7. A name of more than
// three words is the title of an article about people.
func IsPerson(address string) bool { return person.MatchString(address) }

var person = regexp.MustCompile(`(?i)[^/]/(?:(?:users?|members?|u)(?:\.php)?/(?:\d+/)?` + personName + `|profile/\d+[-/][^/?#]+|(?:[^?#]*/)?(?:space-uid-\d[^/?#]*|user-[^-/?#]+))/?(?:[?#]|$)|` +
	`[^/]/(?:user|member|memberlist|profile)(?:\.\w+)?\?|/home/main\?|[?&;](?:mod=space|action=profile|mode=viewprofile)(?:[&;]|$)`)

const personName = `[^-/?#]+(?:-[^-/?#]+){0,2}`

const months = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

// clock is the time of a day, or how long ago something was.
var clock = regexp.MustCompile(`(?i)\b[0-2]?\d:[0-5]\d\b|[秒钟时天周月年]前|昨天|前天|(?:\d+ \w+ )?\bago\b|\b(?:yesterday|today)\b`)

// moment is a time at which something was written, perhaps a date alone.
var moment = regexp.MustCompile(clock.String() + `|\d{4}[-/.年]\d{1,2}[-/.月]\d|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\b` + months + `\b\.? \d`)

// floor is what the first posts of a thread are called.
var floor = regexp.MustCompile(`^(?:楼主|沙发|板凳|地板)[:：]?$`)

const (
	minName   = 3  // letters
	minBeside = 10 // letters beside a time: "Ann on 2024-05-01" is none
	minPost   = 40 // runes outside links, where the time of day is not said: a member joined on a date
)

// name is what a link is called or shows, "" for the number of a post, or its time.
func (l *recordLink) name() string {
	if letterCount(l.text) < minName || floor.MatchString(l.text) {
		return l.picture
	}
	if beside := moment.ReplaceAllString(l.text, ""); len(beside) < len(l.text) && letterCount(beside) < minBeside {
		return l.picture
	}
	return l.text
}

// letterCount is how many a text has; a Chinese character is worth two.
func letterCount(text string) (n int) {
	for _, c := range text {
		n += count(unicode.IsLetter(c)) + count(unicode.Is(unicode.Han, c))
	}
	return n
}

// headings are those that are not links, as if they were.
func (r Record) headings() (all []recordLink) {
	for _, n := range r {
		for d := range n.Descendants() {
			if isHeading(d) && find(d, "a") == nil {
				all = append(all, recordLink{text: Record{d}.Text()})
			}
		}
	}
	return all
}

func isHeading(n *html.Node) bool {
	return n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && '1' <= n.Data[1] && n.Data[1] <= '6'
}

// isWritten reports whether a record says when it was written, and leads to who did.
func (r Record) isWritten(base *url.URL) bool {
	person, own := false, 0
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			own += utf8.RuneCountInString(strings.TrimSpace(n.Data))
		case n.Type == html.ElementNode && n.Data == "a":
			u, err := base.Parse(strings.TrimSpace(Attr(n, "href")))
			person = person || err == nil && IsPerson(u.String())
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
