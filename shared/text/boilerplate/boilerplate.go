// Package boilerplate learns which lines of a host's main texts are the site's
// and not the article's, and removes them: copyright and ICP lines, share bars,
// subscription notes, headings of lists (METHOD A13: lines that recur across
// pages and were not removed from the main text before).
//
// What is learned about a host is a function of the set of its pages: their
// order and repetitions make no difference. It is kept as a Sketch, a sample of
// bounded size.
//
// Precision matters more than recall: a missed line costs a line, while a
// removed line of content is lost. So a line is the site's only if all of this
// holds:
//
//   - It is on many of the sampled pages, and these differ in the text around it.
//     Copies of an article do not make its text recur.
//   - It is at the head or the tail of the text: between it and the end are only
//     other lines of the site's. A refrain, "(applause)", "Q:", "Abstract", or the
//     names in a table recur inside the text. Only a long line on half of all pages,
//     and prose on nearly all, is the site's in any place.
//   - A short line at the head must be next to a long line of the site's: "Today's
//     news" is a heading. A short sentence below the text belongs to it: "Thank you
//     all." ends speeches, and "It is so announced." announcements.
//   - Prose needs more: nearly all pages of its sections must have it. A
//     disclaimer is part of a template, while a sentence that ends every third
//     article was written by its author.
//   - The line is the same. Lines that differ in a number are different lines: a
//     share index or a weather report consists of such.
package boilerplate

// Page is a document as it was extracted, nothing removed.
type Page struct {
	URL   string // final, canonical: the page's identity
	Title string
	Text  string // paragraphs end with "\n"
}

// Bounds of a sketch.
const (
	maxPages = 64 // those with the smallest hashes of their URLs
	headSize = 12 // lines of a longer text from its head
	tailSize = 24 // and from its tail
)

// MaxEncoded is the size that an encoded sketch never exceeds, in bytes. One of
// short news has a third of that.
const MaxEncoded = 2 + maxPages*(8+2*hashBytes+2+(headSize+tailSize)*(hashBytes+1))
