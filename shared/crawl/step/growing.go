package step

import (
	"net/url"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/web/page"
)

// A list may grow when a button is pressed or its end comes into view. A structured crawl
// needs all of it.

// asksForMore returns what tells lists that may grow from other pages; nil if the crawl
// gathers no records.
func (r *run) asksForMore(v *visit) func(markup []byte) (button string) {
	if !r.plan.Structured {
		return nil
	}
	return func(markup []byte) string {
		tree, err := page.Tree(markup)
		if err != nil {
			return ""
		}
		pages := paginationOf(tree, v.link.URL)
		if pages != nil && (pages.Next != "" || len(pages.Pages) > 0) || len(structure.Analyze(tree, pages).Lists) == 0 {
			return ""
		}
		return structure.MoreLabel
	}
}

// grows reports whether a page of a static layer says, as it was fetched, that scripts add to
// its list, and a browser may show it and has not: the layer may be static for want of such
// pages. Without a browser, what is sent of the list is read.
func (r *run) grows(v *visit, tree *html.Node) bool {
	note := v.trace.Rendering
	if !r.plan.Structured || note == nil || note.Kind != Static || v.shown != nil || note.Error != "" || tree == nil {
		return false
	}
	pages := paginationOf(tree, v.link.URL)
	if pages == nil || !pages.Scripted {
		return false
	}
	if r.ports.Browser == nil {
		note.Error = "its list may go on, and there is no browser"
	}
	return r.ports.Browser != nil
}

func paginationOf(tree *html.Node, address string) *structure.Pagination {
	at, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return structure.FindPagination(tree, at, field.BaseOf(tree, at))
}

// longer reports whether the main list of a page has more records than before.
func longer(shown *Shown) bool {
	if shown.More == nil {
		return false
	}
	records := func(markup []byte) int {
		tree, err := page.Tree(markup)
		if err != nil {
			return 0
		}
		if lists := structure.Analyze(tree, nil).Lists; len(lists) > 0 {
			return len(lists[0].Records)
		}
		return 0
	}
	return records(shown.More) > records(shown.HTML)
}
