package structure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// records returns a path of the first elements of records in a region.
func (p *paths) records(region *html.Node, heads []*html.Node) string {
	groups := byDepth(region, heads)
	slices.SortStableFunc(groups, func(a, b []*html.Node) int { return len(b) - len(a) })
	start := p.of(region)
	var union []string
	for _, group := range groups[:min(len(groups), maxUnion)] {
		union = append(union, start+p.down(region, group))
	}
	path := strings.Join(union, " | ")
	if len(groups) > 1 || strings.Contains(path[len(start):], "position()") {
		if tail := p.tail(region, heads); tail != "" {
			return start + tail
		}
	}
	return path
}

// tail returns steps that lead from any depth of the region to exactly these
// elements, by their own names and those of the elements above them; "" if there
// are none.
func (p *paths) tail(region *html.Node, heads []*html.Node) string {
	level, steps := heads, ""
	for range 4 {
		step := p.common(level)
		if step == "" {
			return ""
		}
		steps = "/" + step + steps
		path, err := ParsePath("/" + steps)
		if err != nil || path.places {
			return ""
		}
		if slices.Equal(path.Select(region), heads) {
			return "/" + steps
		}
		above := make([]*html.Node, 0, len(level))
		for _, n := range level {
			if n.Parent == region || n.Parent == nil {
				return ""
			}
			above = append(above, n.Parent)
		}
		level = above
	}
	return ""
}

// common is the node test for elements of one tag, with a class that all of
// them have. It does not name parts of tables.
func (p *paths) common(level []*html.Node) string {
	first := level[0]
	for _, n := range level {
		if n.Data != first.Data || n.Data == "tbody" || !PlainName(n.Data) {
			return ""
		}
	}
	for _, c := range distinctFields(Attr(first, "class")) {
		if lasting(c) && !slices.ContainsFunc(level, func(n *html.Node) bool { return !withClass(n, c) }) {
			return first.Data + "[" + hasClass(c) + "]"
		}
	}
	return first.Data
}

// maxUnion is how many depths the records of a list may be at.
const maxUnion = 6

// byDepth divides elements by the tags on their way up to the region.
func byDepth(region *html.Node, heads []*html.Node) [][]*html.Node {
	var groups [][]*html.Node
	places := make(map[string]int)
	for _, n := range heads {
		var way strings.Builder
		for a := n; a != region && a != nil; a = rowsParent(a) {
			way.WriteString(a.Data + "/")
		}
		i, known := places[way.String()]
		if !known {
			i = len(groups)
			places[way.String()] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], n)
	}
	return groups
}

// down returns the steps from the region to elements of one depth.
func (p *paths) down(region *html.Node, heads []*html.Node) string {
	levels := [][]*html.Node{heads}
	for levels[0][0] != region {
		var above []*html.Node
		for _, n := range levels[0] {
			if a := rowsParent(n); a != nil && (len(above) == 0 || above[len(above)-1] != a) {
				above = append(above, a)
			}
		}
		if len(above) == 0 {
			return ""
		}
		levels = slices.Insert(levels, 0, above)
	}
	steps := ""
	for i := 1; i < len(levels); i++ {
		steps += stepTo(levels[i-1], levels[i])
	}
	return steps
}

// stepTo leads from parents to those of their children that are wanted.
func stepTo(parents, wanted []*html.Node) string {
	var all []place
	step := ""
	for _, parent := range parents {
		s, same := siblings(parent, wanted[0].Data)
		if len(s) > len(step) {
			step = s
		}
		for i, n := range same {
			all = append(all, place{n, i, len(same)})
		}
	}
	if len(all) == len(wanted) {
		return step
	}
	in := make(map[*html.Node]bool, len(wanted))
	for _, n := range wanted {
		in[n] = true
	}
	best, exact := choose(conditions(all, in), all, in)
	if !exact && len(parents) == 1 && len(wanted) <= maxPositions {
		return step + positions(all, in)
	}
	return step + best
}

// choose returns the first condition, or two of them together, that holds for
// exactly the wanted elements; else the one that errs least.
func choose(cs []condition, all []place, in map[*html.Node]bool) (text string, exact bool) {
	holds := make([][]bool, len(cs))
	right := -1
	try := func(t string, on []bool, and []bool) bool {
		agree := 0
		for i, p := range all {
			if (on[i] && (and == nil || and[i])) == in[p.node] {
				agree++
			}
		}
		if agree > right {
			text, right = t, agree
		}
		return agree == len(all)
	}
	for k, c := range cs {
		holds[k] = make([]bool, len(all))
		for i, p := range all {
			holds[k][i] = c.holds(p)
		}
		if try(c.text, holds[k], nil) {
			return text, true
		}
	}
	for i := range cs {
		for j := range i {
			a, b := j, i
			if strings.HasPrefix(cs[b].text, "[position()") { // it counts all siblings
				a, b = b, a
			}
			if try(cs[a].text+cs[b].text, holds[a], holds[b]) {
				return text, true
			}
		}
	}
	return text, false
}

// maxPositions is how many elements are named one by one where nothing tells
// them from their siblings.
const maxPositions = 40

func positions(all []place, in map[*html.Node]bool) string {
	var at []string
	for _, p := range all {
		if in[p.node] {
			at = append(at, fmt.Sprintf("position()=%d", p.at+1))
		}
	}
	return "[" + strings.Join(at, " or ") + "]"
}

// place is an element among its siblings of one tag.
type place struct {
	node   *html.Node
	at, of int
}

// condition is a predicate of a step.
type condition struct {
	text  string
	holds func(place) bool
}

// conditions returns what may tell the wanted elements from their siblings, the
// lasting first.
func conditions(all []place, in map[*html.Node]bool) []condition {
	var cs []condition
	var first, other *html.Node
	head, tail := -1, -1
	for _, p := range all {
		if !in[p.node] {
			if other == nil {
				other = p.node
			}
			continue
		}
		if first == nil {
			first = p.node
		}
		if head < 0 || p.at < head {
			head = p.at
		}
		if after := p.of - 1 - p.at; tail < 0 || after < tail {
			tail = after
		}
	}
	for _, c := range distinctFields(Attr(first, "class")) {
		if !strings.ContainsAny(c, "'\"") {
			cs = append(cs, condition{"[" + hasClass(c) + "]", func(p place) bool { return withClass(p.node, c) }})
		}
	}
	for _, a := range first.Attr {
		if a.Key != "class" && a.Key != "style" && a.Namespace == "" && PlainName(a.Key) {
			cs = append(cs, condition{"[@" + a.Key + "]", func(p place) bool { return HasAttr(p.node, a.Key) }})
		}
	}
	if other != nil {
		for _, c := range distinctFields(Attr(other, "class")) {
			if !strings.ContainsAny(c, "'\"") {
				cs = append(cs, condition{"[not(" + hasClass(c) + ")]", func(p place) bool { return !withClass(p.node, c) }})
			}
		}
	}
	if first.Data == "tr" {
		cells := math.MaxInt
		for n := range in {
			cells = min(cells, childrenOf(n, "td"))
		}
		if cells > 0 {
			cs = append(cs, condition{fmt.Sprintf("[td[%d]]", cells), func(p place) bool { return childrenOf(p.node, "td") >= cells }})
		}
	}
	for _, tag := range []string{"a", "img", "h2", "h3", "h4", "p", "div", "span"} {
		cs = append(cs, condition{"[.//" + tag + "]", func(p place) bool { return find(p.node, tag) != nil }})
	}
	// No last(): htmlquery counts what the predicates before it leave out.
	after := fmt.Sprintf("[following-sibling::%s[%d]]", first.Data, max(tail, 1))
	isAfter := func(p place) bool { return p.at < p.of-max(tail, 1) }
	cs = append(cs,
		condition{fmt.Sprintf("[position()>%d]", head), func(p place) bool { return p.at >= head }},
		condition{after, isAfter},
		condition{fmt.Sprintf("[position()>%d]", head) + after, func(p place) bool { return p.at >= head && isAfter(p) }},
	)
	for _, tag := range []string{"th", "td", "a", "img", "h2", "h3", "p", "ul", "table"} {
		cs = append(cs, condition{"[not(.//" + tag + ")]", func(p place) bool { return find(p.node, tag) == nil }})
	}
	return cs
}

// childrenOf counts the children of an element that have a tag.
func childrenOf(n *html.Node, tag string) (count int) {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && c.Data == tag {
			count++
		}
	}
	return count
}
