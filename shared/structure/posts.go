package structure

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"unicode"

	"golang.org/x/net/html"

	"sluice/shared/web/urlnorm"
)

// Posts reports whether the records of a list are posts of a board, comments or reviews: at
// least half of them say when they were written and lead to the person who did, or are called
// comments, and less than half have a name of their own. A page with such a list is rather one
// record, as a whole: a thread, an article with comments.
func (l *List) Posts(base *url.URL) bool {
	posts := make([]post, len(l.Records))
	named, led := map[string]int{}, map[string]int{} // records with a name, and with an address
	for i, r := range l.Records {
		posts[i] = r.post(base)
		for name := range posts[i].names {
			named[name]++
		}
		seen := map[string]bool{}
		for _, to := range posts[i].names {
			if !seen[to] {
				seen[to] = true
				led[to]++
			}
		}
	}
	half := func(n int) bool { return 2*n >= len(l.Records) }
	written, own := 0, 0
	for _, p := range posts {
		written += count(p.written)
		for name, to := range p.names {
			// Jobs of one title have pages of their own; "Reply" is on every post.
			if !half(led[to]) && (named[name] == 1 || led[to] == 1 && !half(named[name])) {
				own++
				break
			}
		}
	}
	return half(written) && !half(own)
}

// post is a record as if it were a post.
type post struct {
	written bool              // it says when it was written, and leads to who did or is called a comment
	names   map[string]string // of headings and links that are not people's, with their addresses
}

func (r Record) post(base *url.URL) post {
	p := post{names: map[string]string{}}
	people := map[string]bool{}
	comment := isComment(r[0])
	links := slices.DeleteFunc(r.links(base), func(l recordLink) bool {
		return base != nil && (l.to == base.String() || comment && !l.heading && !isOfSite(l.to, base))
	})
	for i := range links {
		if IsPerson(links[i].to) {
			people[links[i].text] = true
		}
	}
	add := func(name, to string) {
		if name != "" && !people[name] {
			p.names[name] = to
		}
	}
	for i := range links {
		if l := &links[i]; !IsPerson(l.to) {
			add(cmp.Or(nameIn(l.text), l.picture), l.to)
		}
	}
	own := 0 // letters that are in no link, and no time
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		switch {
		case n.Type == html.ElementNode && (n.Data == "a" || dropped[n.Data]):
			return
		case IsHeading(n) && find(n, "a") == nil:
			text := Record{n}.Text()
			add(nameIn(text), "heading "+text)
			own += lettersIn(text)
			return
		case n.Type == html.TextNode && own < minPost:
			own += lettersIn(withoutTimes(n.Data))
		}
		for c := range n.ChildNodes() {
			visit(c)
		}
	}
	for _, n := range r {
		visit(n)
	}
	if (comment || len(people) > 0) && own >= minWords {
		text := r.Text()
		p.written = clock.MatchString(text) || own >= minPost && moment.MatchString(text)
	}
	return p
}

// isOfSite reports whether an address is of the site of a page, on whatever host of it.
func isOfSite(address string, page *url.URL) bool {
	u, err := url.Parse(address)
	return err == nil && urlnorm.RegistrableDomain(u.Hostname()) == urlnorm.RegistrableDomain(page.Hostname())
}

// commented is how names of the elements of comments begin. What these lead to on other sites,
// but for their headings, are the sites of who wrote them.
var commented = regexp.MustCompile(`(?i)(?:^|\s)(?:comments?|reviews?|repl(?:y|ies)|pinglun)(?:[\s_-]|\d|$)`)

func isComment(n *html.Node) bool {
	for ; n != nil && n.Type == html.ElementNode; n = n.FirstChild {
		if commented.MatchString(Attr(n, "id") + " " + Attr(n, "class")) {
			return true
		}
		if n.FirstChild != n.LastChild {
			return false
		}
	}
	return false
}

// IsPerson reports whether an absolute address is of what a site knows of one of its users:
// https://a.test/user/ann, /users/7/ann-lee, /space-uid-7.html, /home.php?mod=space&uid=7. A
// name of more than three words is the title of an article about people.
func IsPerson(address string) bool { return mentions(address, ofPeople) && person.MatchString(address) }

// ofPeople are words one of which each address has that person matches.
var ofPeople = []string{"user", "member", "/u/", "/u.php", "profile", "space", "home/main"}

var person = regexp.MustCompile(`(?i)^\w+://[^/?#]+(?:(?:/[^?#]*)?/(?:index\.php\?)?(?:` +
	`(?:users?|members?|u)(?:\.php)?/(?:\d+/)?` + personName + `|profile/\d[^?#]*|space-u(?:id|sername)-[^/?#]+|user-\d[^/?#]*)/?(?:[?#]|$)|` +
	`(?:/[^?#]*)?/(?:user|member|memberlist|profile|space|home/main)(?:\.\w+)?\?|[^#]*[?&;](?:mod=space|action=profile|mode=viewprofile)(?:[&;]|$))`)

const personName = `[^-/?#]*(?:-[^-/?#]+){0,2}`

const weekdays = `\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun)\b`

const months = `\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`

// clock is the time of a day, or how long ago something was.
var clock = regexp.MustCompile(`(?i)(?:\b|\dT)[0-2]?\d:[0-5]\d(?:\b| ?[ap]m\b)|\d+ ?(?:秒|分钟|小时|天|周|个月|月|年)前|昨天|前天|(?:\b\w+ \w+ )?\bago\b|\b(?:yesterday|today)\b`)

// moment is a time at which something was written, perhaps a date alone.
var moment = regexp.MustCompile(clock.String() + `|\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|` + months + `\.? \d+|\b\d+\.? ` + months)

// stamp is what is said beside a time.
var stamp = regexp.MustCompile(`(?i)` + weekdays + `|发表于|发布于|回复于|编辑于|来自\S*|\b(?:posted|edited|written|answered|asked|joined|updated|last|seen|active|online|visited)\b`)

// ordinal is what posts are called by their place, or what can be done with each of them.
var ordinal = regexp.MustCompile(`(?i)^(?:楼主|沙发|板凳|地板|第?\d+ ?[楼层]|(?:回复|引用|举报|赞) ?\(?\d*\)?|(?:post|reply|permalink|likes?) ?#?\d*|\d+ likes?)[:：]?$`)

const (
	minName   = 3   // letters
	minBeside = 10  // letters beside a time: "Ann on 2024-05-01" is no name
	minWords  = 8   // letters of a post
	minPost   = 30  // the same, where the time of day is not said: a member joined on a date
	maxName   = 200 // bytes
)

// nameIn is a text, "" if it is only the number of a post, or its time.
func nameIn(text string) string {
	if len(text) > maxName {
		return text[:maxName]
	}
	if lettersIn(text) < minName || ordinal.MatchString(text) {
		return ""
	}
	if beside := withoutTimes(text); len(beside) < len(text) && lettersIn(beside) < minBeside {
		return ""
	}
	return text
}

// withoutTimes is a text without days and times.
func withoutTimes(text string) string {
	if len(text) > maxName {
		return text
	}
	return stamp.ReplaceAllString(moment.ReplaceAllString(text, ""), "")
}

// lettersIn is how many letters a text has; a Chinese character is worth two.
func lettersIn(text string) (n int) {
	for _, c := range text {
		n += count(unicode.IsLetter(c)) + count(unicode.Is(unicode.Han, c))
	}
	return n
}
