package sitecmd

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/net/html"

	"sluice/cmd/sluice/cli"
	"sluice/shared/crawl/visit"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/page"
	"sluice/shared/web/render"
	"sluice/shared/web/urlnorm"
)

// What is said of the rendering of a page (METHOD C2).
const (
	static  = site.Static  // the server sends what readers see
	dynamic = site.Dynamic // scripts of the page build it
	unknown = "unknown"    // there was no browser, or no URL
)

// noBrowser is the value of --browser for none.
const noBrowser = "none"

// startBrowser starts the browser for pages that are fetched. It returns nil if no page is
// fetched, --browser is none, or no browser is installed.
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

// compare says how a page is rendered, and returns the tree that readers see: that
// fetched, with a warning, where the browser cannot show it. A page whose scripts add
// fields of the template is dynamic, however little else they change.
func compare(ctx context.Context, s cli.Streams, v *visit.Visitor, b *render.Browser, u urlnorm.URL, t *template.Template, fetched *html.Node) (string, *html.Node) {
	var shown *html.Node
	markup, err := v.Shown(ctx, b, u)
	if err == nil {
		shown, err = page.Tree(markup)
	}
	if err != nil {
		fmt.Fprintf(s.Err, "sluice: %s is analysed as its server sends it: %v\n", u, err)
		return unknown, fetched
	}
	if structure.NewFingerprint(fetched).Similarity(structure.NewFingerprint(shown)) < structure.StaticSimilarity {
		return dynamic, shown
	}
	if t != nil && len(field.Scripted(t, field.Page{Root: fetched}, field.Page{Root: shown})) > 0 {
		return dynamic, shown
	}
	return static, fetched
}
