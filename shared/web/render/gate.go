package render

import (
	"context"
	"iter"
	"net/url"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// icon is asked for by the browser itself.
const icon = "/favicon.ico"

// gate lets a page's requests through, but for those that bring no text, and up to a
// limit.
type gate struct {
	top      cdp.FrameID // of the page itself
	document *Document

	mu      sync.Mutex
	shown   bool // the document of the page was asked for
	left    int
	sent    map[string]int // by host
	refused int
}

func newGate(top cdp.FrameID, limit int, d *Document) *gate {
	return &gate{top: top, document: d, left: limit, sent: map[string]int{}}
}

// admit decides on paused requests until the page ends.
func (g *gate) admit(tab context.Context, paused iter.Seq2[cdpfetch.EventRequestPaused, error]) {
	for e, err := range paused {
		if err != nil {
			return
		}
		if g.leads(&e) {
			// Aborted, the page stays as it is.
			_, _ = chromedp.Call(tab, cdpfetch.FailRequest, cdpfetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonAborted})
			continue
		}
		if g.isTop(&e) && g.document.Header != nil {
			_, _ = chromedp.Call(tab, cdpfetch.FulfillRequest, g.document.answer(e.RequestID))
			continue
		}
		if g.lets(e.ResourceType, e.Request.URL) {
			_, _ = chromedp.Call(tab, cdpfetch.ContinueRequest, cdpfetch.ContinueRequestParams{RequestID: e.RequestID}) // the page may have gone
			continue
		}
		_, _ = chromedp.Call(tab, cdpfetch.FailRequest, cdpfetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
	}
}

// leads reports whether a request would lead from the page to another, or load it
// once more: robots.txt was asked for this one only. Redirects belong to it.
func (g *gate) leads(e *cdpfetch.EventRequestPaused) bool {
	if !g.isTop(e) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown {
		g.refused++
		return true
	}
	g.shown = true
	return false
}

// isTop reports whether a request is for a document of the page itself.
func (g *gate) isTop(e *cdpfetch.EventRequestPaused) bool {
	return e.ResourceType == network.ResourceTypeDocument && e.FrameID == g.top && e.RedirectedRequestID == ""
}

// lets decides on one request and counts it.
func (g *gate) lets(kind network.ResourceType, address string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	u, err := url.Parse(address)
	switch {
	case err != nil || g.left == 0 || !bringsText(kind) || kind == network.ResourceTypeOther && u.Path == icon:
		g.refused++
		return false
	case u.Scheme != "http" && u.Scheme != "https":
		return true // data:, blob: are no requests
	case g.document.Allow != nil && address != g.document.URL && !g.document.Allow(address):
		g.refused++
		return false
	}
	g.left--
	g.sent[u.Hostname()]++
	return true
}

// bringsText reports whether a resource may add text to a page.
func bringsText(kind network.ResourceType) bool {
	switch kind {
	case network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeFont, network.ResourceTypeTextTrack,
		network.ResourceTypeManifest, network.ResourceTypePing, network.ResourceTypeCSPViolationReport, network.ResourceTypePrefetch:
		return false
	}
	return true
}

// counts returns the requests by host, and how many were refused. The proxy saw requests
// that the browser does not report, such as those of workers, but of a tunnel only that it
// was opened: the larger number counts. What it saw none of was not sent.
func (g *gate) counts(seen map[string]int) (sent map[string]int, refused int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for host, n := range g.sent {
		if seen[host] > 0 {
			seen[host] = max(seen[host], n)
		}
	}
	return seen, g.refused
}
