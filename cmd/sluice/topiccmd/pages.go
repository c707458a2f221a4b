package topiccmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/visit"
	"sluice/shared/local"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/textfile"
	"sluice/shared/web/urlnorm"
)

// pagesOptions are the flags of topic from-pages.
type pagesOptions struct {
	pages, background, fields []string
	name, language            string
	words                     int
	out, weights              string
	contact                   string
	proxies                   cli.ProxyFlag
	delay                     time.Duration
}

func newTopicFromPages(s cli.Streams, getenv func(string) string) *cobra.Command {
	var o pagesOptions
	cmd := &cobra.Command{
		Use:   "from-pages URL|FILE… --name NAME --out TOPIC.yaml",
		Short: "Make a topic file from example pages, without a word list",
		Long: `Make a topic file from example pages, without a word list: the words that mark
the pages against a background, with their weights, and the pages and their
sites as seeds (METHOD B1). Some twenty pages are good, fifty better.

A page is a URL, or in a file: HTML, WARC, JSON lines, text with a page a line,
or a folder of them. URLs are fetched as a crawl would fetch them: robots.txt is
asked, one page at a time, with a pause between pages of a host, and for hosts
other than this machine with a contact. Pages that cannot be read, or that have
the text of another, are reported and left out.

Without --background words are judged by how common they are in the language,
which is known of Chinese and English.`,
		Example: `  sluice topic from-pages https://example.com/a.html https://example.com/b.html page.html \
      --name my --contact you@example.org --out my.yaml --weights my.tsv`,
		Args: cli.WantSome("URL|FILE"),
	}
	o.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*drafted, error) {
		o.pages, o.contact = args, cmp.Or(o.contact, getenv("SLUICE_CONTACT"))
		if err := o.check(); err != nil {
			return nil, err
		}
		return runFromPages(ctx, s, &o)
	}, draftPage)
}

func (o *pagesOptions) register(fl *pflag.FlagSet) {
	fl.StringVar(&o.name, "name", "", "`NAME` of the topic: lower-case letters, digits, hyphens; required")
	fl.StringVar(&o.out, "out", "", "write the topic file to `TOPIC.yaml`; required")
	fl.StringVar(&o.weights, "weights", "", "write the weights of all words of pages and background to `W.tsv`")
	fl.StringArrayVar(&o.background, "background", nil, "texts about other things, a `FILE` or folder, or the folder of a crawl; repeatable")
	fl.StringArrayVar(&o.fields, "field", nil, "field `NAME` of JSON lines that holds text; repeatable")
	fl.IntVar(&o.words, "words", 200, "give the topic at most `N` words")
	fl.StringVar(&o.language, "language", "", "language `TAG` of the topic (default that of most pages)")
	fl.StringVar(&o.contact, "contact", "", "how to reach you, for the User-Agent: `C` is a URL or an e-mail address (default $SLUICE_CONTACT)")
	o.proxies.Register(fl)
	fl.DurationVar(&o.delay, "delay", local.DefaultDelay, "pause `D` between two fetches on a host; robots.txt may ask for more")
}

func (o *pagesOptions) check() error {
	problems := []error{cli.Required([2]string{"name", o.name}, [2]string{"out", o.out})}
	// Better now than when the pages are there.
	if _, err := topic.Parse("--name", fmt.Appendf(nil, "name: %q\nwords: [a]\n", o.name)); o.name != "" && err != nil {
		problems = append(problems, err)
	}
	if o.words < 1 || o.words > 5000 {
		problems = append(problems, fmt.Errorf("--words is %d: it must be 1 to 5,000", o.words))
	}
	if o.delay < 0 {
		problems = append(problems, fmt.Errorf("--delay is %v: it must not be negative", o.delay))
	}
	inputs := slices.Concat(o.pages, o.background)
	return cli.Usage(errors.Join(append(problems,
		o.checkLanguage(),
		checkOut("out", o.out, inputs...),
		checkOut("weights", o.weights, append(inputs, o.out)...),
		checkApart(o.out, o.weights))...))
}

// checkLanguage checks the language that the topic shall have, if one is given.
func (o *pagesOptions) checkLanguage() error {
	if o.language == "" {
		return nil
	}
	if _, err := topic.Parse("--language", fmt.Appendf(nil, "language: %q\nname: a\nwords: [a]\n", o.language)); err != nil {
		return err
	}
	if len(o.background) == 0 && !compile.HasFrequencies(o.language) {
		return fmt.Errorf("--background is missing: how common words are in the language %s is not known; name texts about other things", o.language)
	}
	return nil
}

// drafted is what the command prints as JSON.
type drafted struct {
	Topic string `json:"topic"`
	Out   string `json:"out"`
	*compile.Draft
	LeftOut []string `json:"left_out"` // why a page is not among them
}

func runFromPages(ctx context.Context, s cli.Streams, o *pagesOptions) (*drafted, error) {
	result := &drafted{Topic: o.name, Out: o.out, LeftOut: []string{}}
	left := &skips{w: s.Err}
	leaveOut := func(err error) {
		result.LeftOut = append(result.LeftOut, err.Error())
		left.add(err)
	}
	pages, err := o.read(ctx, s, leaveOut)
	if err != nil {
		return nil, err
	}
	pages = distinct(pages, leaveOut)
	left.end()
	options := compile.PagesOptions{Language: o.language, Words: o.words}
	if len(o.background) > 0 {
		damage := &skips{w: s.Err}
		defer damage.end()
		options.Background, err = compile.Background(ctx, o.background, textfile.Options{Fields: o.fields, Stdin: s.In}, damage.add)
		if err != nil {
			return nil, err
		}
	}
	if result.Draft, err = compile.FromPages(ctx, o.name, pages, options); err != nil {
		return nil, err
	}
	if err := replaceBytes(o.out, result.YAML); err != nil || o.weights == "" {
		return result, err
	}
	return result, cli.ReplaceFile(o.weights, result.Weights.Write)
}

// read reads the pages, in the order of the arguments: files first checked as a
// whole, then URLs one by one.
func (o *pagesOptions) read(ctx context.Context, s cli.Streams, leaveOut func(error)) ([]textfile.Document, error) {
	var paths []string
	var urls []urlnorm.URL
	for _, arg := range o.pages {
		if !cli.IsURL(arg) {
			paths = append(paths, arg)
			continue
		}
		u, err := urlnorm.Parse(arg)
		if err != nil {
			return nil, cli.Usage(fmt.Errorf("page %q: %w", arg, err))
		}
		if !slices.Contains(urls, u) {
			urls = append(urls, u)
		}
	}
	var pages []textfile.Document
	if len(paths) > 0 {
		source, err := openTexts(s, paths, o.fields)
		if err != nil {
			return nil, err
		}
		for doc, err := range readable(ctx, source, leaveOut) {
			if err != nil {
				return nil, err
			}
			pages = append(pages, doc)
		}
	}
	if len(urls) == 0 {
		return pages, nil
	}
	fetched, err := fetchPages(ctx, cli.NewScreen(s.Err), urls, o, leaveOut)
	return append(pages, fetched...), err
}

// fetchPages fetches pages one after another and reads their main text. leaveOut
// gets those that cannot be read. The error is that of ctx or of the
// options, before anything is fetched.
func fetchPages(ctx context.Context, sc *cli.Screen, urls []urlnorm.URL, o *pagesOptions, leaveOut func(error)) ([]textfile.Document, error) {
	proxies, err := o.proxies.Parse()
	if err != nil {
		return nil, err
	}
	v, err := visit.New(plan.Manners{Contact: o.contact, Version: cli.Version, Proxies: proxies}, urls, o.delay)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	defer sc.Show()
	var pages []textfile.Document
	for i, u := range urls {
		if sc.Live() {
			sc.Show(fmt.Sprintf("page %d/%d", i+1, len(urls)), u.Host())
		}
		doc, err := v.Visit(ctx, u)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("fetch pages: %w", ctx.Err())
		case err != nil:
			leaveOut(fmt.Errorf("fetch %s: %w", u, err))
		default:
			pages = append(pages, doc)
		}
	}
	return pages, nil
}

// distinct leaves out pages with the text of an earlier one: a site may answer
// with one page for all that it no longer has, and its words would mark the topic.
func distinct(pages []textfile.Document, leaveOut func(error)) []textfile.Document {
	first := make(map[string]string, len(pages)) // ID by text
	return slices.DeleteFunc(pages, func(p textfile.Document) bool {
		id, known := first[p.Text]
		if known {
			leaveOut(fmt.Errorf("%s: the same text as %s", p.ID, id))
		} else {
			first[p.Text] = p.ID
		}
		return known
	})
}

func draftPage(w *bytes.Buffer, r *drafted) {
	fmt.Fprintf(w, "%s: topic %s of %s in %s", r.Out, r.Topic, cli.Count(r.Pages, "page"), r.Language)
	if r.Foreign > 0 {
		fmt.Fprintf(w, ", %d in other languages left out", r.Foreign)
	}
	if r.Background > 0 {
		fmt.Fprintf(w, ", against %s", cli.Count(r.Background, "other text"))
	}
	fmt.Fprintf(w, "; %s, the best:\n", cli.Count(len(r.Words), "word"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "word\tweight\tpages\tbackground")
	for _, word := range r.Words[:min(len(r.Words), heaviestShown)] {
		fmt.Fprintf(t, "%s\t%.2f\t%d\t%d\n", cli.Clean(word.Word), word.Weight, word.Relevant, word.Background)
	}
	_ = t.Flush() // to memory
}
