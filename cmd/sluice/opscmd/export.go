package opscmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/dataset/export"
	"sluice/shared/local"
	"sluice/shared/local/filecorpus"
)

// exportFlags are the flags of export, as given.
type exportFlags struct {
	stackFlags
	out, format, split, shardSize string
	minRelevance                  float64
	dedupe, check, noWARC         bool
}

// defaultSplit is what --split means by itself.
const defaultSplit = "0.98,0.01,0.01"

func (f *exportFlags) register(fl *pflag.FlagSet) {
	f.stackFlags.register(fl)
	fl.StringVar(&f.out, "out", "", "folder of the dataset, `OUT` (default DIR/export/FORMAT); with --stack, the folder to copy into; of web and edges, the file")
	fl.StringVar(&f.format, "format", "", "`FORMAT`: jsonl, parquet, text or hf; csv or parquet of the records of a structured crawl; or web or edges, which are files for sluice eval (default jsonl; with --stack, the copy alone)")
	fl.Float64Var(&f.minRelevance, "min-relevance", 0, "leave out documents less relevant than `X`, by their body or else their description")
	fl.BoolVar(&f.dedupe, "dedupe", false, "leave out documents that repeat another; without it they are marked")
	fl.StringVar(&f.split, "split", "", "draw splits in the shares `TRAIN,VALIDATION,TEST`; --split alone is "+defaultSplit)
	fl.Lookup("split").NoOptDefVal = defaultSplit
	fl.StringVar(&f.shardSize, "shard-size", "256MB", "begin another file at this `SIZE`, compressed: 1MB to 2GB")
	fl.BoolVar(&f.check, "check", false, "check an export, or all of a crawl's folder, instead of making one")
	fl.BoolVar(&f.noWARC, "no-warc", false, "with --stack: leave the archives (WARC) where they are")
}

// NewExport makes the command export.
func NewExport(s cli.Streams) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export DIR... | --stack NAME CRAWL --out DIR | --check PATH",
		Short: "Make a dataset of crawls, or copy one from AWS",
		Long: `Make a dataset of the folders of crawls: compressed shards, a manifest with
their digests, an index of the archives (CDXJ) and a card. The same folders and
options give the same bytes. Run again, it continues an interrupted export, and
leaves a complete one unchanged. While a crawl runs, the export has its finished
documents. If documents that the ledger points at are missing, it makes none.

With --stack the corpus of a crawl on AWS is copied into a folder like that of a
crawl on this machine; with --format it is then exported from there. Run again, it
copies what is missing. It ends with 3 if pages are not cleaned yet, or must be
cleaned again because more was learned of their hosts.

Of a structured crawl --format csv and parquet make a table of the records of each
layer of each site.

With --format web the pages of one crawl become a frozen web, the file OUT, on
which sluice eval strategies compares topics and strategies without a network.
Archived pages are in it as they were served (see --archive of sluice crawl); kept
ones have the topic's name as their label. Other pages have only their titles and
the links that the crawl found there first. Redirects, sitemaps and missing pages
are those of the crawl. With --format edges the file OUT has the links of the
pages of a crawl by the strategy pagerank, which records them, one a line for
sluice eval pagerank. Of a crawl on AWS a copy is made beside the file, and removed
again.

With --check nothing is written. In a dataset, every file is compared with the
manifest, and every record with its place in the archives. In a crawl's folder,
the documents are compared with the ledger and the archives, and then the datasets
in it are checked. It ends with 1 if anything differs.`,
		Example: `  sluice export out/finance --format hf --dedupe --split
  sluice export out/finance out/banks --format parquet --out data/money
  sluice export out/finance --format web --out finance.web.jsonl.zst
  sluice export --check out/finance
  sluice export --stack sluice finance --out out/finance`,
		Args: func(cmd *cobra.Command, args []string) error { return f.checkArgs(cmd.Flags(), args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.check:
				return checkExports(cmd.Context(), s, args[0], f.json)
			case f.format == webFormat || f.format == edgesFormat:
				return f.file(cmd, s, args)
			case f.ofRecords(args):
				return f.tables(cmd, s, args)
			case f.stack != "":
				return f.fromStack(cmd, s, args[0])
			}
			return f.fromFolders(cmd.Context(), s, args)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// shares are those of --split, or some, where a folder is wanted.
var shares = regexp.MustCompile(`^[01]?\.?\d*,[\d., ]*$|^0?\.\d+$`)

// checkArgs tells the three ways to call export apart.
func (f *exportFlags) checkArgs(fl *pflag.FlagSet, args []string) error {
	if fl.Changed("split") {
		for _, arg := range args {
			if _, err := os.Stat(arg); err != nil && shares.MatchString(arg) {
				return fmt.Errorf("%q is no folder of a crawl: write --split=0.8,0.1,0.1, with = and without spaces", arg)
			}
		}
	}
	switch {
	case f.check:
		for _, name := range []string{"stack", "out", "format", "min-relevance", "dedupe", "split", "shard-size", "no-warc"} {
			if fl.Changed(name) {
				return fmt.Errorf("--check takes no --%s", name)
			}
		}
		return cli.WantArgs("PATH")(nil, args)
	case f.stack != "":
		return cli.WantArgs("CRAWL")(nil, args)
	case len(args) == 0:
		return errors.New("DIR or, with --stack, CRAWL is missing")
	}
	return nil
}

// options checks the flags, all problems at once.
func (f *exportFlags) options() (export.Options, error) {
	opts := export.Options{Format: export.Format(f.format), MinRelevance: f.minRelevance, Dedupe: f.dedupe, Sluice: cli.Version}
	var problems []error
	if !slices.Contains(export.Formats(), opts.Format) {
		problems = append(problems, fmt.Errorf("--format is %q: it must be one of jsonl, parquet, text, hf, csv, web, edges", f.format))
	}
	if math.IsNaN(f.minRelevance) || math.IsInf(f.minRelevance, 0) || f.minRelevance < 0 {
		problems = append(problems, fmt.Errorf("--min-relevance is %v: it must be a number from 0 on", f.minRelevance))
	}
	var err error
	if opts.ShardSize, err = parseBytes(f.shardSize); err != nil || opts.ShardSize < export.MinShardSize || opts.ShardSize > export.MaxShardSize {
		problems = append(problems, fmt.Errorf("--shard-size is %q: it must be a size from 1MB to 2GB", f.shardSize))
	}
	if f.split != "" {
		if opts.Split, err = export.ParseSplit(f.split); err != nil {
			problems = append(problems, fmt.Errorf("--split: %w", err))
		}
	}
	return opts, cli.Usage(errors.Join(problems...))
}

// fromFolders exports crawls of this machine.
func (f *exportFlags) fromFolders(ctx context.Context, s cli.Streams, dirs []string) error {
	if f.noWARC {
		return cli.Usage(errors.New("--no-warc is for crawls of a stack: name it with --stack"))
	}
	f.format = cmp.Or(f.format, string(export.JSONL))
	opts, err := f.options()
	if err != nil {
		return err
	}
	out := f.out
	if out == "" {
		if len(dirs) > 1 {
			return cli.Usage(errors.New("--out is missing: name a folder for a dataset of several crawls"))
		}
		out = filepath.Join(dirs[0], export.FolderName, f.format)
	}
	ctx, stop := cli.UntilInterrupt(ctx)
	defer stop()
	res, err := exportFolders(ctx, s, dirs, out, opts)
	if err != nil {
		return cli.BrokenOff(ctx, err)
	}
	return cli.PrintResult(s, f.json, res, datasetPage)
}

// fromStack copies the corpus of a crawl on a stack, and exports the copy where
// a format is named.
func (f *exportFlags) fromStack(cmd *cobra.Command, s cli.Streams, crawl string) error {
	if f.out == "" {
		return cli.Usage(errors.New("--out is missing: name a folder"))
	}
	if err := cli.CheckFolder(f.out); err != nil {
		return err
	}
	var then func(context.Context, *operator.Exported) (*export.Result, error)
	if f.format == "" {
		for _, name := range []string{"min-relevance", "dedupe", "split", "shard-size"} {
			if cmd.Flags().Changed(name) {
				return cli.Usage(fmt.Errorf("--%s is for a dataset: name its --format", name))
			}
		}
	} else {
		opts, err := f.options()
		if err != nil {
			return err
		}
		then = func(ctx context.Context, copied *operator.Exported) (*export.Result, error) {
			return exportFolders(ctx, s, []string{copied.Out}, filepath.Join(copied.Out, export.FolderName, f.format), opts)
		}
	}
	return f.run(cmd.Context(), "continue with the same command", func(ctx context.Context, o *operator.Operator) error {
		return copyCrawl(ctx, s, &f.stackFlags, o, crawl, f.out, operator.ExportOptions{NoWARC: f.noWARC}, then)
	})
}

// exportFolders makes a dataset.
func exportFolders(ctx context.Context, s cli.Streams, dirs []string, out string, opts export.Options) (_ *export.Result, err error) {
	if err := cli.CheckFolder(out); err != nil {
		return nil, err
	}
	var folders []*export.Folder
	notes := []string{}
	for _, dir := range dirs {
		if err := cli.CheckFolder(dir); err != nil {
			return nil, err
		}
		folder, c, note, oerr := openDataset(ctx, dir)
		if oerr != nil {
			return nil, oerr
		}
		defer func() { err = cli.CloseWith(c, err) }()
		folders = append(folders, folder)
		notes = append(notes, note...)
	}
	sc := cli.NewScreen(s.Err)
	defer sc.Show()
	res, err := export.Run(ctx, folders, out, opts, export.Tools{Duplicates: export.NearDuplicates, Lock: filecorpus.Lock, Progress: showSteps(sc)})
	if err != nil {
		return nil, err
	}
	res.Notes = append(notes, res.Notes...)
	return res, nil
}

// openDataset opens a folder that has a ledger, or none: that of a copy, or of
// archives that were sifted. It notes that a crawl has lost its ledger.
func openDataset(ctx context.Context, dir string) (*export.Folder, io.Closer, []string, error) {
	none := io.NopCloser(strings.NewReader(""))
	switch kindOf(dir) {
	case ofCrawl:
	case ofLost:
		return &export.Folder{Dir: dir}, none, []string{dir + ": " + lostNote(dir) + "; every record in it counts"}, nil
	default:
		return &export.Folder{Dir: dir}, none, nil, nil
	}
	f, c, err := openCrawl(ctx, dir)
	switch {
	case err == nil:
		return f, c, nil, nil
	case errors.Is(err, local.ErrNoCrawl) && !exists(filepath.Join(dir, "corpus")):
		return &export.Folder{Dir: dir}, none, nil, nil // a crawl that never began
	}
	return nil, nil, nil, err
}
