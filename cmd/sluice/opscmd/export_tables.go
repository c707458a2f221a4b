package opscmd

import (
	"bytes"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/dataset/export"
	"sluice/shared/dataset/tables"
	"sluice/shared/local"
	"sluice/shared/topic"
)

// ofRecords reports whether an export makes tables of the records of a structured
// crawl.
func (f *exportFlags) ofRecords(dirs []string) bool {
	return f.stack == "" && (f.format == tables.CSV || f.format == tables.Parquet && len(dirs) == 1 && isStructured(dirs[0]))
}

// isStructured reports whether a folder is that of a structured crawl, also of one that
// has no records yet.
func isStructured(dir string) bool {
	if exists(filepath.Join(dir, local.RecordsFolder)) {
		return true
	}
	compiled, err := topic.LoadAny(local.TopicPath(dir))
	return err == nil && compiled.File.Template != ""
}

// tables makes tables of the records of a structured crawl.
func (f *exportFlags) tables(cmd *cobra.Command, s cli.Streams, dirs []string) error {
	if len(dirs) > 1 {
		return cli.Usage(fmt.Errorf("%d folders: tables are made of one", len(dirs)))
	}
	for _, name := range []string{"min-relevance", "dedupe", "split", "shard-size", "no-warc"} {
		if cmd.Flags().Changed(name) {
			return cli.Usage(fmt.Errorf("--%s is for documents, not for the records of a structured crawl", name))
		}
	}
	for _, dir := range []string{dirs[0], f.out} {
		if err := cli.CheckFolder(dir); err != nil {
			return err
		}
	}
	out := f.out
	if out == "" {
		out = filepath.Join(dirs[0], export.FolderName, f.format)
	}
	ctx, stop := cli.UntilInterrupt(cmd.Context())
	defer stop()
	res, err := tables.Run(ctx, filepath.Join(dirs[0], local.RecordsFolder), out, f.format)
	if err != nil {
		return cli.BrokenOff(ctx, err)
	}
	return cli.PrintResult(s, f.json, res, tablesPage)
}

func tablesPage(w *bytes.Buffer, r *tables.Result) {
	fmt.Fprintf(w, "%s in %s\n\n", cli.Count(len(r.Tables), "table"), r.Out)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, table := range r.Tables {
		fmt.Fprintf(t, "  %s\t%d\t\n", cli.Clean(table.File), table.Rows)
	}
	_ = t.Flush() // to memory
}
