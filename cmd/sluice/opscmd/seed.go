package opscmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/state/job"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// seedFlags are the flags of seed, as given.
type seedFlags struct {
	stackFlags
	crawl, topic string
	site         cli.SiteFlags
	from         cli.ListFlag
	limits       cli.LimitFlags
	message      job.Message
	delay        time.Duration
	revisits     cli.RevisitFlags
	yes          bool
}

// NewSeed makes the command seed.
func NewSeed(s cli.Streams, getenv func(string) string) *cobra.Command {
	f := &seedFlags{}
	cmd := &cobra.Command{
		Use:   "seed --stack NAME CRAWL URL…",
		Short: "Start a crawl on AWS, or give seeds to one that exists",
		Long: `Start a crawl on AWS, or give seeds to one that exists.

With a topic, or with --site and --template, a crawl is started. Without URLs it
begins at the topic's seeds. A topic file is uploaded to topics/NAME.topic in the
stack's bucket; if other crawls use one of that name, theirs stays beside it.

With --refresh-of the crawl fetches the documents of crawl ID again, and those of
the crawls that ID refreshed. Topic, seeds and scope are those of ID unless others
are named.`,
		Example: `  sluice seed --stack sluice finance --topic topics/finance.topic https://example.com/
  sluice seed --stack sluice finance --from urls.txt
  sluice seed --stack sluice finance-2 --refresh-of finance
  sluice seed --stack sluice finance-3 --refresh-of finance-2 --revisit sources`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			order, err := f.order(s, cmd.Flags(), args, getenv)
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), "the message was sent: see sluice status", func(ctx context.Context, o *operator.Operator) error {
				return f.seed(ctx, s, o, order)
			})
		},
	}
	f.registerAll(cmd.Flags())
	return cmd
}

func (f *seedFlags) registerAll(fl *pflag.FlagSet) {
	f.register(fl)
	m := &f.message
	fl.StringVar(&f.crawl, "crawl", "", "`ID` of the crawl, in place of CRAWL")
	fl.StringVar(&f.topic, "topic", "", "topic `FILE`, YAML or compiled, or the key of one in the bucket (topics/…); starts the crawl")
	f.site.Register(fl)
	f.from.Register(fl, "more seeds")
	f.limits.Register(fl, func(key string) string {
		if key == "max_pages" {
			return "the stack's"
		}
		return "the topic's"
	})
	fl.Float64Var(&m.MaxCost, "max-cost", 0, "budget of `USD` dollars at public prices; shows a forecast first (default none)")
	fl.BoolVar(&f.yes, "yes", false, "start though the forecast exceeds --max-cost: the crawl ends when it is spent")
	fl.DurationVar(&f.delay, "delay", 0, "pause `D` between two fetches on a host; robots.txt may ask for more (default the stack's)")
	fl.StringVar(&m.Contact, "contact", "", "how to reach you, for the User-Agent: `C` is a URL or an e-mail address (default $SLUICE_CONTACT, or else the stack's)")
	cli.RegisterUserAgent(fl, &m.UserAgent)
	fl.Uint64Var(&m.RandomSeed, "random-seed", 0, "make the outcome reproducible with the seed `N`; 0: not reproducible")
	cli.RegisterArchive(fl, &m.Archive, "the topic's, else all")
	fl.StringVar(&m.RefreshOf, "refresh-of", "", "start a crawl that checks the pages of crawl `ID` again for new, changed and gone ones")
	f.revisits.Register(fl)
}

// order checks the flags and reads the files, all problems at once.
func (f *seedFlags) order(s cli.Streams, fl *pflag.FlagSet, args []string, getenv func(string) string) (operator.Order, error) {
	order := operator.Order{Message: f.message}
	m := &order.Message
	m.Crawl = f.crawl
	m.Seeds = crawlFirst(&m.Crawl, args)
	if fl.Changed("delay") {
		m.Delay = &f.delay
	}
	m.Limits, m.Scope = f.limits.Limits, f.limits.Scope()
	if m.Scope != nil {
		m.Scope.Mode = cmp.Or(m.Scope.Mode, urlnorm.ModeDomain) // as in a message
	}
	if f.topic != "" || f.site.Given() || m.RefreshOf != "" { // it starts a crawl
		m.Contact = cmp.Or(m.Contact, getenv("SLUICE_CONTACT"))
	}
	m.Revisit, m.OlderThan = f.revisits.Revisit, f.revisits.OlderThan
	problems := []error{f.revisits.Check("--refresh-of", m.RefreshOf != "")}
	if m.Crawl == "" {
		problems = append(problems, cli.Usage(errors.New("CRAWL is missing: name the crawl before its seeds, by an id of lower-case letters, digits and hyphens")))
	}
	var err error
	order.List, err = f.from.Read(s)
	problems = append(problems, f.limits.Check(fl), cli.CheckArchive(m.Archive), cli.CheckUserAgent(m.UserAgent), stackTopic(f.topic, &m.Topic, &order.TopicFile), err)
	if f.site.Given() {
		source, err := f.site.Topic(f.topic)
		order.TopicFile = &operator.TopicFile{Name: "site " + f.site.Site, Data: source}
		problems = append(problems, err)
	}
	return order, errors.Join(problems...)
}

// stackTopic reads a topic if it is a file; other names may be keys.
func stackTopic(name string, key *string, file **operator.TopicFile) error {
	if name == "" {
		return nil
	}
	data, err := topic.ReadSource(name)
	switch {
	case err == nil:
		*file = &operator.TopicFile{Name: name, Data: data}
		return nil
	case errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, "topics/"):
		*key = name
		return nil
	}
	return cli.Usage(err)
}

// seed sends an order, unless it would cost more than it may.
func (f *seedFlags) seed(ctx context.Context, s cli.Streams, o *operator.Operator, order operator.Order) error {
	if f.site.Given() {
		if o.Renders() {
			order.TopicFile.Data = topic.Rendered(order.TopicFile.Data)
		} else {
			fmt.Fprintln(s.Err, "no page is rendered: the stack has no render function; what scripts build is not seen")
		}
	}
	prepared, err := o.Prepare(ctx, order)
	if err != nil {
		return err
	}
	if c := prepared.Forecast; c != nil {
		fmt.Fprintf(s.Err, "forecast: %s for %s on %s, at least %s, %s a million pages; the crawl ends at %s\n",
			dollars(c.Dollars), cli.Count(int64(c.Pages), "page"), cli.Count(int64(c.Hosts), "host"),
			cli.Roughly(cli.Seconds(c.ElapsedS)), dollars(c.PerMillion), dollars(f.message.MaxCost))
		if c.Dollars > f.message.MaxCost && !f.yes {
			return cli.Usage(fmt.Errorf("the forecast of %s exceeds --max-cost %s: ask for fewer pages, or start all the same with --yes", dollars(c.Dollars), dollars(f.message.MaxCost)))
		}
	}
	out, err := prepared.Send(ctx, func() { fmt.Fprintln(s.Err, "waiting for the crawl to start, for the rest of its seeds") })
	if err != nil {
		return err
	}
	return cli.PrintResult(s, f.json, out, seededPage)
}

// seededPage says what was sent, and where to look next.
func seededPage(w *bytes.Buffer, out *operator.Seeded) {
	seeds := cli.Count(int64(out.Seeds), "seed")
	switch {
	case out.Seeds == 0 && out.Refresh != "":
		seeds = "the seeds of " + out.Refresh
	case out.Seeds == 0:
		seeds = "the topic's seeds"
	}
	if out.Started {
		fmt.Fprintf(w, "crawl %s is on its way to stack %s, with %s\n\n", out.Crawl, out.Stack, seeds)
	} else {
		fmt.Fprintf(w, "%s on the way to crawl %s of stack %s\n\n", seeds, out.Crawl, out.Stack)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if out.Topic != "" {
		uploaded := "it was there"
		if out.Uploaded {
			uploaded = "uploaded"
		}
		fmt.Fprintf(t, "topic\t%s\t%s\n", out.Topic, uploaded)
	}
	if out.Message != nil {
		fmt.Fprintf(t, "message\t%s\tto the queue of seeds\n", cli.Count(len(out.Message), "byte"))
	}
	if out.Planted > 0 {
		fmt.Fprintf(t, "pages\t%s\tto be looked at again\n", cli.Count(int64(out.Planted), "page"))
	}
	for _, key := range out.Objects {
		fmt.Fprintf(t, "object\t%s\tseeds\n", key)
	}
	fmt.Fprintf(t, "next\tsluice status --stack %s %s --watch\thow it goes\n", out.Stack, out.Crawl)
	_ = t.Flush() // to memory
}
