package opscmd

import (
	"bytes"
	"context"
	"fmt"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/state/forget"
)

// fromStack takes targets out of crawls of a stack.
func (f *forgetFlags) fromStack(ctx context.Context, s cli.Streams, targets []forget.Target) error {
	var crawls []string
	if f.crawl != "" {
		crawls = []string{f.crawl}
	}
	return f.run(ctx, "continue with the same command", func(ctx context.Context, o *operator.Operator) error {
		sc := cli.NewScreen(s.Err)
		out, err := o.Forget(ctx, crawls, targets, forget.Options{DryRun: f.dryRun, Progress: showCopies(sc)})
		sc.Show()
		if err != nil {
			return err
		}
		if err := cli.PrintResult(s, f.json, out, forgottenThere); err != nil {
			return err
		}
		places := 0
		for _, c := range out.Crawls {
			places += len(c.Damaged)
		}
		return damage(places)
	})
}

// forgottenThere says what went out of crawls of a stack.
func forgottenThere(w *bytes.Buffer, out *operator.Forgotten) {
	if len(out.Crawls) == 0 {
		fmt.Fprintf(w, "stack %s has no crawls\n", out.Stack)
	}
	for i, c := range out.Crawls {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s of stack %s: ", c.Crawl, out.Stack)
		printForgotten(w, out.DryRun, c.Targets)
		printList(w, out.DryRun, "rewritten objects", "objects to rewrite", c.Files)
		printDamaged(w, c.Damaged)
	}
}
