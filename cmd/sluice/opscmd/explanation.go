package opscmd

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sluice/cmd/sluice/cli"
	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/state/ledger"
	"sluice/shared/structure"
	"sluice/shared/topic"
)

// fates puts verdicts and states into words.
var fates = map[string]string{
	"kept":       "fetched and kept: it is in the corpus",
	"passed":     "fetched, off topic: only its links were read",
	"rejected":   "fetched or tried, not kept",
	"redirected": "fetched; it redirects",
	"source":     "fetched, a sitemap or feed: read for its links",
	"skipped":    "never fetched",
	"dead":       "abandoned",
	"forgotten":  "removed by sluice forget, or redirects to a removed page",
	"dropped":    "seen as a link and skipped",
	"waiting":    "waits to be fetched",
	"queued":     "queued to be fetched",
	"leased":     "being fetched, or was when the crawl ended",
	unseen:       "never seen",
}

// field prints a name and what it is; values may come from the web.
func field(w *bytes.Buffer, name, format string, args ...any) {
	fmt.Fprintf(w, "  %-13s %s\n", name, cli.Clean(fmt.Sprintf(format, args...)))
}

// explanationPage is the page of an explanation, for people.
func explanationPage(w *bytes.Buffer, x *console.Explanation) {
	fate := fates[x.Fate]
	if x.Fate == "waiting" && x.Rule != "" {
		fate = "waits to be fetched, but its host is closed"
	}
	fmt.Fprintf(w, "%s\n%s\n", cli.Clean(x.URL), fate)
	if x.Rule != "" {
		field(w, "rule", "%s", ruleInWords(x.Rule))
	}
	if x.Entry != nil && x.Entry.Change == ledger.Unreached {
		field(w, "document", "stays in the corpus: the page could not be fetched this time")
	}
	if x.Failures > 0 {
		field(w, "host", "cannot be reached: %s failed in a row", cli.Count(int64(x.Failures), "attempt"))
		if x.Cause != "" {
			field(w, "", "%s", x.Cause)
		}
	}
	if x.DeadReason != "" {
		field(w, "dead letter", "%s", x.DeadReason)
	}
	if x.Trace != nil {
		printTrace(w, x.Trace)
	}
	if x.Link != nil {
		printLink(w, x)
	}
	if x.Entry != nil {
		printEntry(w, x.Entry)
	}
	printPast(w, x.Past)
	if x.Robots != nil {
		printRobots(w, x.Robots)
	}
}

// printTrace says what the page was like.
func printTrace(w *bytes.Buffer, t *step.Trace) {
	if t.Detail != "" {
		field(w, "detail", "%s", t.Detail)
	}
	if t.Status != 0 {
		field(w, "status", "%d", t.Status)
	}
	if t.Target != "" {
		field(w, "redirects to", "%s", t.Target)
	}
	if t.Title != "" {
		field(w, "title", "%s (%s)", t.Title, t.Charset)
	}
	if t.Rendering != nil {
		printRendering(w, t.Rendering)
	}
	if t.Layer != "" {
		field(w, "layer", "%s", t.Layer)
	}
	if t.Relevance != nil {
		printRelevance(w, "relevance", "the description", t.Relevance, t.Threshold)
	}
	if t.Body != nil {
		printRelevance(w, "main text", "the text", t.Body, t.BodyThreshold)
	}
}

// printRendering says whether a browser showed the page, and why.
func printRendering(w *bytes.Buffer, r *step.Rendering) {
	switch {
	case r.Shown:
		field(w, "rendering", "read as a browser showed it, which sent %s", cli.Count(int64(r.Requests), "request"))
	case r.Error != "":
		field(w, "rendering", "read as its server sent it: %s", r.Error)
	default:
		field(w, "rendering", "read as its server sent it")
	}
	if r.More {
		field(w, "", "its list grew as it was asked for more")
	}
	if len(r.Fields) > 0 {
		field(w, "", "scripts add %s", strings.Join(r.Fields, ", "))
	}
	switch {
	case r.Similarity != nil:
		field(w, "", "compared, as its layer %s was not known: similarity %.3f, static from %.4g", r.Layer, *r.Similarity, structure.StaticSimilarity)
	case r.Layer != "" && r.Kind != step.Unknown:
		field(w, "", "its layer %s is %s", r.Layer, r.Kind)
	case r.Layer == "":
		field(w, "", "all pages are rendered")
	}
}

// printRelevance says how near a text is to the topic, and by what. A threshold
// of 0 is none.
func printRelevance(w *bytes.Buffer, name, of string, r *topic.Relevance, threshold float64) {
	verdict := ""
	switch {
	case r.Value < threshold:
		verdict = fmt.Sprintf(" is below the threshold %.4g", threshold)
	case threshold > 0:
		verdict = fmt.Sprintf(" reaches the threshold %.4g", threshold)
	}
	field(w, name, "%.4g of %s%s (eq. 3)", r.Value, of, verdict)
	field(w, "", "%s, %.0f %% of them unknown", cli.Count(int64(r.Words), "word"), 100*r.OOV)
	for _, c := range r.Top {
		like := ""
		if c.Topic != "" && c.Topic != c.Word {
			like = ", like " + c.Topic + ","
		}
		field(w, "", "%s%s gives %.4g", c.Word, like, c.Value)
	}
}

// printLink says how the URL was found and what the link was worth.
func printLink(w *bytes.Buffer, x *console.Explanation) {
	l := x.Link
	switch {
	case l.IsSeed:
		field(w, "found", "it is a seed")
	case l.Parent != "":
		field(w, "found on", "%s", l.Parent)
		field(w, "", "%s from seed %s", cli.Count(int64(l.Depth), "link"), l.Seed)
		if l.Anchor != "" {
			field(w, "anchor", "%s", l.Anchor)
		}
		printPriority(w, x)
	}
	if l.Origin != "" {
		field(w, "redirected", "%s, from %s", cli.Count(int64(l.Hops), "time"), l.Origin)
	}
	if l.Attempts > 0 {
		field(w, "attempts", "%d failed", l.Attempts)
	}
}

// printPriority shows eq. 5 with its parts and weights.
func printPriority(w *bytes.Buffer, x *console.Explanation) {
	l, c := x.Link, x.Constants
	p := l.Parts
	switch {
	case l.Priority == 0 && x.Rule != rank.DropPriority:
		return // nothing was weighed
	case c == nil:
		field(w, "priority", "%.4g, from description %.4g, anchor %.4g, structure %.4g (eq. 5)",
			l.Priority, p.Description, p.Anchor, p.Structure)
		return
	}
	if p.Like > 0 {
		own, meaning := c.Alpha*p.Description+c.Beta*p.Anchor, "the probability that the page is kept"
		if c.Strategy == rank.NameNeighborhood {
			own += c.Lambda * p.Structure
			meaning = "a weighted mean of the share and of p/(p + threshold) for p by eq. 5"
		}
		field(w, "priority", "%.4g, %s", l.Priority, meaning)
		field(w, "", "%.4g of pages like it were kept (host, directory, form of the address)", p.Like)
		field(w, "", "%.4g by eq. 5, threshold %.4g", own, c.PriorityThreshold)
		return
	}
	eq5 := c.Alpha*p.Description + c.Beta*p.Anchor + c.Lambda*p.Structure
	inherits := c.Strategy == rank.NameAdaptive
	late := (inherits || c.Strategy == rank.NameBestFirst) && eq5 <= c.PriorityThreshold // ordered by the links left in its channel
	if !inherits && math.Abs(eq5-l.Priority) > 1e-9 && !late {
		field(w, "priority", "%.4g, given without eq. 5", l.Priority)
		return
	}
	verdict := "not above the threshold"
	switch {
	case eq5 > c.PriorityThreshold:
		verdict = "above the threshold"
	case x.Dropped:
	case late:
		verdict = "followed late, not above the threshold"
	case c.AnchorThreshold > 0 && p.Anchor >= c.AnchorThreshold:
		verdict = "let pass by the relevance of its anchor, below the threshold"
	default:
		verdict = "let pass by a topic word in its anchor, below the threshold"
	}
	field(w, "priority", "%.4g is %s %.4g (eq. 5)", eq5, verdict, c.PriorityThreshold)
	printChanges(w, c.Changes)
	if inherits {
		field(w, "", "%.4g of 100 is inherited: less with each weak link since the last relevant page", l.Priority)
	}
	field(w, "", "%.4g × %.4g of the page that links to it", c.Alpha, p.Description)
	field(w, "", "%.4g × %.4g of its anchor", c.Beta, p.Anchor)
	field(w, "", "%.4g × %.4g of its address", c.Lambda, p.Structure)
}

// printChanges says that the threshold was another one before.
func printChanges(w *bytes.Buffer, all []console.Change) {
	if len(all) == 0 {
		return
	}
	byThreshold := func(a, b console.Change) int { return cmp.Compare(a.Threshold, b.Threshold) }
	last := all[len(all)-1]
	field(w, "", "the crawl changed this threshold %s, to %.4g at least and %.4g at most; last after %s (%s)",
		cli.Count(int64(len(all)), "time"), slices.MinFunc(all, byThreshold).Threshold, slices.MaxFunc(all, byThreshold).Threshold,
		cli.Count(last.Fetched, "page"), last.Rule)
}

// printEntry says what was done with the page.
func printEntry(w *bytes.Buffer, e *ledger.Entry) {
	if e.Fetched {
		field(w, "links", "%d followed, %d skipped", e.Enqueued, e.Dropped)
	}
	if e.Segment != "" {
		field(w, "archive", "%s at %d, %d bytes", e.Segment, e.Offset, e.Length)
	}
	field(w, "at", "%s", e.At.Format(timeLayout))
}

// printRobots says what is known of the host's robots.txt.
func printRobots(w *bytes.Buffer, r *console.Robots) {
	verdict := "asks not to"
	if r.Allowed {
		verdict = "allows it"
	}
	field(w, "robots.txt", "%s, as of %s", verdict, minute(r.Fetched))
	if r.CrawlDelayS > 0 {
		field(w, "", "it asks for %v between two fetches", cli.Seconds(r.CrawlDelayS))
	}
}
