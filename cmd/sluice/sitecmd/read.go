package sitecmd

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"

	"golang.org/x/net/html"

	"sluice/cmd/sluice/cli"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/visit"
	"sluice/shared/structure/template"
	"sluice/shared/web/page"
	"sluice/shared/web/render"
	"sluice/shared/web/urlnorm"
)

// readPages reads pages in the order of the arguments and gives their trees to
// use, or why there is none. Its own error is that of ctx or of the arguments,
// before anything is read. Pages of URLs are compared with what a browser shows,
// and are what it shows where that differs.
func readPages(ctx context.Context, s cli.Streams, args []string, o *analyzeOptions, t *template.Template, use func(p *pageResult, tree *html.Node, err error)) error {
	urls := make(map[string]urlnorm.URL)
	var all []urlnorm.URL
	for _, arg := range args {
		if !cli.IsURL(arg) {
			continue
		}
		u, err := urlnorm.Parse(arg)
		if err != nil {
			return cli.Usage(fmt.Errorf("page %q: %w", arg, err))
		}
		urls[arg] = u
		all = append(all, u)
	}
	if err := o.checkSites(ctx, urls); err != nil {
		return err
	}
	var visitor *visit.Visitor
	if len(all) > 0 {
		proxies, err := o.proxies.Parse()
		if err != nil {
			return err
		}
		if visitor, err = visit.New(plan.Manners{Contact: o.contact, Version: cli.Version, Proxies: proxies}, all, o.delay); err != nil {
			return err
		}
		defer visitor.Close()
	}
	browser, err := o.startBrowser(visitor)
	if err != nil {
		return err
	}
	if browser != nil {
		defer browser.Close()
	} else if visitor != nil && o.browser != noBrowser {
		fmt.Fprintf(s.Err, "sluice: %v. Pages are analysed as their servers send them.\n", render.ErrNoBrowser)
	}
	for _, arg := range args {
		var body []byte
		var contentType string
		var err error
		u, fetched := urls[arg]
		if fetched {
			body, contentType, u, err = visitor.Page(ctx, u)
		} else {
			body, err = readFile(s, arg)
		}
		var tree *html.Node
		if err == nil {
			tree, err = page.TreeOf(body, contentType)
		}
		p := &pageResult{Page: arg, Rendering: unknown, Lists: []listResult{}}
		if fetched && err == nil {
			p.at, err = url.Parse(u.String())
		}
		if fetched && err == nil && browser != nil {
			p.Rendering, tree = compare(ctx, s, visitor, browser, u, t, tree)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("read pages: %w", ctx.Err())
		}
		use(p, tree, err)
	}
	return nil
}

// maxFile is how large a file may be, in bytes.
const maxFile = 64 << 20

func readFile(s cli.Streams, name string) ([]byte, error) {
	in := s.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	body, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(body) > maxFile {
		err = fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	return body, err
}
