package boilerplate

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/zeebo/xxh3"
)

// sample is what a sketch keeps of a page.
type sample struct {
	url     uint64 // hash of the address: by it pages are drawn
	family  hash   // of the address without the number of a page of several
	section hash   // of the folder, without its numbers
	title   hash
	whole   hash // of all lines
	view    view
}

// view is the lines at both ends of a text.
type view struct {
	lines []line
	cut   int // lines before it are from the head, the others from the tail; 0: nothing is left out
}

// look at a page.
func sampleOf(p *Page) sample {
	var f folder
	s := sample{
		url:    xxh3.HashString(p.URL),
		family: hashOf([]byte(familyOf(p.URL))), section: hashOf([]byte(sectionOf(p.URL))),
		title: f.text(withoutCount(p.Title)),
	}
	lines, _ := split(p.Text, &f)
	s.whole = wholeOf(lines)
	s.view = viewOf(lines)
	return s
}

// split folds the lines of a text that have letters or digits, and returns each
// with its position among all lines.
func split(text string, f *folder) (lines []line, at []int) {
	i := 0
	for s := range strings.Lines(text) {
		if l, ok := f.line(s); ok {
			lines, at = append(lines, l), append(at, i)
		}
		i++
	}
	return lines, at
}

func wholeOf(lines []line) hash {
	b := make([]byte, 0, len(lines)*hashBytes)
	for _, l := range lines {
		b = l.hash.append(b)
	}
	return hashOf(b)
}

// viewOf returns the lines that are looked at; they share memory.
func viewOf(lines []line) view {
	if len(lines) <= headSize+tailSize {
		return view{lines: lines}
	}
	v := view{lines: make([]line, 0, headSize+tailSize), cut: headSize}
	v.lines = append(v.lines, lines[:headSize]...)
	v.lines = append(v.lines, lines[len(lines)-tailSize:]...)
	return v
}

// familyOf returns an address without the number that tells the pages of one
// article or gallery apart: "/a/1234567_2.html" is a page of "/a/1234567.html".
// The digits before tell such a number from the article's own.
func familyOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	ext := path.Ext(u.Path)
	stem := strings.TrimSuffix(u.Path, ext)
	i := strings.LastIndexAny(stem, "_-")
	if i < 0 || !isNumber(stem[i+1:], 1, 2) || i < articleDigits || !isNumber(stem[i-articleDigits:i], articleDigits, articleDigits) {
		return raw
	}
	u.Path, u.RawPath = stem[:i]+ext, ""
	return u.String()
}

// sectionOf returns the folder of an address with each number in it as a 0:
// "/finance/2020-03-30/" is "/finance/0-0-0/".
func sectionOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	var b strings.Builder
	digits := false
	for _, r := range path.Dir(u.Path) {
		if was := digits; r >= '0' && r <= '9' {
			if digits = true; was {
				continue
			}
			r = '0'
		} else {
			digits = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// articleDigits is how many digits the number of an article has at least.
const articleDigits = 5

// withoutCount returns a title without the number of a page at its end: "Spring
// (3/12)", "Spring 第3页".
func withoutCount(title string) string {
	title = strings.TrimSpace(title)
	for _, around := range [...][2]string{{"(", ")"}, {"（", "）"}, {"[", "]"}, {"【", "】"}, {"第", "页"}, {"第", "頁"}} {
		rest, closed := strings.CutSuffix(title, around[1])
		i := strings.LastIndex(rest, around[0])
		if !closed || i <= 0 {
			continue
		}
		if n := strings.NewReplacer("/", "", "／", "", " ", "").Replace(rest[i+len(around[0]):]); isNumber(n, 1, 6) {
			return strings.TrimSpace(title[:i])
		}
	}
	return title
}

// isNumber reports whether s has this many digits and nothing else.
func isNumber(s string, least, most int) bool {
	if len(s) < least || len(s) > most {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// compare orders samples by address. Two of one address are two versions of a
// page; the one with the smaller encoding is kept, in every process.
func (s *sample) compare(o *sample) int {
	if c := cmp.Compare(s.url, o.url); c != 0 {
		return c
	}
	return strings.Compare(string(s.append(nil)), string(o.append(nil)))
}
