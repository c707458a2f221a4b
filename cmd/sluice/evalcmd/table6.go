package evalcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/sections"
	"sluice/shared/rank/urlshape"
)

// table6 is what the command of this name prints as JSON.
type table6 struct {
	Pairs   int             `json:"pairs"` // of one draw
	Redraws int             `json:"redraws"`
	Seed    uint64          `json:"seed"`
	Rows    []sections.Row  `json:"rows"`
	Votes   []sections.Vote `json:"votes"`
}

func newEvalTable6(s cli.Streams) *cobra.Command {
	var webs, named []string
	opts := sections.Options{}
	cmd := &cobra.Command{
		Use:   "table6 --web FILE…",
		Short: "How well the structure of URLs tells sites and sections apart (Table 6)",
		Long: `How well the structure of URLs tells sites and sections apart (Table 6): draws
labelled pairs of article URLs from frozen webs, half of them the same, and
counts the right decisions by threshold, over redraws with a fixed seed.

  same host       two pages of a host, against two of different domains
  sibling hosts   two pages on different hosts of a domain, against two domains
  same section    two pages of one label on one host, against two labels

Hosts are compared by the paper's form, sections by the path form, both with
the constants that are shipped. Beside them is the simplest rule: same host
and same first directory. Last comes the vote over a history of 25 URLs, label
by label: the share of the URLs of a whole web that it calls alike.`,
		Example: `  sluice eval table6 --web news.web.jsonl.zst --web wiki.web.jsonl.zst --sections news.web.jsonl.zst`,
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&webs, "web", nil, "frozen web to draw from, a `FILE`; required, repeatable")
	fl.StringArrayVar(&named, "sections", nil, "web whose labels are sections of its sites, a `FILE`; repeatable (default those of --web)")
	fl.IntVar(&opts.Pairs, "pairs", sections.DefaultPairs, "`N` pairs a draw")
	fl.IntVar(&opts.Redraws, "redraws", sections.DefaultRedraws, "draw `N` times")
	fl.Uint64Var(&opts.Seed, "seed", 1, "of the draws, a number `N`")
	return cli.WithFile(cli.WithResult(s, cmd, func(context.Context, []string) (*table6, error) {
		if err := checkTable6(webs, opts); err != nil {
			return nil, err
		}
		return runTable6(webs, named, opts)
	}, table6Page))
}

func checkTable6(webs []string, opts sections.Options) error {
	var problems []error
	if len(webs) == 0 {
		problems = append(problems, errors.New("--web is missing: name a frozen web"))
	}
	if opts.Pairs < 2 || opts.Pairs > 1_000_000 {
		problems = append(problems, fmt.Errorf("--pairs is %d: it must be 2 to 1,000,000", opts.Pairs))
	}
	if opts.Redraws < 1 || opts.Redraws > 10_000 {
		problems = append(problems, fmt.Errorf("--redraws is %d: it must be 1 to 10,000", opts.Redraws))
	}
	return cli.Usage(errors.Join(problems...))
}

func runTable6(names, named []string, opts sections.Options) (*table6, error) {
	webs, err := loadIndexes(names)
	if err != nil {
		return nil, err
	}
	all, err := sections.NewSet(webs...)
	if err != nil {
		return nil, cli.Usage(err)
	}
	bySection := all
	if len(named) > 0 {
		webs, err := loadIndexes(named)
		if err != nil {
			return nil, err
		}
		if bySection, err = sections.NewSet(webs...); err != nil {
			return nil, cli.Usage(err)
		}
	}
	t := &table6{Pairs: opts.Pairs, Redraws: opts.Redraws, Seed: opts.Seed, Votes: []sections.Vote{}}
	if t.Rows, err = sections.Table(all, bySection, opts); err != nil {
		return nil, cli.Usage(err) // the webs lack what a pair needs
	}
	for _, w := range webs {
		for _, form := range []urlshape.Form{urlshape.FormPaper, urlshape.FormPath} {
			vote, err := sections.Votes(w, urlshape.DefaultParams(form), opts.Seed)
			if err != nil {
				return nil, err
			}
			t.Votes = append(t.Votes, vote)
		}
	}
	return t, nil
}

// loadIndexes reads webs for their URLs and labels. A file that cannot be read
// is the caller's mistake.
func loadIndexes(names []string) ([]*frozenweb.Web, error) {
	var webs []*frozenweb.Web
	for _, name := range names {
		w, err := frozenweb.LoadIndex(name)
		if err != nil {
			return nil, cli.Usage(err)
		}
		w.Name = cmp.Or(w.Name, name)
		webs = append(webs, w)
	}
	return webs, nil
}

func table6Page(w *bytes.Buffer, r *table6) {
	fmt.Fprintf(w, "Accuracy over %d draws of %d pairs of URLs (seed %d): mean, and range over the draws\n\n", r.Redraws, r.Pairs, r.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "pairs\tform\tthreshold\taccuracy\thost + first directory")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%.4g\t%s\t%s\n", row.Setting, row.Params.Form, row.Params.Threshold, shareCell(row.Shipped), shareCell(row.Simple))
	}
	_ = t.Flush() // to memory
	fmt.Fprint(w, "\nBy threshold, the other constants as shipped\n\n")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "threshold\t")
	for _, row := range r.Rows {
		name, _, _ := strings.Cut(row.Setting, ",")
		fmt.Fprintf(t, "%s\t", name)
	}
	fmt.Fprintln(t)
	for i, cut := range r.Rows[0].Cuts {
		fmt.Fprintf(t, "%.2f\t", cut.Threshold)
		for _, row := range r.Rows {
			fmt.Fprintf(t, "%.3f\t", row.Cuts[i].Accuracy.Mean)
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to memory
	fmt.Fprint(w, "\nStructure vote: share of a web's URLs that it calls alike\n\n")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "web\tform\tlabels\ton topic\toff topic")
	for _, v := range r.Votes {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.2f\t%.2f\n", cli.Clean(v.Web), v.Form, v.Topics, v.On, v.Off)
	}
	_ = t.Flush() // to memory
}

// shareCell is a mean with its range.
func shareCell(s sections.Share) string {
	return fmt.Sprintf("%.3f [%.3f–%.3f]", s.Mean, s.Low, s.High)
}
