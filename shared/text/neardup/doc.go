// Package neardup finds the documents of a corpus that repeat others, across
// pages, sites and crawls, and says which one of them stays (METHOD A13).
//
// It runs over a corpus that stands, never while one is crawled: there, a page
// that is delivered twice would be a copy of itself. The corpus is read once,
// and once more in part; what is held meanwhile is 64 bytes a document. What it
// finds depends on the documents alone, not on their order.
//
// # What a copy is
//
// Texts are compared as Normalise leaves them. Documents with one normalised
// text are exact copies, however short they are. Texts of 50 characters and more
// can be near copies, and one can be contained in another.
//
// Similarity does not tell copies from look-alikes. Of two reports of two days'
// weather 80 % is the same, and of a copy with every tenth character changed
// less than half the shingles are. So candidates are found by a loose measure,
// and then aligned character by character. Common to them has to be one stretch
// that is two thirds of either (copies, with other headers and footers), or four
// fifths of one (contained). What is different within it decides:
//
//   - Numbers that became other numbers are facts: no copies. A number that lost
//     a digit is taken for one only where half of the changes are of that sort.
//   - Single characters here and there, as chance strikes them, are errors of
//     writing, reading or decoding: copies, up to 40 % of the characters. One
//     word changed for the same other twice is no chance.
//   - Neighbours that changed places, characters or words, are no change at all.
//   - Words are replaced, whatever they are, by whoever rewords a text; a form is
//     filled with nothing but facts. So words that were changed tell a copy, up
//     to 30 % of the characters, if 30 % of them and at least two are of the
//     wording: function words, words that stand elsewhere in what both texts
//     share, or clauses that one text alone has. Where three different numbers
//     stayed, and none became another, one is enough.
//   - Whole passages far from each other, a third of them of the wording, or anything
//     in a long text, are the work of an editor: copies, up to 15 %.
//   - Else up to 2 % is a copy if no word was changed for another, or one and the
//     texts have other frames, or five different numbers stayed; other facts are no
//     copy.
//
// # How candidates are found
//
// Shingles are five Chinese characters, or ten letters. The smallest hashes of
// those of a text are its sketch: a 32nd of all, at least 48. All sketches are
// sorted by hash, in runs on disk if need be, and texts that share three hashes
// and a sixteenth of the smaller sketch are candidates. Texts with every fifth
// character changed share 20 %, and half of two texts joined is found as well.
// A hash that more than eight texts have leads them to the first four alone, so
// that the work is linear, whatever the corpus.
//
// # What stays
//
// See Result. Of copies the longest stays; of those that are at most 5 % shorter
// the one on the site that it names as its source, then the earlier. A text that
// is contained in another goes.
//
// # What it costs
//
// Memory is 64 bytes a document, 64 MB for sorting and 64 MB for texts. On disk
// are 8 bytes for each hash of a sketch, and for each pair of texts that share
// it: 0.9 GB per million articles of 700 characters.
package neardup
