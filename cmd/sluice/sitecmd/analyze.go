package sitecmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/net/html"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
)

// analyzeOptions are the flags of site analyze.
type analyzeOptions struct {
	contact, browser string
	proxies          cli.ProxyFlag
	delay            time.Duration
	template         string
	host, view       string
	kept             storeFlags

	store site.Store
	name  func(host string) string // of its file
}

func newAnalyze(s cli.Streams, getenv func(string) string) *cobra.Command {
	var o analyzeOptions
	cmd := &cobra.Command{
		Use:   "analyze URL|FILE…",
		Short: "Find the lists of pages and the XPaths of their records",
		Long: `Find the lists of pages and the XPaths of their records, without rules for the
site (METHOD C3). The main list comes first; a page of details may also have lists, such as
its reviews. The layer of a page (METHOD C1) is "category", "list" or "detail"; its
pagination is the URLs of the other pages of its list. A category is a home page without
a list, or a list that leads to other lists among the pages named.

FILE is HTML in any character set, "-" standard input. URLs are fetched as by a crawl:
robots.txt is obeyed, one page at a time, with a pause between pages of a host; hosts
other than this machine need a contact. A browser then shows whether scripts build the
page ("rendering": static or dynamic, METHOD C2); if so, what it shows is analysed. With
--template a page is also dynamic if scripts add one of its fields. All requests of the
browser count for the pauses.

With --template the fields of pages and records are found as well (METHOD C4): their
XPaths, values and scores. T is a template file, or the name of a template that comes
with sluice. Name several pages of one kind and site: what leads to a value on all of
them is its path. A page with one record looks like details; it is a list if another
page of that list is named, or if its pages are numbered and an earlier analysis of the
host knows the list.

What is found on the pages of a host is kept in a file (--sites), for site show and
site extract. What you correct in it stays when the site is analysed again.

--json prints an object with the key "lists" for one page. For several it prints such
objects under "pages", and their common fields under "fields".`,
		Example: `  sluice site analyze list.html
  sluice site analyze --template book --json one.html two.html three.html
  sluice site analyze --json https://example.com/news/ --contact you@example.org`,
		Args: cli.WantSome("URL|FILE"),
	}
	o.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*analyzed, error) {
		o.contact = cmp.Or(o.contact, getenv("SLUICE_CONTACT"))
		if o.delay < 0 {
			return nil, cli.Usage(fmt.Errorf("--delay is %v: it must not be negative", o.delay))
		}
		if o.view != "" && len(args) > 1 {
			return nil, cli.Usage(fmt.Errorf("--view shows one page, not %d", len(args)))
		}
		ctx, stop := cli.UntilInterrupt(ctx)
		defer stop()
		var err error
		if o.store, o.name, err = o.kept.open(ctx, cmd.Flags()); err != nil {
			return nil, err
		}
		return runAnalyze(ctx, s, args, &o)
	}, analyzedPage)
}

func (o *analyzeOptions) register(fl *pflag.FlagSet) {
	fl.StringVar(&o.contact, "contact", "", "how to reach you, for the User-Agent: `C` is a URL or an e-mail address (default $SLUICE_CONTACT)")
	fl.StringVar(&o.template, "template", "", "find the fields of template `T`: a file, or one of "+strings.Join(template.Names(), ", "))
	o.kept.register(fl)
	fl.StringVar(&o.host, "host", "", "`HOST` that the pages of files are from: so they are kept, too")
	fl.StringVar(&o.view, "view", "", "write the page to `FILE`, as HTML, with what was found on it marked")
	o.proxies.Register(fl)
	fl.StringVar(&o.browser, "browser", "", "`PATH` of the browser that shows the pages of URLs, or none (default the first that is found, such as chromium)")
	fl.DurationVar(&o.delay, "delay", local.DefaultDelay, "pause `D` between two fetches on a host; robots.txt may ask for more")
}

// analyzed is what the command prints.
type analyzed struct {
	Pages  []*pageResult
	Fields *fields // of all pages, with the value of the first page that has it; nil without a template

	template *template.Template
	found    []field.Found // as Fields, in the order of the template
}

// pageResult is the structure of a page.
type pageResult struct {
	Page      string       `json:"page"` // as it was named
	Error     string       `json:"error,omitempty"`
	Rendering string       `json:"rendering"` // static, dynamic or unknown
	Layer     string       `json:"layer"`     // category, list or detail
	Lists     []listResult `json:"lists"`
	// Pagination is where its list goes on; null if nowhere.
	Pagination *paginationResult `json:"pagination"`
	// Fields are those of the page itself; nil without a template.
	Fields *fields `json:"fields,omitempty"`

	at *url.URL // of the page, behind redirects; nil if it was not fetched
}

// listResult is a list of a page.
type listResult struct {
	XPath       string `json:"xpath"`        // of the region
	RecordXPath string `json:"record_xpath"` // of the first element of each record
	Count       int    `json:"count"`
	// Siblings is how many elements a record has at most, if not one: the
	// element at the path and those behind it up to the next record.
	Siblings int `json:"siblings,omitempty"`
	// Fields are those of its records, with the values of the first that has
	// them and paths from a record; nil without a template.
	Fields *fields `json:"fields,omitempty"`
	first  structure.Record
}

// MarshalJSON implements json.Marshaler.
func (a *analyzed) MarshalJSON() ([]byte, error) {
	if len(a.Pages) == 1 {
		return json.Marshal(a.Pages[0])
	}
	return json.Marshal(struct {
		Pages  []*pageResult `json:"pages"`
		Fields *fields       `json:"fields,omitempty"`
	}{a.Pages, a.Fields})
}

// Failure reports the pages that could not be read.
func (a *analyzed) Failure() error {
	return failure("analyze", a.Pages, func(p *pageResult) (string, string) { return p.Page, p.Error })
}

func runAnalyze(ctx context.Context, s cli.Streams, args []string, o *analyzeOptions) (*analyzed, error) {
	var t *template.Template
	if o.template != "" {
		var err error
		if t, err = template.Load(o.template); err != nil {
			return nil, cli.Usage(err)
		}
	}
	result := &analyzed{template: t}
	var all []read
	err := readPages(ctx, s, args, o, t, func(p *pageResult, tree *html.Node, err error) {
		result.Pages = append(result.Pages, p)
		if err != nil {
			p.Error = err.Error()
			return
		}
		at := field.Page{Root: tree, Base: field.BaseOf(tree, p.at)}
		pages := structure.FindPagination(tree, p.at, at.Base)
		found := structure.Analyze(tree, pages)
		p.setLayer(found, pages, tree)
		sample := site.Sample{Page: at, Pagination: pages, Lists: site.Lists(t, found.Lists, at.Base), Rendering: p.Rendering}
		sample.Layer = p.Layer
		for i := range sample.Lists {
			p.Lists = append(p.Lists, resultOf(&sample.Lists[i], t != nil))
		}
		all = append(all, read{p, sample})
	})
	if err == nil {
		err = findShort(ctx, t, o, all)
		findCategories(all)
	}
	if err == nil && t != nil {
		err = result.addFields(t, all)
	}
	if err == nil {
		err = result.save(ctx, s, o, all)
	}
	if err == nil && o.view != "" && len(all) == 1 {
		err = cli.ReplaceFile(o.view, func(w io.Writer) error { return writeView(w, all[0].sample.Page.Root, all[0].result) })
	}
	return result, err
}

func resultOf(l *site.List, withFields bool) listResult {
	list := listResult{XPath: l.XPath, RecordXPath: l.RecordXPath, Count: len(l.Records), first: l.Records[0]}
	if l.Siblings > 1 {
		list.Siblings = l.Siblings
	}
	if withFields {
		list.Fields = byName(l.Fields)
	}
	return list
}

func analyzedPage(w *bytes.Buffer, a *analyzed) {
	for i, p := range a.Pages {
		if p.Error != "" {
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		built := ""
		if p.Rendering == dynamic {
			built = ", built by scripts"
		}
		fmt.Fprintf(w, "%s: %s, %s%s\n", cli.Clean(p.Page), p.Layer, cli.Count(len(p.Lists), "list"), built)
		for _, l := range p.Lists {
			fmt.Fprintf(w, "  %s  %s\n", cli.Count(l.Count, "record"), cli.Clean(l.RecordXPath))
			fmt.Fprintf(w, "    %s\n", cli.Clean(shorten(l.first.Text())))
			printFields(w, a.template, l.Fields, "    ")
		}
		printFields(w, a.template, p.Fields, "  ")
	}
}

// shorten cuts a text to what fits a line.
func shorten(s string) string {
	const most = 72
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}
