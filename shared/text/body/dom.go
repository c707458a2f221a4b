package body

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sluice/shared/text/runes"
	"sluice/shared/text/segment"
	"sluice/shared/web/page"
)

// block is a run of text between two breaks of the layout: a paragraph, a
// line, a cell.
type block struct {
	text      string // white space folded
	runes     int    // of it, white space not counted
	links     int    // runes of it inside <a>
	marks     int    // punctuation that sentences have
	tag       atom.Atom
	furniture bool   // by its words
	paired    bool   // furniture for a pair of words alone
	control   bool   // furniture for readers to click
	aside     bool   // in a container that holds furniture by its name
	verse     bool   // one of many short lines in a row
	titled    bool   // in an element whose class or id says that it is the headline's
	clues     clues  // of a short block
	element   int    // the innermost element around it, of layout.elements
	row       int    // of a table of data, counted from 1; 0 outside
	href      string // of the last link that begins in it
}

// layout is the page as a list of blocks, and which range of them each
// container holds.
type layout struct {
	blocks   []block
	regions  []region
	named    []region // those whose class or id names furniture
	forms    []region // those in which readers write a comment
	elements []element
	media    int
	weight   int // bytes of text, each times its depth
}

// region is the range of blocks [from, to) of one container.
type region struct{ from, to int }

// element is a container with the one around it, an index of layout.elements.
// The outermost is its own.
type element struct {
	region

	parent int
	tag    atom.Atom
}

// layouts are those that can be used again.
var layouts = sync.Pool{New: func() any { return new(layout) }}

// free gives a layout back, which nothing refers to any more.
func (l *layout) free() {
	clear(l.blocks)
	*l = layout{blocks: l.blocks[:0], regions: l.regions[:0], elements: l.elements[:0]}
	layouts.Put(l)
}

// layOut reads the blocks under n.
func layOut(n *html.Node) *layout {
	l, _ := layouts.Get().(*layout)
	w := &walker{root: n, layout: l, rows: map[*html.Node]int{}}
	w.elements = append(w.elements, element{})
	w.walk(n, 0)
	w.flush()
	w.elements[0].to = len(w.blocks)
	for _, f := range w.forms { // comments come after their form
		w.named = append(w.named, f, region{f.from, len(w.blocks)})
	}
	w.named = append(w.named, w.others()...)
	markAside(w.blocks, w.named)
	letOff(w.blocks)
	w.markAfterNotices()
	w.markSigned()
	markVerse(w.blocks)
	return l
}

type walker struct {
	*layout

	buf                 []byte
	runes, links, marks int
	clues               clues // of buf
	space               bool
	total               int    // runes so far
	anchor              int    // depth of <a>
	href                string // of the last <a> since the last block
	at                  position
	rows                map[*html.Node]int // of tables of data
	root                *html.Node
	unlinked            int  // runes under it outside links, at least 1, once they were counted
	revealed            bool // the text was in a hidden element
}

// position is what the blocks that are read next stand in.
type position struct {
	tag     atom.Atom
	element int
	row     int
	titled  bool
}

// walk is recursive: the parser bounds the depth.
func (w *walker) walk(n *html.Node, depth int) {
	switch n.Type {
	case html.TextNode:
		w.weight += len(n.Data) * depth
		w.text(n.Data)
		return
	case html.ElementNode:
		w.countMedia(n)
		if hidden(n) && !w.reveal(n) {
			return
		}
	case html.DocumentNode:
	default:
		return
	}
	tag := tagOf(n)
	if tag == atom.Br {
		w.flush()
		return
	}
	block, furniture := isBlock(tag), false
	from, outer := len(w.blocks), w.at
	if block {
		w.flush()
		from = len(w.blocks)
		furniture = w.enter(n, tag)
	}
	before := w.total
	if tag == atom.A {
		w.anchor++
		w.href = attr(n, "href")
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.walk(c, depth+1)
	}
	if tag == atom.A {
		w.anchor--
		if w.total-before > maxLabel {
			w.unlink(from)
		}
	}
	if block {
		w.flush()
		r := region{from, len(w.blocks)}
		w.elements[w.at.element].region = r
		w.at = outer
		if r.to > r.from {
			w.regions = append(w.regions, r)
			if furniture || tag == atom.Aside || tag == atom.Form && isPoll(n) {
				w.named = append(w.named, r)
			}
			if tag == atom.Form && holdsTextArea(n) {
				w.forms = append(w.forms, r)
			}
		}
	}
}

// enter begins the element n, which makes blocks of its own, and says whether it is
// named like furniture.
func (w *walker) enter(n *html.Node, tag atom.Atom) bool {
	w.elements = append(w.elements, element{parent: w.at.element, tag: tag})
	w.at.tag, w.at.element = tag, len(w.elements)-1
	headline, furniture := namesOf(n)
	w.at.titled = w.at.titled || headline
	switch tag {
	case atom.Table:
		w.at.row = 0
		for _, r := range dataTable(n) {
			w.rows[r] = len(w.rows) + 1
		}
	case atom.Tr:
		w.at.row = w.rows[n]
	}
	return furniture
}

func (w *walker) text(s string) {
	table := clueTable()
	count, from := 0, 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = runes.Decode(s, i)
		}
		c := table.of(r)
		switch {
		case c&spaceClue != 0:
			w.write(s[from:i])
			w.space, from = len(w.buf) > 0, i+size
		case r == utf8.RuneError && size == 1:
			w.write(s[from:i])
			w.write("\ufffd")
			count, from = count+1, i+size
		default:
			if c&markClue != 0 {
				w.marks++
			}
			w.clues |= c
			count++
		}
		i += size
	}
	w.write(s[from:])
	w.runes += count
	w.total += count
	if w.anchor > 0 {
		w.links += count
	}
}

// write adds a part of a text without white space.
func (w *walker) write(s string) {
	if s == "" {
		return
	}
	if w.space {
		w.buf = append(w.buf, ' ')
		w.space = false
	}
	w.buf = append(w.buf, s...)
}

// maxLabel is the length in runes up to which an anchor is the label of a
// link. A longer one is text that happens to be inside an <a>: some sites wrap
// the whole article, others forget to close the tag.
const maxLabel = 150

// unlink takes back that the blocks from the given one on are links.
func (w *walker) unlink(from int) {
	for i := range w.blocks[from:] {
		w.blocks[from+i].links = 0
	}
	w.links = 0
}

// flush ends the current block.
func (w *walker) flush() {
	if w.runes > 0 {
		text := string(w.buf)
		b := block{text: text, runes: w.runes, links: w.links, marks: w.marks, tag: w.at.tag, titled: w.at.titled, element: w.at.element, row: w.at.row}
		if w.links > 0 {
			b.href = w.href
		}
		if w.runes <= maxFurniture {
			b.clues = w.clues
			b.classify()
			if b.furniture && !b.control && b.links == 0 {
				b.cutNotice()
			}
		}
		w.blocks = append(w.blocks, b)
	}
	w.buf, w.runes, w.links, w.marks, w.clues, w.space = w.buf[:0], 0, 0, 0, 0, false
}

// classify says whether a block that is short enough is furniture, and why. It turns
// the clues of the text into those of the text in simplified characters.
func (b *block) classify() {
	simple, written := segment.Simplify(b.text), b.clues
	if simple != b.text {
		b.clues = cluesOf(simple)
	}
	b.furniture = isFurniture(simple, b.runes, b.clues)
	b.paired = !b.furniture && b.clues&pairClue != 0 && written&restClue != 0 && hasPair(b.text)
	b.control = !b.furniture && !b.paired && b.row == 0 && isControl(simple, b.runes, b.tag)
	b.furniture = b.furniture || b.paired || b.control
}

func (w *walker) countMedia(n *html.Node) {
	switch n.DataAtom {
	case atom.Video, atom.Audio, atom.Object, atom.Embed:
		w.media++
	case atom.Img:
		for _, key := range []string{"width", "height"} {
			if px, _ := strconv.Atoi(strings.TrimSuffix(attr(n, key), "px")); px >= 300 {
				w.media++
				return
			}
		}
	}
}

// hidden says whether a reader does not see the element, or sees no text of
// the page in it (what is inside a player is for browsers without one).
func hidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Textarea, atom.Select, atom.Button,
		atom.Iframe, atom.Object, atom.Video, atom.Audio, atom.Svg, atom.Math, atom.Nav, atom.Footer:
		return true
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "hidden":
			return true
		case "style":
			style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

// tagOf returns the tag of n, also of the elements that go-readability makes,
// which bear a name but no atom.
func tagOf(n *html.Node) atom.Atom {
	if n.DataAtom == 0 && n.Type == html.ElementNode {
		return atom.Lookup([]byte(n.Data))
	}
	return n.DataAtom
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.Html, atom.Body, atom.Div, atom.P, atom.Table, atom.Tbody, atom.Tr, atom.Td, atom.Th, atom.Ul, atom.Ol, atom.Li,
		atom.Dl, atom.Dt, atom.Dd, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Article, atom.Section, atom.Main,
		atom.Header, atom.Aside, atom.Blockquote, atom.Pre, atom.Form, atom.Center, atom.Fieldset, atom.Figure, atom.Figcaption,
		atom.Address, atom.Hr, atom.Option, atom.Caption, atom.Details, atom.Summary:
		return true
	}
	return false
}

const maxNameList = 200 // bytes of an attribute that are read for names

// namesOf says whether a part of the class or id of n is the name of a headline, and
// whether one is that of furniture. Parts end at spaces, hyphens and underscores.
func namesOf(n *html.Node) (headline, furniture bool) {
	for _, key := range []string{"class", "id"} {
		v := attr(n, key)
		if v == "" || len(v) > maxNameList {
			continue
		}
		v = strings.ToLower(v)
		from := 0
		for i := 0; i <= len(v); i++ {
			if i < len(v) && v[i] != ' ' && v[i] != '-' && v[i] != '_' {
				continue
			}
			part := v[from:i]
			headline = headline || strings.HasSuffix(part, "title") || part == "headline" || part == "biaoti" || part == "tit"
			furniture = furniture || namesFurniture(part)
			from = i + 1
		}
	}
	return headline, furniture
}

// holdsTextArea says whether an element has a field for a text of several lines.
func holdsTextArea(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.DataAtom == atom.Textarea {
			return true
		}
	}
	return false
}

// leastAnswers is how many answers a poll has.
const leastAnswers = 2

// isPoll says whether readers choose answers in a form.
func isPoll(n *html.Node) bool {
	answers := 0
	for d := range n.Descendants() {
		if d.DataAtom != atom.Input {
			continue
		}
		if t := attr(d, "type"); strings.EqualFold(t, "radio") || strings.EqualFold(t, "checkbox") {
			answers++
		}
	}
	return answers >= leastAnswers
}

func attr(n *html.Node, key string) string {
	value, _ := attribute(n, key)
	return value
}

func attribute(n *html.Node, key string) (value string, ok bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// tokenBlocks reads blocks from the token stream, for pages without a tree.
func tokenBlocks(text []byte) []block {
	w := &walker{layout: new(layout)}
	z := html.NewTokenizer(bytes.NewReader(text))
	skip := ""
	for len(w.blocks) < page.MaxElements {
		switch z.Next() {
		case html.ErrorToken:
			w.flush()
			return w.blocks
		case html.TextToken:
			if skip == "" {
				w.text(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			switch a := atom.Lookup(name); {
			case a == atom.Script, a == atom.Style, a == atom.Textarea, a == atom.Title, a == atom.Noscript, a == atom.Iframe:
				skip = string(name)
			case a == atom.A:
				w.anchor = 1
			case a == atom.Br, isBlock(a):
				w.flush()
				w.at.tag = a
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch a := atom.Lookup(name); {
			case string(name) == skip:
				skip = ""
			case a == atom.A:
				w.anchor = 0
			case isBlock(a):
				w.flush()
			}
		}
	}
	return w.blocks
}
