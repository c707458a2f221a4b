package sitecmd

import (
	"context"
	"errors"
	"fmt"

	"sluice/shared/crawl/visit"
	"sluice/shared/structure"
	"sluice/shared/web/page"
	"sluice/shared/web/render"
	"sluice/shared/web/urlnorm"
)

// What is said of the rendering of a page (METHOD C2).
const (
	static  = "static"  // the server sends what readers see
	dynamic = "dynamic" // scripts of the page build it
	unknown = "unknown" // there was no browser, or no URL
)

// noBrowser is the value of --browser for none.
const noBrowser = "none"

// startBrowser returns the browser for pages that are visited; nil if there are none, or
// if none is wanted or found.
func (o *analyzeOptions) startBrowser(v *visit.Visitor) (*render.Browser, error) {
	if v == nil || o.browser == noBrowser {
		return nil, nil
	}
	b, err := v.Browser(o.browser)
	if errors.Is(err, render.ErrNoBrowser) {
		return nil, nil
	}
	return b, err
}

// compare says how a page is rendered, and returns the tree that readers see.
func compare(ctx context.Context, v *visit.Visitor, b *render.Browser, u urlnorm.URL, fetched *htmlTree) (string, *htmlTree, error) {
	markup, err := v.Shown(ctx, b, u)
	if err != nil {
		return unknown, nil, fmt.Errorf("show it in the browser: %w", err)
	}
	shown, err := page.Tree(markup)
	if err != nil {
		return unknown, nil, err
	}
	if structure.NewFingerprint(fetched).Similarity(structure.NewFingerprint(shown)) >= structure.StaticSimilarity {
		return static, fetched, nil
	}
	return dynamic, shown, nil
}
