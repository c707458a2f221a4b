package structure

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sluice/shared/web/urlnorm"
)

// Pagination is where a list goes on.
type Pagination struct {
	Next     string   // the next page, "" if there is none or only a script knows it
	Pages    []string // the numbered pages that are linked, in order of their numbers
	Current  int      // number of this page, 0 if unknown
	Pattern  string   // URL of a numbered page with {page} for its number, "" if unknown
	Offset   int      // of Pattern: what stands for page n is Offset + n·Step
	Step     int      //
	Scripted bool     // scripts lead to the next page, or load it into this one
}

// MoreLabel matches the text of a button that adds to a list, in any case. JavaScript
// understands it, too.
const MoreLabel = `^(?:点击)?(?:加载|显示|查看)更多(?:内容|新闻|结果|商品|产品|职位)?$|^(?:load|show|view|see) more(?: [a-z]+)?$`

// Labels of links, without the marks around them.
var (
	nextLabel = regexp.MustCompile(`(?i)^(?:下 ?一? ?[页頁](?:[（(]\d+)?|[后後]一?[页頁]|次のページ|next (?:page(?: of \w+)?|events|results|jobs|items|\d+)|(?:see |view |show )?(?:(?:next|older|previous) (?:posts|entries)|next \d+ \w+)|more results|page suivante|p[áa]gina siguiente|nächste seite)$`)
	onLabel   = regexp.MustCompile(`(?i)^(?:next|older(?: \w+s)?|next (?:stories|articles|products)|次へ|weiter|suivante?|siguiente)$`) // of an article, too
	moreLabel = regexp.MustCompile(`(?i)` + MoreLabel)
	arrow     = regexp.MustCompile(`^(?:>{1,2}|[»›→▶])$`)
	nextImage = regexp.MustCompile(`(?i)(?:^|[/_-])next[\w-]*\.(?:gif|png|jpe?g|svg|webp)$`)
	nextIcon  = regexp.MustCompile(`(?i)\b(?:arrow|chevron|angle|caret)s?-(?:[a-z]+-)*right\b`)
	pageLabel = regexp.MustCompile(`(?i)^(?:第 ?(\d+) ?[页頁]|page (\d+)(?: of \d+)?)$`)
	goesTo    = regexp.MustCompile(`\blocation(?:\.href)?\s*=\s*["']([^"']+)["']`)
	marks     = " \t\r\n\u00a0\u3000<>[]()（）【】«»‹›→←|·.…+"
)

const (
	longestLabel  = 60 // bytes
	longestNext   = 12 // runes of what a link to the next page says
	shortestTitle = 5  // runes of the title of a record
	longestNumber = 5  // digits of a page's number
	mostPages     = 200
	mostOptions   = 999 // from which the numbers of a menu are years
)

// step is a link of a page that may lead to another part of a list.
type step struct {
	node   *html.Node
	label  string // text without marks
	number int    // that the label is, −1 if the label is not a number
	to     *url.URL
	on     bool // it says that it is the current page
	arrow  bool // it is an arrow, in whatever form, to the right
}

// FindPagination finds where the list of a page goes on, nil if nowhere. at is the URL
// of the page, base that of its links. They are nil for a page of unknown origin, whose
// relative links stay so.
func FindPagination(root *html.Node, at, base *url.URL) *Pagination {
	if base == nil {
		base = &url.URL{}
	}
	p := &Pagination{}
	links := stepsOf(root, base)
	pager := longestRun(links, at)
	p.number(pager, at)
	p.next(root, links, len(pager) > 0, at, base)
	for i := range links {
		l := &links[i]
		p.Scripted = p.Scripted || p.Next == "" && l.to == nil && (l.says(nextLabel) || onLabel.MatchString(l.label) && len(pager) > 0 || moreLabel.MatchString(l.label)) && !isOff(l.node)
	}
	if p.Next == "" && len(p.Pages) == 0 {
		p.script(root, at, base)
	}
	if p.Next == "" && len(p.Pages) == 0 && !p.Scripted {
		return nil
	}
	return p
}

// stepsOf returns the links, and what looks like one, of a page.
func stepsOf(root *html.Node, base *url.URL) (links []step) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "a", "button", "option":
		case "span", "em", "strong", "b", "li": // the number of the current page is often no link
			if n.FirstChild == nil || n.FirstChild != n.LastChild {
				continue
			}
		default:
			continue
		}
		text := shownIn(n)
		if len(text) > longestLabel {
			continue
		}
		l := step{node: n, label: strings.Trim(text, marks), number: -1}
		if l.label == "" {
			l.label = strings.TrimSpace(text)
		}
		l.icon()
		l.arrow = l.arrow || arrow.MatchString(l.label) || named(attributesOf(n), nextWord) || l.label == "" && n.Parent != nil && named(attributesOf(n.Parent), nextWord)
		number := l.label
		if m := pageLabel.FindStringSubmatch(number); m != nil {
			number = m[1] + m[2]
		}
		if len(number) <= longestNumber {
			if v, err := strconv.Atoi(number); err == nil && v > 0 {
				l.number = v
			}
		}
		switch n.Data {
		case "a":
			l.to = cmp.Or(resolve(base, Attr(n, "href")), l.clicked(base))
			l.on = isOn(n) || l.to == nil
		case "button":
			l.to = l.clicked(base)
		case "option":
			if l.number < 0 || l.number > mostOptions || !strings.ContainsAny(Attr(n, "value"), "/.?") {
				continue
			}
			l.to = resolve(base, Attr(n, "value"))
			l.on = HasAttr(n, "selected")
		default:
			if l.number < 0 || find(n, "a") != nil || n.Parent != nil && (n.Parent.Data == "a" || n.Parent.Data == "span") {
				continue
			}
			l.on = true
		}
		links = append(links, l)
	}
	return links
}

// spoken are in the class of a text that is only read aloud: "Current page" in front of 1.
var spoken = []string{"visually-hidden", "visuallyhidden", "sr-only", "screen-reader", "element-invisible"}

// shownIn is the text of a link that is shown, or else all of its text.
func shownIn(n *html.Node) string {
	var shown Record
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || !mentions(Attr(c, "class"), spoken) {
			shown = append(shown, c)
		}
	}
	return cmp.Or(shown.Text(), Record{n}.Text())
}

// icon reads the label of a link without text from the image in it, and whether an
// element in it is called an arrow.
func (l *step) icon() {
	for n := range l.node.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if l.label == "" && (n.Data == "img" || n.Data == "input") {
			l.label = strings.Trim(cmp.Or(Attr(n, "alt"), Attr(n, "title")), marks)
			l.arrow = l.label == "" && nextImage.MatchString(Attr(n, "src"))
			return
		}
		l.arrow = l.arrow || named(attributesOf(n), nextWord) || l.label == "" && nextIcon.MatchString(Attr(n, "class"))
	}
}

// clicked is the page that a click leads to by a script, nil if it leads to none.
func (l *step) clicked(base *url.URL) *url.URL {
	if m := goesTo.FindStringSubmatch(Attr(l.node, "onclick")); m != nil {
		return resolve(base, m[1])
	}
	return resolve(base, cmp.Or(Attr(l.node, "data-url"), Attr(l.node, "data-href")))
}

// says reports whether a link is labelled so, in words or by what a reader hears.
func (l *step) says(label *regexp.Regexp) bool {
	return label.MatchString(l.label) || label.MatchString(strings.TrimSpace(Attr(l.node, "title"))) || label.MatchString(strings.TrimSpace(Attr(l.node, "aria-label")))
}

// resolve returns the page that a link leads to, nil if it leads to none.
func resolve(base *url.URL, href string) *url.URL {
	href = strings.TrimSpace(href)
	if href == "" || strings.HasPrefix(href, "#") || strings.ContainsAny(href, "<>") {
		return nil
	}
	parse := base.Parse
	if *base == (url.URL{}) {
		parse = url.Parse // what is relative stays so
	}
	to, err := parse(href)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" && to.Scheme != base.Scheme {
		return nil
	}
	to.Fragment = ""
	urlnorm.Clean(to)
	return to
}

// onWords are parts of the names of the current page's link, offWords of one
// that leads nowhere.
var (
	onWords  = map[string]bool{"on": atEdge, "current": atEdge, "active": atEdge, "cur": atEdge, "selected": atEdge, "this": atEdge, "now": atEdge}
	nextWord = map[string]bool{"next": atEdge}
	offWords = map[string]bool{"disabled": atEdge, "disable": atEdge, "unclick": atEdge, "off": atEdge, "hidden": atEdge}
)

func isOn(n *html.Node) bool {
	return Attr(n, "aria-current") != "" || named(attributesOf(n), onWords)
}

func isOff(n *html.Node) bool {
	return Attr(n, "aria-disabled") == "true" || named(attributesOf(n), offWords) || n.Parent != nil && named(attributesOf(n.Parent), offWords)
}

// longestRun returns the numbered links that follow each other in rising order, other
// links in between excepted, in the longest such run; the last one of several.
func longestRun(links []step, at *url.URL) (best []step) {
	var run []step
	end := func() {
		if n := linked(run); n > 0 && len(run) > 1 && n >= linked(best) && !isCalendar(run) && isPager(run, at) && !ofRecord(run, links, at) {
			best = run
		}
		run = nil
	}
	for _, l := range links {
		if l.number < 0 {
			continue
		}
		if len(run) > 0 {
			last := run[len(run)-1]
			if !near(last.node, l.node) || l.number < last.number {
				end()
			} else if l.number == last.number { // the parts of one link
				if run[len(run)-1].to == nil {
					run[len(run)-1] = l
				}
				continue
			}
		}
		run = append(run, l)
	}
	end()
	return best
}

// sizes are addresses of one page with more records on it.
var sizes = regexp.MustCompile(`(?i)[?&](?:limit|per_?page|page_?size|show)=\{page\}`)

// isPager reports whether numbered links lead to parts of one list.
func isPager(run []step, at *url.URL) bool {
	var p Pagination
	p.pattern(run)
	if sizes.MatchString(p.Pattern) {
		return false
	}
	if p.Pattern != "" {
		return max(p.Offset, -p.Offset) <= 2*p.Step && (at == nil || strings.Contains(p.Pattern, "://"+at.Host+"/"))
	}
	for i, l := range run {
		if l.to != nil && !isPart(at, l.to, l.number) || i > 0 && l.number != run[i-1].number+1 {
			return false
		}
	}
	return linked(run) == 2 || linked(run) == 1 && (run[0].on || run[1].on)
}

// ofRecord reports whether numbered links lead to the parts of a record of a list: a text
// leads to the first of these, and this page is not one of them.
func ofRecord(run, links []step, at *url.URL) bool {
	var p Pagination
	if p.pattern(run); p.Pattern == "" || at == nil {
		return false
	}
	first := p.URL(1)
	if run[0].number == 1 && run[0].to != nil {
		first = run[0].to.String()
	}
	if p.place(at); p.Current != 0 || first == at.String() {
		return false
	}
	return slices.ContainsFunc(links, func(l step) bool {
		return l.number < 0 && l.to != nil && l.to.String() == first && utf8.RuneCountInString(l.label) >= shortestTitle
	})
}

// linked counts the links that lead somewhere.
func linked(run []step) (n int) {
	for _, l := range run {
		if l.to != nil {
			n++
		}
	}
	return n
}

// near reports whether two nodes have a container in common that is close to both.
func near(a, b *html.Node) bool {
	const steps = 3
	up := a.Parent
	for range steps {
		if up == nil {
			return false
		}
		down := b.Parent
		for range steps {
			if down == up {
				return up.Data != "body" && up.Data != "html"
			}
			if down == nil {
				break
			}
			down = down.Parent
		}
		up = up.Parent
	}
	return false
}

// isCalendar reports whether numbers are the days of a month.
func isCalendar(run []step) bool {
	last := run[len(run)-1].number
	for n := run[0].node.Parent; n != nil; n = n.Parent {
		if n.Data == "table" && last >= 28 && last <= 31 && len(run) >= last-3 {
			return true
		}
	}
	return last >= 28 && last <= 31 && run[0].number == 1 && len(run) == last
}

// number reads the numbers of a run of links.
func (p *Pagination) number(run []step, at *url.URL) {
	for _, l := range run {
		switch {
		case l.on && p.Current == 0:
			p.Current = l.number
		case l.to != nil && at != nil && same(l.to, at):
			p.Current = l.number
		}
		if l.to != nil && len(p.Pages) < mostPages && !slices.Contains(p.Pages, l.to.String()) {
			p.Pages = append(p.Pages, l.to.String())
		}
	}
	p.pattern(run)
	if p.Pattern != "" && at != nil {
		p.place(at)
	}
	if p.Current == 0 && len(run) > 0 && (run[0].number == 2 || run[0].number == 1 && run[0].to != nil && at != nil && listURLOf(run[0].to).list == listURLOf(at).whole) {
		p.Current = 1
	}
	if p.Current > 0 {
		for _, l := range run {
			if l.to != nil && l.number == p.Current+1 {
				p.Next = l.to.String()
			}
		}
	}
}

// next finds the link to the next page by what it says of itself.
func (p *Pagination) next(root *html.Node, links []step, paged bool, at, base *url.URL) {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && (n.Data == "link" || n.Data == "a") && slices.Contains(strings.Fields(strings.ToLower(Attr(n, "rel"))), "next") {
			if to := resolve(base, Attr(n, "href")); to != nil && (paged || isNext(at, to) && !isTitled(n)) {
				p.Next = to.String()
				return
			}
		}
	}
	for i := range links {
		l := &links[i]
		if l.to == nil || at != nil && same(l.to, at) || isOff(l.node) {
			continue
		}
		on := paged || isNext(at, l.to)
		if l.says(nextLabel) && (on || at == nil || at.Host == l.to.Host) || l.says(onLabel) && on || l.says(moreLabel) && isNext(at, l.to) && (at != nil || isNumbered(l.to)) ||
			l.arrow && p.Next == "" && (paged || isSecond(at, l.to)) {
			p.Next = l.to.String()
			return
		}
	}
}

// isTitled reports whether a link has a title, as that of the next article has.
func isTitled(n *html.Node) bool {
	title := strings.Trim(Record{n}.Text(), marks)
	if n.Data == "link" {
		title = Attr(n, "title")
	}
	return utf8.RuneCountInString(title) > longestNext && !nextLabel.MatchString(title)
}
