// Package page reads fetched bytes: charset, head, links and a digest of the
// text (METHOD A1, A8, A11), and sources of links other than pages: sitemaps,
// feeds and lists of URLs.
//
// A page is parsed once: its tree gives the head, the links and, in package
// text/body, the main text. A page that is too deep or too dense for a tree is
// read as a stream of tokens, so that time and memory stay linear in the size
// of any input.
package page

import (
	"errors"

	"golang.org/x/net/html"

	"sluice/shared/fault"
	"sluice/shared/web/optout"
	"sluice/shared/web/urlnorm"
)

// Limits of the data that Parse keeps of one page.
const (
	maxLinks    = 5000    // distinct URLs
	maxAnchor   = 200     // runes of an anchor text
	maxAround   = 60      // runes of a context, before the anchor and behind it
	maxVisible  = 1 << 20 // runes of a page that contexts are taken from
	MaxSample   = 1500    // runes of the sample
	maxRefs     = 20000
	maxFeeds    = 20
	maxHref     = 8 << 10 // bytes
	maxTitle    = 500     // runes
	maxMeta     = 2000    // runes of a description
	maxKeywords = 100
	maxKeyword  = 60  // runes
	maxMetas    = 100 // elements of one name that add up
)

// errNotText reports a body that is not UTF-8 text: binary data under a text
// content type, or bytes that were not decoded first. It is permanent.
var errNotText error = fault.New(fault.Permanent, "not_text", errors.New("body is not text"))

// Page is the content of a page, with its links. All texts are UTF-8 with
// entities decoded and white space folded to single spaces.
type Page struct {
	Title       string             // <title>, else og:title
	Description string             // <meta name=description>, else og:description
	Keywords    []string           // <meta name=keywords>, in order, no repetitions
	Lang        string             // language tag as written in the page, "" if none
	Charset     string             // as Decode named it
	MetaRobots  []string           // directives of <meta name=robots|sluice>, as optout.Directives returns them
	MetaTDM     optout.Reservation // of <meta name=tdm-reservation> and tdm-policy
	MetaUsage   string             // of <meta http-equiv=Content-Signal> and Content-Usage, as optout.Usage returns it
	Canonical   string             // target of rel=canonical, resolved, or ""
	Links       []Link             // in the order of their first appearance, one per URL
	Feeds       []urlnorm.URL      // of <link rel=alternate>: RSS and Atom
	Beyond      int                // links beyond maxLinks, which are not in Links
	Sample      string             // the first MaxSample runes of visible text outside of links, to detect its language
	TextLen     int                // runes of visible text, white space not counted
	Media       int                // players (video, audio, object, embed, player frames) and pictures at least 300 px wide or high by their attributes
	Digest      uint64             // xxh3 of title and visible text: equal for one page under many URLs
	Refresh     string             // target of a meta refresh, resolved, or ""

	// Tree is the parsed page, for one reader, which may change it and then
	// sets it to nil; nil if it could not be built.
	Tree *html.Node
}

// Link is one outgoing URL. Several anchors to it are merged: the longest text
// is kept, since it says most about the target.
type Link struct {
	URL urlnorm.URL
	// Anchor is the text of the anchor, at most maxAnchor runes; or the title
	// attribute, if the text is a shortened form of it; or, without text, the
	// alt or title of the image, then the title of the link.
	Anchor string
	// Beside are the short texts with digits in the same row of a list, a line each: the
	// date mostly.
	Beside string
	// Context is the visible text before and behind that anchor, up to maxAround
	// runes of each, other anchors included. Only ReadContexts sets it.
	Context string
	// NoFollow says that every anchor to the URL had rel=nofollow.
	NoFollow bool
}
