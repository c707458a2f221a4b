package opscmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/aws/stack"
	"sluice/shared/console/cost"
	"sluice/shared/local"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
)

// planFlags are the crawl that a forecast is made for.
type planFlags struct {
	forecast bool
	archive  string
	strategy string
	capacity string
	cost.Plan
}

// NewCost makes the command cost.
func NewCost(s cli.Streams) *cobra.Command {
	var f stackFlags
	var p planFlags
	cmd := &cobra.Command{
		Use:   "cost DIR | --stack NAME CRAWL | --forecast --pages N --hosts H",
		Short: "Add up what a crawl on AWS has cost, or forecast what one will",
		Long: `Add up what a crawl on AWS has cost so far: the requests, units and seconds that
were counted, at public list prices, without storage, alarms and the free tier.

--forecast estimates the cost of a crawl beforehand, without a stack. For a crawl in
the folder DIR, the command shows what the same would cost on AWS: as many pages,
hosts and links, as many pages rendered and on the topic, the same delay.`,
		Example: `  sluice cost out/finance
  sluice cost --stack sluice finance
  sluice cost --forecast --pages 1000000 --hosts 1000 --delay 1s`,
		Args: func(cmd *cobra.Command, args []string) error {
			if p.forecast {
				return cli.WantArgs()(cmd, args)
			}
			return f.onStackOr(cli.WantArgs("DIR"), cli.WantArgs("CRAWL"))(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"pages", "hosts", "delay", "links-per-page", "relevant", "rendered", "archive", "strategy", "capacity"} {
				if cmd.Flags().Changed(name) && !p.forecast {
					return cli.Usage(fmt.Errorf("--%s is for a forecast: add --forecast", name))
				}
			}
			if p.forecast {
				return p.show(s, &f)
			}
			if f.stack == "" {
				return folderCost(cmd.Context(), s, args[0], f.json)
			}
			return f.run(cmd.Context(), "ask again", func(ctx context.Context, o *operator.Operator) error {
				c, err := o.Cost(ctx, args[0])
				if err != nil {
					return err
				}
				return cli.PrintResult(s, f.json, c, costPage)
			})
		},
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.BoolVar(&p.forecast, "forecast", false, "of a crawl that has not run, instead of one of a stack")
	fl.IntVar(&p.Pages, "pages", 0, "with --forecast: `N` pages that it fetches")
	fl.IntVar(&p.Hosts, "hosts", 0, "with --forecast: `H` hosts that they are on")
	fl.DurationVar(&p.Delay, "delay", local.DefaultDelay, "with --forecast: pause `D` between two fetches on a host")
	fl.Float64Var(&p.Links, "links-per-page", operator.PlannedLinks, "with --forecast: `N` links of a page, on average")
	fl.Float64Var(&p.Relevant, "relevant", operator.PlannedRelevant, "with --forecast: `SHARE` of the pages that are on the topic, from 0 to 1")
	fl.Float64Var(&p.Rendered, "rendered", 0, "with --forecast: `SHARE` of the pages that a browser shows, from 0 to 1")
	cli.RegisterArchive(fl, &p.archive, "all")
	fl.StringVar(&p.strategy, "strategy", rank.Default, "with --forecast: `NAME` of the strategy, as in topic files")
	fl.StringVar(&p.capacity, "capacity", stack.OnDemand, "with --forecast: `MODE` in which the stack pays for DynamoDB, on-demand or provisioned")
	return cmd
}

// costOfFolder is what a crawl in a folder would have cost on AWS.
type costOfFolder struct {
	Out   string `json:"out"`
	Crawl string `json:"crawl"`
	*operator.Forecast
}

func folderCost(ctx context.Context, s cli.Streams, dir string, asJSON bool) error {
	if err := cli.CheckFolder(dir); err != nil {
		return err
	}
	f, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return err
	}
	st, err := f.Status(ctx)
	delay, archive, strategy := f.Delay(), f.Archive(), f.Strategy()
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if st.Fetched == 0 {
		return fmt.Errorf("the crawl in %s has fetched nothing: there is nothing to count", dir)
	}
	n, pages := st.HostCounts, float64(st.Fetched)
	c := &costOfFolder{Out: dir, Crawl: st.Crawl}
	relevant := min(st.HarvestRate, 1)
	c.Forecast, err = operator.NewForecast(cost.Plan{
		Pages: int(st.Fetched), Hosts: n.Active + n.Idle + n.Closed, Delay: delay,
		Links: float64(st.Enqueued+st.DroppedLinks) / pages, Relevant: relevant, Rendered: float64(st.Rendered) / pages,
		Archived: operator.ArchivedShare(archive, relevant),
	}, strategy, stack.OnDemand)
	if err != nil {
		return err
	}
	return cli.PrintResult(s, asJSON, c, func(w *bytes.Buffer, c *costOfFolder) {
		fmt.Fprintf(w, "%s in %s costs nothing on AWS; there it would be\n", c.Crawl, c.Out)
		forecastPage(w, c.Forecast)
	})
}

// show prints the forecast.
func (p *planFlags) show(s cli.Streams, f *stackFlags) error {
	if f.stack != "" {
		return cli.Usage(errors.New("--forecast needs no --stack: it is of a crawl that has not run"))
	}
	if err := cli.CheckArchive(p.archive); err != nil {
		return cli.Usage(err)
	}
	p.Archived = operator.ArchivedShare(cmp.Or(p.archive, corpus.ArchiveAll), p.Relevant)
	c, err := operator.NewForecast(p.Plan, p.strategy, p.capacity)
	if err != nil {
		return err
	}
	return cli.PrintResult(s, f.json, c, forecastPage)
}

// costPage is the bill of a crawl, for people.
func costPage(w *bytes.Buffer, c *operator.Cost) {
	fmt.Fprintf(w, "%s of stack %s: %s so far for %s", c.Crawl, c.Stack, dollars(c.Dollars), cli.Count(c.Pages, "page"))
	if c.Pages > 0 {
		fmt.Fprintf(w, ", %s a million", dollars(c.PerMillion))
	}
	if c.MaxCost > 0 {
		fmt.Fprintf(w, "; it ends at %s", dollars(c.MaxCost))
	}
	fmt.Fprintln(w)
	printBill(w, &c.Bill)
}

// forecastPage is the bill of a crawl that has not run.
func forecastPage(w *bytes.Buffer, c *operator.Forecast) {
	fmt.Fprintf(w, "%s on %s by %s, %v apart: %s, %s a million pages\n", cli.Count(c.Pages, "page"), cli.Count(c.Hosts, "host"), c.Strategy, cli.Seconds(c.DelayS), dollars(c.Dollars), dollars(c.PerMillion))
	fmt.Fprintf(w, "%.3g links a page, %.0f %% of the pages on the topic, %.0f %% archived, DynamoDB %s\n", c.Links, 100*c.Relevant, 100*c.Archived, c.Capacity)
	fmt.Fprintf(w, "at least %s, %.2g deliveries a page\n", cli.Roughly(cli.Seconds(c.ElapsedS)), c.Deliveries/float64(c.Pages))
	if c.Rendered > 0 {
		fmt.Fprintf(w, "%.0f %% of the pages rendered: %s\n", 100*c.Rendered, c.Rendering)
	}
	fmt.Fprintf(w, "a message and a write for each link, two objects for each page: %s\n", dollars(c.Naive))
	printBill(w, &c.Bill)
	fmt.Fprintf(w, "rates: %s\n", c.Rates)
}

func printBill(w *bytes.Buffer, b *operator.Bill) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, service := range b.Services {
		fmt.Fprintf(t, "%s\t\t%s\n", cli.Clean(service.Service), dollars(service.Dollars))
	}
	fmt.Fprintln(t)
	for _, item := range b.Items {
		fmt.Fprintf(t, "%s\t%.6g\t%s\n", cli.Clean(item.Item), item.Count, dollars(item.Dollars))
	}
	for _, item := range b.Unpriced {
		fmt.Fprintf(t, "%s\t\thas no price\n", cli.Clean(item))
	}
	_ = t.Flush() // to memory
	fmt.Fprintf(w, "\npublic prices of %s in %s\n", b.AsOf, b.Region)
}
