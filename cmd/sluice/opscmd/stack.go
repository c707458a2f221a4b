package opscmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/console"
	"sluice/shared/local"
	"sluice/shared/state/job"
)

// stackFlags are those of every command that works on a stack.
type stackFlags struct {
	stack string
	json  bool
}

func (f *stackFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.stack, "stack", "", "`NAME` of the CloudFormation stack; region, credentials and endpoint are found as by the AWS CLI")
	fl.BoolVar(&f.json, "json", false, "print JSON")
}

// run runs a command on the stack, which has to be named. The first interrupt
// breaks it off, and goOn says what then; a second one ends the process.
func (f *stackFlags) run(ctx context.Context, goOn string, do func(context.Context, *operator.Operator) error) error {
	if f.stack == "" {
		return cli.Usage(errors.New("--stack is missing: name the stack that sam deploy made"))
	}
	ctx, stop := cli.UntilInterrupt(ctx)
	defer stop()
	o, err := operator.Open(ctx, f.stack)
	if err == nil {
		err = do(ctx, o)
	}
	if err != nil && ctx.Err() != nil {
		return cli.Stopped("stopped early; " + goOn)
	}
	return err
}

// crawl is a crawl in a folder or on a stack.
type crawl interface {
	console.Viewer
	console.Controls
}

// with runs a command on the crawl that is named: by its folder or, with --stack,
// by its id. goOn says what then when it is interrupted.
func (f *stackFlags) with(ctx context.Context, name, goOn string, do func(context.Context, crawl) error) error {
	if f.stack != "" {
		return f.run(ctx, goOn, func(ctx context.Context, o *operator.Operator) error { return do(ctx, o.Console(name)) })
	}
	return inFolder(ctx, name, goOn, func(ctx context.Context, c *local.Console) error { return do(ctx, c) })
}

// inFolder runs a command on the crawl in a folder.
func inFolder(ctx context.Context, dir, goOn string, do func(context.Context, *local.Console) error) error {
	if err := cli.CheckFolder(dir); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(ctx)
	defer stop()
	err := do(ctx, local.NewConsole(dir))
	if err != nil && ctx.Err() != nil {
		return cli.Stopped("stopped early; " + goOn)
	}
	return err
}

// onStackOr takes the arguments of a command that works on a folder, or with
// --stack on a crawl there.
func (f *stackFlags) onStackOr(folder, stack cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if f.stack == "" {
			return folder(cmd, args)
		}
		return stack(cmd, args)
	}
}

// crawlFirst takes the crawl of a command on a stack from its arguments, where it comes
// first, unless --crawl names it. It returns the other arguments. The crawl stays empty
// if the first argument is no id.
func crawlFirst(crawl *string, args []string) []string {
	if *crawl != "" || len(args) == 0 || job.CheckID(args[0]) != nil {
		return args
	}
	*crawl = args[0]
	return args[1:]
}

// stackOnly refuses flags that mean nothing for a folder.
func (f *stackFlags) stackOnly(fl *pflag.FlagSet, names ...string) error {
	if f.stack != "" {
		return nil
	}
	for _, name := range names {
		if fl.Changed(name) {
			return cli.Usage(fmt.Errorf("--%s is for crawls of a stack: name it with --stack", name))
		}
	}
	return nil
}

// stackWhy puts the reasons into words for which a crawl of a stack has ended.
var stackWhy = map[string]string{
	job.ReasonFrontierEmpty: "the frontier is empty: nothing is left to fetch",
	job.ReasonHostsDown:     "links are left on hosts that were down; continue with sluice redrive",
	job.ReasonHarvestRate:   "the last pages brought too few documents",
	job.ReasonCoverage:      "the last documents say nearly nothing new",
	job.ReasonMaxPages:      "the budget of pages is used up; continue with sluice resume and a larger --max-pages",
	job.ReasonMaxDuration:   "the budget of time is used up; continue with sluice resume and --max-duration",
	job.ReasonMaxCost:       "the budget of dollars is used up; continue with sluice resume and a larger --max-cost",
	job.ReasonStopped:       "it was stopped; continue with sluice resume",
}

// stateInWords says what a crawl is doing, or why it has ended.
func stateInWords(s *console.Summary) string {
	words, known := stackWhy[s.Reason]
	switch {
	case known:
		return string(s.State) + ": " + words
	case s.Reason != "":
		return string(s.State) + ": " + cli.Clean(s.Reason)
	case s.State == job.Paused:
		return "paused; continue with sluice resume"
	}
	return string(s.State)
}

// folderState says what a crawl in a folder is doing, or why it has ended.
func folderState(state job.State, reason string) string {
	words, known := cli.Why[reason]
	switch {
	case known:
		return words
	case state == job.Paused:
		return "paused; sluice resume continues it"
	case reason == "":
		return string(state)
	case reason == string(state):
		return "stopped; continue with --resume"
	}
	return fmt.Sprintf("%s: %s; continue with --resume", state, cli.Clean(reason))
}

// dollars writes an amount with as many digits as tell something.
func dollars(amount float64) string {
	if amount > 0 && amount < 1 {
		return fmt.Sprintf("$%.4f", amount)
	}
	return fmt.Sprintf("$%.2f", amount)
}

// minute writes a time for people.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
