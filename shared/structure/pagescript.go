package structure

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// TRS, the usual system of Chinese government sites, leaves the links between the pages
// of a list to a script: createPageHTML(3, 0, "index", "html") says how many there are,
// which one this is, and how their files are named. Older pages have the numbers in
// variables. A first argument that is a string names an element; pages then count from 1.
var (
	pageCall     = regexp.MustCompile(`createPageHTML\(\s*(?:["']([\w-]+)["']\s*,\s*)?(\d{1,5})\s*,\s*(\d{1,5})\s*,\s*["']([\w./-]+)["']\s*,\s*["'](\w+)["']`)
	countOfPages = regexp.MustCompile(`\bcountPage\s*=\s*(\d{1,5})\b`)
	currentPage  = regexp.MustCompile(`\bcurrentPage\s*=\s*(\d{1,5})\b`)
	pageFile     = regexp.MustCompile(`([\w-]+)_["']?\s*\+[^;]*?["']\.(s?html?)\b`)
)

// longestScript is the size in bytes of a script from which it is not read.
const longestScript = 64 << 10

// script reads the pages of a list from the script that links them.
func (p *Pagination) script(root *html.Node, at, base *url.URL) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "script" || n.FirstChild == nil || len(n.FirstChild.Data) > longestScript {
			continue
		}
		text := n.FirstChild.Data
		if m := pageCall.FindStringSubmatch(text); m != nil {
			first := 0
			if m[1] != "" || m[3] == "1" && at != nil && listURLOf(at).number < 0 {
				first = 1
			}
			p.files(base, m[4], m[5], number(m[2]), number(m[3]), first)
			return
		}
		count, current := countOfPages.FindStringSubmatch(text), currentPage.FindStringSubmatch(text)
		if count != nil && current != nil {
			name, ext := "index", "html"
			if m := pageFile.FindStringSubmatch(text); m != nil {
				name, ext = m[1], m[2]
			}
			p.files(base, name, ext, number(count[1]), number(current[1]), 0)
			return
		}
	}
}

// files names the pages of a list by their files: "index.html", then "index_1.html" where
// they count from 0, "index_2.html" where they count from 1.
func (p *Pagination) files(base *url.URL, name, ext string, count, current, first int) {
	of := resolve(base, name+"."+ext)
	pages := resolve(base, name+"_0."+ext)
	if of == nil || pages == nil || of.Host != base.Host || count < 2 || current < first || current >= count+first {
		return
	}
	before, found := strings.CutSuffix(pages.String(), "0."+ext)
	if !found {
		return
	}
	p.Pattern, p.Step, p.Offset = before+pageMark+"."+ext, 1, first-1
	p.Current = current - first + 1
	for n := 1; n <= min(count, mostPages); n++ {
		to := p.URL(n)
		if n == 1 {
			to = of.String()
		}
		p.Pages = append(p.Pages, to)
	}
	if p.Current < count {
		p.Next = p.URL(p.Current + 1)
	}
}

// number is that of a few digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
