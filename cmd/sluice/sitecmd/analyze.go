package sitecmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local"
	"sluice/shared/structure"
)

// analyzeOptions are the flags of site analyze.
type analyzeOptions struct {
	contact, proxy string
	delay          time.Duration
}

func newAnalyze(s cli.Streams, getenv func(string) string) *cobra.Command {
	var o analyzeOptions
	cmd := &cobra.Command{
		Use:   "analyze URL|FILE…",
		Short: "Find the lists of pages and the XPaths of their records",
		Long: `Find the lists of pages and the XPaths of their records, without rules for the
site (METHOD C3). The main list comes first; a page that is no list has none.

FILE is HTML in any character set, "-" standard input. URLs are fetched as a
crawl would fetch them: robots.txt is asked, one page at a time, with a pause
between pages of a host, and for hosts other than this machine with a contact.

With --json one page is an object with the key "lists", several are such objects
under the key "pages".`,
		Example: `  sluice site analyze list.html
  sluice site analyze --json https://example.com/news/ --contact you@example.org`,
		Args: cli.WantSome("URL|FILE"),
	}
	o.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*analyzed, error) {
		o.contact = cmp.Or(o.contact, getenv("SLUICE_CONTACT"))
		if o.delay < 0 {
			return nil, cli.Usage(fmt.Errorf("--delay is %v: it must not be negative", o.delay))
		}
		return runAnalyze(ctx, s, args, &o)
	}, analyzedPage)
}

func (o *analyzeOptions) register(fl *pflag.FlagSet) {
	fl.StringVar(&o.contact, "contact", "", "how to reach you, for the User-Agent: `C` is a URL or an e-mail address (default $SLUICE_CONTACT)")
	fl.StringVar(&o.proxy, "proxy", "", "HTTP proxy for all requests, as a `URL`; it resolves the names")
	fl.DurationVar(&o.delay, "delay", local.DefaultDelay, "pause `D` between two fetches on a host; robots.txt may ask for more")
}

// analyzed is what the command prints.
type analyzed struct{ Pages []pageResult }

// pageResult is the structure of a page.
type pageResult struct {
	Page  string       `json:"page"` // as it was named
	Error string       `json:"error,omitempty"`
	Lists []listResult `json:"lists"`
}

// listResult is a list of a page.
type listResult struct {
	XPath       string `json:"xpath"`        // of the region
	RecordXPath string `json:"record_xpath"` // of the first element of each record
	Count       int    `json:"count"`
	first       structure.Record
}

// MarshalJSON implements json.Marshaler.
func (a *analyzed) MarshalJSON() ([]byte, error) {
	if len(a.Pages) == 1 {
		return json.Marshal(a.Pages[0])
	}
	return json.Marshal(map[string][]pageResult{"pages": a.Pages})
}

// Failure reports the pages that could not be read.
func (a *analyzed) Failure() error {
	var problems []error
	for _, p := range a.Pages {
		if p.Error != "" {
			problems = append(problems, fmt.Errorf("analyze %s: %s", p.Page, p.Error))
		}
	}
	return errors.Join(problems...)
}

func runAnalyze(ctx context.Context, s cli.Streams, args []string, o *analyzeOptions) (*analyzed, error) {
	result := &analyzed{}
	err := readPages(ctx, s, args, o, func(name string, tree *htmlTree, err error) {
		p := pageResult{Page: name, Lists: []listResult{}}
		if err != nil {
			p.Error = err.Error()
		} else {
			for _, l := range structure.Analyze(tree).Lists {
				p.Lists = append(p.Lists, listResult{l.XPath, l.RecordXPath, len(l.Records), l.Records[0]})
			}
		}
		result.Pages = append(result.Pages, p)
	})
	return result, err
}

func analyzedPage(w *bytes.Buffer, a *analyzed) {
	for i, p := range a.Pages {
		if p.Error != "" {
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", cli.Clean(p.Page), cli.Count(len(p.Lists), "list"))
		for _, l := range p.Lists {
			fmt.Fprintf(w, "  %s  %s\n", cli.Count(l.Count, "record"), cli.Clean(l.RecordXPath))
			fmt.Fprintf(w, "    %s\n", cli.Clean(shorten(l.first.Text())))
		}
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
