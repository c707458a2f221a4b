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
	var union []string
	for _, group := range byDepth(region, heads) {
		union = append(union, p.of(region)+p.down(region, group))
	}
	return strings.Join(union, " | ")
}

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
	var all [][]*html.Node
	step, count := "", 0
	for _, parent := range parents {
		s, same := siblings(parent, wanted[0].Data)
		if len(s) > len(step) {
			step = s
		}
		all = append(all, same)
		count += len(same)
	}
	if count == len(wanted) {
		return step
	}
	in := make(map[*html.Node]bool, len(wanted))
	for _, n := range wanted {
		in[n] = true
	}
	best, right := "", -1
	for _, c := range conditions(all, in) {
		agree := 0
		for _, same := range all {
			for i, n := range same {
				if c.holds(n, i, len(same)) == in[n] {
					agree++
				}
			}
		}
		if agree > right {
			best, right = c.text, agree
		}
		if agree == count {
			break
		}
	}
	if right < count && len(parents) == 1 && len(wanted) <= maxPositions {
		return step + positions(all[0], in)
	}
	return step + best
}

// maxPositions is how many elements are told one by one where nothing tells
// them from their siblings.
const maxPositions = 100

func positions(same []*html.Node, in map[*html.Node]bool) string {
	var at []string
	for i, n := range same {
		if in[n] {
			at = append(at, fmt.Sprintf("position()=%d", i+1))
		}
	}
	return "[" + strings.Join(at, " or ") + "]"
}

// condition is a predicate of a step.
type condition struct {
	text  string
	holds func(n *html.Node, i, of int) bool
}

// conditions returns what may tell the wanted elements from their siblings, the
// lasting first.
func conditions(all [][]*html.Node, in map[*html.Node]bool) []condition {
	var cs []condition
	var first, other *html.Node
	head, tail := -1, -1
	for _, same := range all {
		for i, n := range same {
			switch {
			case !in[n]:
				if other == nil {
					other = n
				}
				continue
			case first == nil:
				first = n
			}
			if head < 0 || i < head {
				head = i
			}
			if after := len(same) - 1 - i; tail < 0 || after < tail {
				tail = after
			}
		}
	}
	for _, c := range distinctFields(attr(first, "class")) {
		if !strings.ContainsAny(c, "'\"") {
			cs = append(cs, condition{"[" + hasClass(c) + "]", func(n *html.Node, _, _ int) bool { return withClass(n, c) }})
		}
	}
	for _, a := range first.Attr {
		if a.Key != "class" && a.Key != "style" && a.Namespace == "" && plainName(a.Key) {
			cs = append(cs, condition{"[@" + a.Key + "]", func(n *html.Node, _, _ int) bool { return hasAttr(n, a.Key) }})
		}
	}
	if other != nil {
		for _, c := range distinctFields(attr(other, "class")) {
			if !strings.ContainsAny(c, "'\"") {
				cs = append(cs, condition{"[not(" + hasClass(c) + ")]", func(n *html.Node, _, _ int) bool { return !withClass(n, c) }})
			}
		}
	}
	if first.Data == "tr" {
		cells := math.MaxInt
		for n := range in {
			cells = min(cells, childrenOf(n, "td"))
		}
		if cells > 0 {
			cs = append(cs, condition{fmt.Sprintf("[td[%d]]", cells), func(n *html.Node, _, _ int) bool { return childrenOf(n, "td") >= cells }})
		}
	}
	for _, tag := range []string{"a", "img", "h2", "h3", "h4", "p", "div", "span"} {
		cs = append(cs, condition{"[.//" + tag + "]", func(n *html.Node, _, _ int) bool { return find(n, tag) != nil }})
	}
	// No last(): htmlquery counts what the predicates before it leave out.
	after := fmt.Sprintf("[following-sibling::%s[%d]]", first.Data, max(tail, 1))
	isAfter := func(_ *html.Node, i, of int) bool { return i < of-max(tail, 1) }
	cs = append(cs,
		condition{fmt.Sprintf("[position()>%d]", head), func(_ *html.Node, i, _ int) bool { return i >= head }},
		condition{after, isAfter},
		condition{fmt.Sprintf("[position()>%d]", head) + after, func(n *html.Node, i, of int) bool { return i >= head && isAfter(n, i, of) }},
	)
	for _, tag := range []string{"th", "td", "a", "img", "h2", "h3", "p", "ul", "table"} {
		cs = append(cs, condition{"[not(.//" + tag + ")]", func(n *html.Node, _, _ int) bool { return find(n, tag) == nil }})
	}
	// Two together, the one of positions first: it counts all siblings.
	for i, a := range cs[:min(len(cs), maxPaired)] {
		for _, b := range cs[i+1:] {
			if strings.HasPrefix(b.text, "[position()") {
				a, b = b, a
			}
			cs = append(cs, condition{a.text + b.text, func(n *html.Node, i, of int) bool { return a.holds(n, i, of) && b.holds(n, i, of) }})
			if len(cs) > maxConditions {
				return cs
			}
		}
	}
	return cs
}

const (
	maxPaired     = 12
	maxConditions = 200
)

// childrenOf counts the children of an element that have a tag.
func childrenOf(n *html.Node, tag string) (count int) {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && c.Data == tag {
			count++
		}
	}
	return count
}

func hasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}
