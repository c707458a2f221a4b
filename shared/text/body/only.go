package body

import (
	"fmt"

	"sluice/shared/text/segment"
)

// ErrFurniture reports a page that has furniture where a text would stand: who
// edited it, whose copyright it is, where to share it, what else to read, and
// nothing besides. It wraps ErrNoText, which a page has whose frame alone is
// there: navigation, the source and date below the headline, and what is in
// containers that are named like a footer.
var ErrFurniture = fmt.Errorf("nothing but furniture: %w", ErrNoText)

// furnished says whether the blocks of a page without text hold the furniture of
// one: more lines of it than there are titles of other pages. A list of links
// has a line of copyright, too.
func furnished(blocks []block) bool {
	lines, titles := 0, 0
	items := false // of a list that belongs to the furniture
	for i := range blocks {
		b := &blocks[i]
		heading := b.furniture && hasStart(segment.Simplify(b.text), listStarts)
		switch {
		case b.aside:
		case b.linked():
			if items = items || heading; b.mayBeTitle() && !items {
				titles++
			}
		case b.credit() && editorRole.MatchString(b.text), b.furniture:
			lines++
			items = heading
		default:
			items = false
		}
	}
	return lines > titles
}

// listStarts begin the headings of lists of other pages.
var listStarts = []string{"相关", "热点", "热门", "推荐", "延伸", "猜你"}
