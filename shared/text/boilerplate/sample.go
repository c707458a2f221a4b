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
	section hash   // of the folder, without its numbers
	title   hash
	view    view
}

// withoutCount returns a title without the number of a page at its end: "Spring
// (3/12)", "Spring 第3页".
func withoutCount(title string) string {
	const digits = "0123456789"
	title = strings.TrimSpace(title)
	for _, around := range [...][2]string{{"(", ")"}, {"（", "）"}, {"[", "]"}, {"【", "】"}, {"第", "页"}, {"第", "頁"}} {
		rest, closed := strings.CutSuffix(title, around[1])
		i := strings.LastIndex(rest, around[0])
		if !closed || i <= 0 {
			continue
		}
		count := rest[i+len(around[0]):]
		if strings.Trim(count, digits+"/／ ") == "" && strings.ContainsAny(count, digits) {
			return strings.TrimSpace(title[:i])
		}
	}
	return title
}

// view is the lines at both ends of a text.
type view struct {
	lines []line
	cut   int // lines before it are from the head, the others from the tail; 0: nothing is left out
}

// look at a page.
func sampleOf(p *Page) sample {
	var f folder
	lines, _ := split(p.Text, &f)
	return sample{
		url: xxh3.HashString(p.URL), section: hashOf([]byte(sectionOf(p.URL))), title: f.text(withoutCount(p.Title)),
		view: viewOf(lines),
	}
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

// compare orders samples by address. Two of one address are two versions of a
// page; the one with the smaller encoding is kept, in every process.
func (s *sample) compare(o *sample) int {
	if c := cmp.Compare(s.url, o.url); c != 0 {
		return c
	}
	return strings.Compare(string(s.append(nil)), string(o.append(nil)))
}
