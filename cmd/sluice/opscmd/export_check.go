package opscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sluice/cmd/sluice/cli"
	"sluice/shared/dataset/export"
	"sluice/shared/local"
	"sluice/shared/local/sift"
	"sluice/shared/topic"
)

// What a check ends with when it has found something. What that is stands on
// stdout.
var (
	errDiffers  = errors.New("the export is not as it was made")
	errNotWhole = errors.New("the folder is not whole")
)

// checkExports checks what is at a path: a dataset, or a folder with the
// datasets in it.
func checkExports(ctx context.Context, s cli.Streams, path string, asJSON bool) error {
	if err := cli.CheckFolder(path); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(ctx)
	defer stop()
	sc := cli.NewScreen(s.Err)
	res, err := checkAll(ctx, path, showSteps(sc))
	sc.Show()
	if err != nil {
		return cli.BrokenOff(ctx, err)
	}
	if err := cli.PrintResult(s, asJSON, res, checkedPage); err != nil {
		return err
	}
	switch {
	case res.Problems == 0:
		return nil
	case res.Folder != nil && len(res.Folder.Problems) == res.Problems:
		return errNotWhole
	}
	return errDiffers
}

// checkAll checks the datasets at a path and the folder that they were made of.
func checkAll(ctx context.Context, path string, progress func(string, int64, int64)) (*checkResult, error) {
	res := &checkResult{Path: path, Exports: []*export.Checked{}}
	var err error
	if res.Folder, err = checkSource(ctx, path, progress); err != nil {
		return nil, err
	}
	list, err := export.Check(ctx, path, progress)
	switch {
	case err == nil:
		res.Exports = list
	case !errors.Is(err, export.ErrNoExport) || res.Folder == nil:
		return nil, err
	}
	for _, c := range res.Exports {
		res.Problems += len(c.Problems)
	}
	if res.Folder != nil {
		res.Problems += len(res.Folder.Problems)
	}
	return res, nil
}

// checkSource checks the folder of a crawl, a sift or a copy; nil for anything
// else.
func checkSource(ctx context.Context, dir string, progress func(string, int64, int64)) (res *export.CheckedFolder, err error) {
	kind := kindOf(dir)
	if kind == ofNothing {
		return nil, nil
	}
	folder := &export.Folder{Dir: dir}
	var problems []string
	if kind == ofCrawl {
		held, c, err := openCrawl(ctx, dir)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			problems = append(problems, err.Error()+"; what counts was not checked")
		default:
			folder = held
			defer func() { err = cli.CloseWith(c, err) }()
			if err := c.Verify(ctx); err != nil {
				problems = append(problems, err.Error())
			}
		}
		switch _, err := topic.LoadAny(local.TopicPath(dir)); {
		case !exists(local.TopicPath(dir)):
			problems = append(problems, local.TopicFile+" is missing: the crawl cannot continue without --topic")
		case err != nil:
			problems = append(problems, local.TopicFile+" cannot be read, so that the crawl cannot continue without --topic: "+err.Error())
		}
	}
	if kind == ofLost {
		problems = append(problems, lostNote(dir)+"; what counts was not checked")
	}
	if res, err = export.CheckFolder(ctx, folder, progress); err != nil {
		return nil, err
	}
	res.Problems = append(problems, res.Problems...)
	return res, nil
}

// openCrawl opens the folder of a crawl with its ledger.
func openCrawl(ctx context.Context, dir string) (*export.Folder, *local.Folder, error) {
	f, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return nil, nil, fmt.Errorf("the ledger cannot be read: %w", err)
	}
	folder, err := f.Dataset(ctx)
	if err != nil {
		return nil, nil, cli.CloseWith(f, fmt.Errorf("the ledger cannot be read: %w", err))
	}
	return folder, f, nil
}

// folderKind is what wrote a folder.
type folderKind int

const (
	ofNothing folderKind = iota // no folder of a known kind
	ofCrawl                     // a crawl on this machine
	ofOther                     // a sift, or a copy of a crawl on a stack
	ofLost                      // a crawl, whose ledger is gone
	ofRecords                   // of records that datasets were made of
)

func kindOf(dir string) folderKind {
	is := func(name string) bool { return exists(filepath.Join(dir, name)) }
	datasets, err := export.In(dir)
	switch {
	case is(local.StateFile):
		return ofCrawl
	case is(sift.StateFile), is(local.LabelFile):
		return ofOther
	case !is("corpus"):
		return ofNothing
	case exists(local.TopicPath(dir)):
		return ofLost
	case err == nil && len(datasets) > 0:
		return ofRecords
	}
	return ofNothing
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// lostNote says that a folder was a crawl's.
func lostNote(dir string) string {
	return fmt.Sprintf("%s is missing: by its %s the folder is that of a crawl", local.StateFile, filepath.Base(local.TopicPath(dir)))
}

// checkResult is what a check came to; the keys are stable.
type checkResult struct {
	Path     string                `json:"path"`
	Problems int                   `json:"problems"`
	Folder   *export.CheckedFolder `json:"folder"` // null where the path is that of a dataset
	Exports  []*export.Checked     `json:"exports"`
}

// checkedPage lists what is wrong, and what could not be checked.
func checkedPage(w *bytes.Buffer, r *checkResult) {
	if c := r.Folder; c != nil {
		fmt.Fprintf(w, "%s: %s, %s\n", c.Dir, cli.Count(c.Records, "document"), judgement(&c.Findings, "whole"))
		if len(c.Problems) == 0 {
			fmt.Fprintf(w, "  %d found in the archives, %s, %d that count no more\n", c.Located, cli.Count(c.Rejects, "reject"), c.Others)
		}
		writeFindings(w, &c.Findings)
	}
	for _, c := range r.Exports {
		if w.Len() > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s, %s\n", c.Out, cli.Count(c.Records, "record"), judgement(&c.Findings, "as it was made"))
		if len(c.Problems) == 0 {
			fmt.Fprintf(w, "  %d found in the archives, %s in the index\n", c.Located, cli.Count(c.Captures, "response"))
		}
		writeFindings(w, &c.Findings)
	}
}

func judgement(f *export.Findings, well string) string {
	if n := len(f.Problems); n > 0 {
		return cli.Count(n, "problem")
	}
	return well
}

func writeFindings(w *bytes.Buffer, f *export.Findings) {
	for _, p := range f.Problems {
		fmt.Fprintf(w, "  %s\n", cli.Clean(p))
	}
	for _, n := range f.Notes {
		fmt.Fprintf(w, "  note: %s\n", cli.Clean(n))
	}
}
