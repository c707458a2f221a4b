// Package boilerplate learns which lines of a host's main texts are the site's
// and not the article's, and removes them: copyright and ICP lines, share bars,
// subscription notes, headings of lists (METHOD A13: after the text of a page
// was cut out of its furniture, what is left of that recurs across pages).
//
// What is learned of a host is a function of the set of its pages alone: their
// order, and how often one came, make no difference. It is kept as a Sketch, a
// sample of bounded size that any number of processes can build in parts and
// merge.
//
// Precision goes before recall, as a line that stays costs a line, while a line
// of content that goes is lost. So a line is the site's only where all of this
// holds:
//
//   - It stands on many of the sampled pages, and these are different: of other
//     titles, of other addresses (the pages of one gallery are one) and with
//     other text around it. Copies of an article do not make its text recur.
//   - It stands at the head or the tail of the text, nearly always, and is cut
//     off from it: between it and the end are no sentences but other lines of
//     the site's. A refrain, "(applause)", "Q:", "Abstract", or the names in a
//     table recur inside the text. Only a long line that half of all pages have,
//     and prose that nearly all have, is the site's wherever it stands.
//   - A short line needs more: at the head it has to stand directly beside a
//     long line of the site's ("Today's news" is a heading), at the tail beside
//     one or at the very end. A short sentence next to the text stays with it:
//     "Thank you all." ends speeches, and "It is so announced." announcements.
//   - Prose needs more, too: nearly all pages of the sections it is at home in
//     have to have it. A disclaimer is part of a template, while a sentence that
//     ends every third article was put there by its writer.
//   - Fewer pages are enough where they are all that a section has, if the line is
//     long and stands below a text of their own: the credits of a column.
//   - The line is the same. Lines that differ in a number are different lines:
//     a share index or a weather report is made of such.
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
const MaxEncoded = 2 + maxPages*(8+4*hashBytes+2+(headSize+tailSize)*(hashBytes+1))
