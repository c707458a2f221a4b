package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval"
	"sluice/shared/rank/linkgraph"
)

func newEvalPageRank(s cli.Streams) *cobra.Command {
	damping := linkgraph.Damping
	cmd := &cobra.Command{
		Use:   "pagerank",
		Short: "PageRank of the pages of a graph of links (B5)",
		Long: `PageRank of the pages of a graph of links (B5): reads links from standard input,
a page and the page that it links to, with a tab between them, and prints
PR(i) = (1-d) + d·Σ PR(j)/N(j), the highest first. Repeated links, and links of
a page to itself, do not count. The mean rank is 1 if every page has a link, and
smaller otherwise.`,
		Example: "  sluice eval pagerank <edges.tsv",
	}
	cmd.Flags().Float64Var(&damping, "damping", damping, "`d`, above 0 and at most 0.99")
	return cli.WithResult(s, cmd, func(context.Context, []string) (*eval.Authority, error) {
		if !(damping > 0 && damping <= 0.99) {
			return nil, cli.Usage(fmt.Errorf("--damping is %v: it must be above 0 and at most 0.99", damping))
		}
		a, err := eval.PageRank(s.In, damping)
		return a, cli.Usage(err)
	}, func(w *bytes.Buffer, a *eval.Authority) {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "PageRank\tpage")
		for _, p := range a.Pages {
			fmt.Fprintf(t, "%.6f\t%s\n", p.Rank, cli.Clean(p.Page))
		}
		_ = t.Flush() // to memory
	})
}

func newEvalInherit(s cli.Streams) *cobra.Command {
	c := eval.Inheritance{F: 0.15, R: 0.5}
	cmd := &cobra.Command{
		Use:   "inherit",
		Short: "Inherited value of the pages of a tree of links (B6)",
		Long: `Inherited value of the pages of a tree of links (B6): reads a page a line from
standard input, its name, its parent (nothing for a seed) and its relevance, with
tabs between them. A seed has the Val 100. A page of relevance f or more inherits
the Val of its parent, any other r times that. They are printed as the frontier
orders them: by Val, then by relevance.`,
		Example: "  sluice eval inherit --floor 20 <tree.tsv",
	}
	fl := cmd.Flags()
	fl.Float64Var(&c.F, "f", c.F, "the relevance `f`, at least 0")
	fl.Float64Var(&c.R, "r", c.R, "the factor `r`, above 0 and below 1")
	fl.Float64Var(&c.Floor, "floor", c.Floor, "drop what has a Val below `V`, and what is behind it; 0 to 100")
	return cli.WithResult(s, cmd, func(context.Context, []string) (*eval.Inherited, error) {
		if err := checkInheritance(c); err != nil {
			return nil, cli.Usage(err)
		}
		r, err := c.Inherit(s.In)
		return r, cli.Usage(err)
	}, inheritPage)
}

func checkInheritance(c eval.Inheritance) error {
	var problems []error
	if !(c.F >= 0) {
		problems = append(problems, fmt.Errorf("--f is %v: it must be at least 0", c.F))
	}
	if !(c.R > 0 && c.R < 1) {
		problems = append(problems, fmt.Errorf("--r is %v: it must be above 0 and below 1", c.R))
	}
	if !(c.Floor >= 0 && c.Floor <= eval.SeedValue) {
		problems = append(problems, fmt.Errorf("--floor is %v: it must be 0 to %d", c.Floor, eval.SeedValue))
	}
	return errors.Join(problems...)
}

func inheritPage(w *bytes.Buffer, r *eval.Inherited) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "Val\trelevance\t\tpage\tparent")
	for _, p := range r.Pages {
		dropped := ""
		if p.Dropped {
			dropped = "dropped"
		}
		fmt.Fprintf(t, "%.4g\t%.4g\t%s\t%s\t%s\n", p.Value, p.Relevance, dropped, cli.Clean(p.Page), cli.Clean(p.Parent))
	}
	_ = t.Flush() // to memory
}
