package field

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// Page is a page, or one record of a list, that fields are looked for in.
type Page struct {
	Root *html.Node   // the document, or the first element of a record
	Rest []*html.Node // the other elements of a record: siblings behind the first
	Base *url.URL     // what addresses are relative to; nil: they are not resolved
	Link string       // where a record leads, see structure.RecordLinks; "" if unknown

	// Repeats are elements whose texts are not looked at: the records of a list behind
	// those that tell what its records have.
	Repeats map[*html.Node]bool

	withOthers bool // prices of other products count, see ofOther
}

// cell is a text of a page.
type cell struct {
	node    *html.Node
	text    string
	display string // as XPath's normalize-space has it
}

// span are the cells of an element, from the first up to the last.
type span struct{ first, end int }

func (s span) len() int { return s.end - s.first }

// sheet is a page, read once for all fields.
type sheet struct {
	Page
	cells    []cell
	running  int // the first cell that is running text
	spans    map[*html.Node]span
	first    map[string]*html.Node // first element by tag, tag and class, tag and text: see name… in path.go
	times    map[string]int        // how often there is one of first
	ids      map[string]int        // elements by id
	images   []*html.Node
	anchors  []*html.Node
	tagged   []*html.Node // elements with itemprop
	metas    []*html.Node
	titles   []string // of the page, from <title> and og:title, as Fold has them
	site     string   // what the site is called
	host     string   // of the page, as Fold has it, without www
	data     []property
	struck   map[*html.Node]bool // elements with an old price, see isStruck
	hidden   map[*html.Node]bool // elements that are not shown at first
	beside   map[*html.Node]bool // elements of menus and the like, and buttons
	repeats  map[string]int      // of texts, by nameOfText
	isRecord bool

	furniture map[string]bool        // see isFurniture
	tables    map[*html.Node][]*cell // see heads
	found     map[string]*cell       // see firstOf
	captions  map[*html.Node]bool    // see captioned
	all       []spot                 // see spots
	steps     map[*html.Node]toNode  // see stepTo
}

// maxCells bounds the texts of a page that are looked at.
const maxCells = 20_000

// minRunning is the length of a text that only runs, in bytes.
const minRunning = 120

func read(p Page) *sheet {
	s := &sheet{
		Page: p, spans: map[*html.Node]span{}, first: map[string]*html.Node{}, times: map[string]int{}, ids: map[string]int{}, struck: map[*html.Node]bool{}, hidden: map[*html.Node]bool{}, beside: map[*html.Node]bool{}, repeats: map[string]int{}, steps: map[*html.Node]toNode{}, found: map[string]*cell{}, captions: map[*html.Node]bool{}, tables: map[*html.Node][]*cell{}, furniture: map[string]bool{},
		isRecord: p.Root.Type == html.ElementNode && p.Root.Data != "html" && p.Root.Data != "body",
	}
	if p.Base != nil {
		s.host = template.Fold(strings.TrimPrefix(p.Base.Hostname(), "www."))
	}
	s.walk(p.Root, state{})
	for _, n := range p.Rest {
		s.walk(n, state{})
	}
	s.running = len(s.cells)
	for i := range s.cells {
		c := &s.cells[i]
		if len(c.text) >= minRunning && c.node.Parent.Data != "a" && c.node.Parent.Data != "title" {
			s.running = min(s.running, i)
		}
		name := nameOfText(c.node.Parent, c.display)
		s.repeats[name]++
		s.once(name, c.node.Parent)
		s.once(nameOfText(nil, c.display), c.node)
	}
	return s
}

// isTop reports whether a node is the page or an element of the record.
func (s *sheet) isTop(n *html.Node) bool { return n == s.Root || slices.Contains(s.Rest, n) }

func (s *sheet) once(name string, n *html.Node) {
	if s.times[name]++; s.times[name] == 1 {
		s.first[name] = n
	}
}

// state is what an element passes on to those below it.
type state struct{ struck, hidden, beside, repeats bool }

func (s *sheet) walk(n *html.Node, st state) {
	switch n.Type {
	case html.TextNode:
		if st.repeats {
			return
		}
		if text := fold(n.Data); text != "" && len(s.cells) < maxCells {
			s.cells = append(s.cells, cell{n, text, normalize(n.Data)})
		}
		return
	case html.ElementNode:
		if n.Data == "head" || n.Data == "title" || n.Data == "script" {
			s.head(n)
		} else if unread[n.Data] {
			return
		}
		st.repeats = st.repeats || s.Repeats[n]
		if s.index(n, &st); st.struck {
			s.struck[n] = true
		}
		if st.hidden {
			s.hidden[n] = true
		}
		if st.beside {
			s.beside[n] = true
		}
	case html.DocumentNode:
	default:
		return
	}
	begin := len(s.cells)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if n.Type != html.ElementNode || !unread[n.Data] || c.Type == html.ElementNode {
			s.walk(c, st)
		}
	}
	s.spans[n] = span{begin, len(s.cells)}
}

// head reads what a page says of itself outside of its text.
func (s *sheet) head(n *html.Node) {
	thing := len(s.data)
	switch {
	case n.Data == "title" && n.FirstChild != nil:
		s.titles = append(s.titles, template.Fold(n.FirstChild.Data))
	case n.Data == "script" && n.FirstChild != nil && strings.Contains(structure.Attr(n, "type"), "ld+json"):
		for _, p := range readJSON(n.FirstChild.Data) {
			p.thing += thing
			s.data = append(s.data, p)
		}
	}
}

// index notes an element, and how its text is shown.
func (s *sheet) index(n *html.Node, st *state) {
	s.once(n.Data, n)
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "id":
			s.ids[a.Val]++
			st.beside = st.beside || s.isFurniture(a.Val)
		case "class":
			st.beside = st.beside || s.isFurniture(a.Val)
			for class := range strings.FieldsSeq(a.Val) {
				s.once(nameOfClass(n.Data, class), n)
			}
		case "style":
			style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			st.hidden = st.hidden || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
		case "hidden":
			st.hidden = true
		case "itemprop":
			s.tagged = append(s.tagged, n)
			s.once(nameOfProperty("itemprop", a.Val), n)
		case "rel":
			if n.Data == "link" {
				s.once(nameOfProperty("rel", a.Val), n)
			}
		case "property", "name":
			if n.Data == "meta" {
				s.once(nameOfProperty(a.Key, a.Val), n)
			}
		}
	}
	st.struck = st.struck || isStruck(n)
	switch n.Data {
	case "img":
		s.images = append(s.images, n)
	case "a":
		s.anchors = append(s.anchors, n)
	case "meta":
		s.metas = append(s.metas, n)
		switch structure.Attr(n, "property") {
		case "og:title":
			s.titles = append(s.titles, template.Fold(structure.Attr(n, "content")))
		case "og:site_name":
			s.site = template.Fold(structure.Attr(n, "content"))
		}
	case "nav", "footer", "button":
		st.beside = true
	}
}

// furniture are the names of what is on all pages of a site, and of buttons.
var furniture = regexp.MustCompile(`(?i:(^|[-_ ])(nav|footer|foot|topbar|sidebar|btn|button|crumbs?|breadcrumbs?|copyright)([-_ ]|$)|^footer)|[a-z](Nav|Footer|Btn|Button)([A-Z]|[-_ ]|$)|^(nav|foot)[A-Z]`)

// isFurniture reports whether a class or id is that of furniture. A page has few of them,
// many times.
func (s *sheet) isFurniture(name string) bool {
	is, known := s.furniture[name]
	if !known {
		is = furniture.MatchString(name)
		s.furniture[name] = is
	}
	return is
}

// normalize is XPath's normalize-space.
func normalize(text string) string {
	return strings.Join(strings.FieldsFunc(text, isSpace), " ")
}
