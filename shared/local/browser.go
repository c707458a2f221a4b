package local

import (
	"context"
	"errors"
	"fmt"

	"sluice/shared/crawl/browse"
	"sluice/shared/crawl/step"
	"sluice/shared/web/render"
)

// NoBrowser is the Browser of a Spec whose crawl renders no page, whatever its topic says.
const NoBrowser = "none"

// openBrowser prepares the browser of a crawl that has pages rendered. Where something
// answers in place of the network, it answers as a browser would show it.
func (c *Crawl) openBrowser(ctx context.Context, planned *step.Plan) error {
	switch {
	case planned.Render == "":
		return nil
	case c.spec.Transport != nil:
		planned.Render = ""
		return nil
	case c.spec.Browser == NoBrowser:
		planned.Render = ""
		c.spec.Log.WarnContext(ctx, "pages are not rendered: there is to be no browser")
		return nil
	}
	seeds, err := c.spec.seeds()
	if err != nil {
		return err
	}
	b, err := render.New(browse.Options(c.spec.manners(seeds), c.visitor, c.spec.Browser))
	if errors.Is(err, render.ErrNoBrowser) {
		if c.spec.BrowserIfAny {
			planned.Render = ""
			c.spec.Log.WarnContext(ctx, "no page is rendered: no browser is installed; what scripts build is not seen")
			return nil
		}
		err = errors.New("none is installed (Debian's package is chromium)")
	}
	if err != nil {
		return fmt.Errorf("%w, but the topic file says render: %s: %w: install one, name one with --browser PATH, or have no page rendered with --browser none", ErrBrowser, planned.Render, err)
	}
	c.browser = browse.Browser{Browser: b}
	return nil
}
