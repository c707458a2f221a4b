// Package neardup finds the documents of a corpus that repeat others, across
// pages, sites and crawls, and says which of them to keep (METHOD A13).
//
// It runs over a finished corpus, never during a crawl: there, a page that is
// delivered twice would be a copy of itself. It reads the corpus once, and part
// of it a second time, and holds 64 bytes a document meanwhile. The result
// depends on the documents alone, not on their order.
//
// # What a copy is
//
// Texts are compared in the form that Normalise returns. Documents with one
// normalised text are exact copies, of any length. Texts of 50 characters and
// more can be near copies, and one can be contained in another.
//
// Similarity does not distinguish copies from look-alikes. Two reports of two
// days' weather are the same in 80 %, while a copy with every tenth character
// changed shares less than half of the shingles. So candidates are found by a
// loose measure, and then aligned character by character. They must have in
// common one stretch that is two thirds of either (copies, with other headers
// and footers), or four fifths of one (contained). The differences within it
// decide:
//
//   - Numbers that became other numbers are facts: no copies. A number that lost
//     a digit counts as such only if half of the changes are of that kind.
//   - Single characters here and there, as by chance, are errors of writing,
//     reading or decoding: copies, up to 40 % of the characters. One word changed
//     for the same other twice is not chance.
//   - Neighbours that changed places, characters or words, do not count at all.
//   - Rewording replaces words of every kind; a form is filled with facts alone.
//     So changed words show a copy, up to 30 % of the characters, if 30 % of them
//     and at least two are of the wording: function words, words that occur
//     elsewhere in the text that both share, or clauses that one text alone has.
//     If three different numbers are unchanged, and none became another, one is
//     enough.
//   - Whole passages far from each other, a third of them of the wording, or any
//     changes in a long text, are the work of an editor: copies, up to 15 %.
//   - Otherwise up to 2 % is a copy if no word was changed for another, or if one
//     was and the texts have other frames, or five different numbers are
//     unchanged; other facts are no copy.
//
// # How candidates are found
//
// Shingles are five Chinese characters, or ten letters. The smallest hashes of
// a text's shingles are its sketch: a 32nd of all, at least 48. All sketches
// are sorted by hash, in runs on disk if necessary, and texts that share three
// hashes and a sixteenth of the smaller sketch are candidates. Texts with every
// fifth character changed share 20 %, and half of two joined texts is found as
// well. If more than eight texts have a hash, they are paired with the first
// four alone, so that the work is linear for any corpus.
//
// # Which documents are kept
//
// See Result. Of copies the longest is kept; of those that are at most 5 %
// shorter the one on the site that it names as its source, then the earlier. A
// text that is contained in another is not kept.
//
// # What it costs
//
// Memory is 64 bytes a document, 64 MB for sorting and 64 MB for texts. On disk
// are 8 bytes for each hash of a sketch, and for each pair of texts that share
// it: 0.9 GB per million articles of 700 characters.
package neardup
