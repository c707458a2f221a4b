package opscmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local"
	"sluice/shared/state/forget"
)

// forgetFlags are the flags of forget, as given.
type forgetFlags struct {
	stackFlags
	in     []string
	crawl  string
	all    bool
	dryRun bool
	yes    bool
}

// NewForget makes the command forget.
func NewForget(s cli.Streams) *cobra.Command {
	var f forgetFlags
	cmd := &cobra.Command{
		Use:   "forget DIR URL|HOST... | URL|HOST... --in DIR | --stack NAME CRAWL URL|HOST...",
		Short: "Remove documents from corpus, archives and ledger for good",
		Long: `Remove documents from corpus, archives and ledger for good. URL, in any spelling,
is a page with all that redirects to it; HOST all pages of a host; *.HOST also those
of its subdomains. From then on the crawl refuses them, even if pages link to them,
and so does sluice sift into the folder. Exports below DIR are removed if they may
contain any of it.

DIR is the folder of a crawl, of a sift or of a copy from a stack; with --stack,
CRAWL is a crawl there, and --all means all of them. No crawl may be running in it.
On a stack, --yes or --dry-run is needed.

All other records stay at their places in the archive, also pages that mention what
is forgotten. Copies elsewhere are not changed: backups, exports in other folders,
the files that were sifted.

DIR/forgotten.jsonl lists what was removed: each URL or host as it was given, never
its content. If a call was interrupted, the next one, for any pages, completes it.`,
		Example: `  sluice forget out/finance https://example.com/a.html
  sluice forget *.example.com --in out/finance --in out/banks --dry-run
  sluice forget --stack sluice finance https://example.com/a.html --dry-run`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			dirs, targets, err := f.check(args)
			if err != nil {
				return cli.Usage(err)
			}
			if f.stack != "" {
				return f.fromStack(cmd.Context(), s, targets)
			}
			return f.fromFolders(cmd.Context(), s, dirs, targets)
		},
	}
	f.register(cmd.Flags())
	fl := cmd.Flags()
	fl.StringArrayVar(&f.in, "in", nil, "folder to take them out of, `DIR`; repeatable")
	fl.StringVar(&f.crawl, "crawl", "", "with --stack: take them out of the crawl `ID`, in place of CRAWL")
	fl.BoolVar(&f.all, "all", false, "with --stack: take them out of all crawls, in place of CRAWL")
	fl.BoolVar(&f.dryRun, "dry-run", false, "show what would be removed, and change nothing")
	fl.BoolVar(&f.yes, "yes", false, "with --stack: remove, for good")
	return cmd
}

// check reads the arguments, all problems at once.
func (f *forgetFlags) check(args []string) (dirs []string, targets []forget.Target, err error) {
	dirs = f.in
	switch {
	case f.stack != "" && len(dirs) > 0:
		return nil, nil, errors.New("--stack and --in exclude each other: one call for each")
	case f.stack == "" && f.crawl != "":
		return nil, nil, errors.New("--crawl is for crawls of a stack: name it with --stack")
	case f.stack == "" && (f.all || f.yes):
		return nil, nil, errors.New("--all and --yes are for crawls of a stack: name it with --stack")
	case f.all && f.crawl != "":
		return nil, nil, errors.New("--all and --crawl exclude each other")
	case f.stack == "" && len(dirs) == 0 && len(args) == 0:
		return nil, nil, errors.New("DIR is missing")
	case f.stack == "" && len(dirs) == 0:
		dirs, args = args[:1], args[1:]
	case f.stack != "" && !f.all:
		if args = crawlFirst(&f.crawl, args); f.crawl == "" {
			return nil, nil, errors.New("CRAWL is missing: name the crawl before URL or HOST, or take them out of all crawls with --all")
		}
	}
	if len(args) == 0 {
		return nil, nil, errors.New("URL or HOST is missing")
	}
	problems := make([]error, 0, len(dirs)+2)
	if f.stack != "" && !f.yes && !f.dryRun {
		problems = append(problems, errors.New("what is removed does not come back: look at it with --dry-run, then add --yes"))
	}
	for _, dir := range dirs {
		problems = append(problems, cli.CheckFolder(dir))
	}
	targets, err = forget.ParseAll(args)
	return dirs, targets, errors.Join(append(problems, err)...)
}

// forgottenHere is the outcome for folders of this machine.
type forgottenHere struct {
	DryRun  bool               `json:"dry_run"`
	Folders []*local.Forgotten `json:"folders"`
}

// fromFolders takes targets out of folders.
func (f *forgetFlags) fromFolders(ctx context.Context, s cli.Streams, dirs []string, targets []forget.Target) error {
	out := &forgottenHere{DryRun: f.dryRun, Folders: []*local.Forgotten{}}
	sc := cli.NewScreen(s.Err)
	var failed error
	for _, dir := range dirs {
		done, err := local.Forget(ctx, dir, targets, forget.Options{DryRun: f.dryRun, Progress: showCopies(sc)})
		if err != nil {
			failed = err
			break
		}
		out.Folders = append(out.Folders, done)
	}
	sc.Show()
	if len(out.Folders) > 0 {
		if err := cli.PrintResult(s, f.json, out, forgottenPage); err != nil {
			return err
		}
	}
	return cmp.Or(failed, out.damage())
}

// damage is an error where something could not be read.
func (out *forgottenHere) damage() error {
	places := 0
	for _, f := range out.Folders {
		places += len(f.Damaged)
	}
	return damage(places)
}

func damage(places int) error {
	if places == 0 {
		return nil
	}
	return fmt.Errorf("%s of archives cannot be read, and may hold what was to go", cli.Count(places, "place"))
}

// forgottenPage says what went.
func forgottenPage(w *bytes.Buffer, out *forgottenHere) {
	for i, f := range out.Folders {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: ", f.In)
		printForgotten(w, f.DryRun, f.Targets)
		printList(w, f.DryRun, "rewritten files", "files to rewrite", f.Files)
		printList(w, f.DryRun, "exports removed, since they held it", "exports to be removed, since they hold it", f.Exports)
		printDamaged(w, f.Damaged)
		switch {
		case f.Stack != "":
			fmt.Fprintf(w, "\nIt is a copy: sluice forget --stack %s %s … is for the crawl.\n", cli.Clean(f.Stack), cli.Clean(f.Crawl))
		case !f.Refused:
			fmt.Fprintln(w, "\nNeither a crawl nor a sift is in the folder: nothing there refuses it from now on.")
		}
	}
}

// printForgotten prints what went for each target.
func printForgotten(w io.Writer, dryRun bool, targets []forget.Done) {
	found := false
	for _, t := range targets {
		found = found || !t.Empty()
	}
	switch {
	case !found:
		fmt.Fprintln(w, "nothing was found")
		return
	case dryRun:
		fmt.Fprint(w, "would go, by target\n\n")
	default:
		fmt.Fprint(w, "gone, by target\n\n")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "  documents\trejects\trecords\tentries\tlinks\tbytes\t")
	for _, t := range targets {
		fmt.Fprintf(table, "  %d\t%d\t%d\t%d\t%d\t%d\t  %s\n", t.Documents, t.Rejects, t.Records, t.Entries, t.Links, t.Bytes, cli.Clean(t.Target))
	}
	_ = table.Flush() // to memory
}

// printDamaged names places that cannot be read.
func printDamaged(w io.Writer, places []string) {
	if len(places) > 0 {
		fmt.Fprintln(w)
	}
	for _, place := range places {
		fmt.Fprintf(w, "cannot be read: %s\n", cli.Clean(place))
	}
}

// printList names files, unless there are none.
func printList(w io.Writer, dryRun bool, done, planned string, names []string) {
	if len(names) == 0 {
		return
	}
	title := done
	if dryRun {
		title = planned
	}
	cleaned := make([]string, len(names))
	for i, name := range names {
		cleaned[i] = cli.Clean(name)
	}
	fmt.Fprintf(w, "\n%s\n%s\n", title, cli.Wrap("  ", cleaned))
}
