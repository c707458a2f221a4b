// Package browse shows the pages of a crawl in a browser, with the crawl's manners.
package browse

import (
	"context"
	"runtime"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/web/render"
)

// Options are those of a browser with the manners m, as visitor has them. Path is that of
// the program; "" takes the first found.
func Options(m plan.Manners, visitor *plan.Visitor, path string) render.Options {
	o := render.Options{
		Path: path, UserAgent: visitor.UserAgent, Guard: visitor.Guard, Proxies: m.Proxies,
		Pages: max(2, runtime.GOMAXPROCS(0)), // more would take memory and gain no time
	}
	if m.Contact == "" {
		o.Allow = plan.AtHome
	}
	return o
}

// Browser is the browser of a crawl. Close it.
type Browser struct{ *render.Browser }

var _ step.Browser = Browser{}

// Show implements step.Browser.
func (b Browser) Show(ctx context.Context, a *step.Answer) (*step.Shown, error) {
	p, err := b.Browser.Show(ctx, &render.Document{URL: a.URL, Header: a.Header, Body: a.Body, Allow: a.Allow, More: a.More})
	if p == nil {
		return nil, err
	}
	return &step.Shown{HTML: p.HTML, More: p.More, Requests: p.Requests}, err
}
