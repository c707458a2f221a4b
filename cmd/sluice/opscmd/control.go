package opscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/console"
)

func controlPage(w *bytes.Buffer, c *console.Control) {
	if c.Stack == "" {
		fmt.Fprintf(w, "%s in %s: %s\n", c.Crawl, c.Out, folderState(c.State, c.Reason))
		return
	}
	fmt.Fprintf(w, "%s of stack %s: %s\n", c.Crawl, c.Stack, stateInWords(&console.Summary{State: c.State, Reason: c.Reason}))
}

// steer steers the crawl that is named, and prints its state then.
func (f *stackFlags) steer(ctx context.Context, s cli.Streams, name string, do func(context.Context, crawl) (*console.Control, error)) error {
	return f.with(ctx, name, "sluice status shows the result", func(ctx context.Context, c crawl) error {
		out, err := do(ctx, c)
		if err != nil {
			return err
		}
		return cli.PrintResult(s, f.json, out, controlPage)
	})
}

// NewPause makes the command pause.
func NewPause(s cli.Streams) *cobra.Command {
	var f stackFlags
	cmd := &cobra.Command{
		Use:   "pause DIR | --stack NAME CRAWL",
		Short: "Let a running crawl wait; resume continues it",
		Long: `Let a running crawl wait; resume continues it. A crawl in a folder finishes the
pages in progress, and its process waits; its budget of time runs on.`,
		Example: `  sluice pause out/finance
  sluice pause --stack sluice finance`,
		Args: f.onStackOr(cli.WantArgs("DIR"), cli.WantArgs("CRAWL")),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.steer(cmd.Context(), s, args[0], func(ctx context.Context, c crawl) (*console.Control, error) { return c.Pause(ctx) })
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// NewStop makes the command stop.
func NewStop(s cli.Streams) *cobra.Command {
	var f stackFlags
	var reason string
	cmd := &cobra.Command{
		Use:   "stop DIR | --stack NAME CRAWL",
		Short: "End a crawl early and keep its state",
		Long: `End a crawl early and keep its state. The process of a crawl in a folder finishes
the pages in progress and ends with 3, as after Ctrl-C; sluice crawl --resume
continues the crawl. On a stack sluice resume does.`,
		Example: `  sluice stop out/finance
  sluice stop --stack sluice finance --reason 'enough'`,
		Args: f.onStackOr(cli.WantArgs("DIR"), cli.WantArgs("CRAWL")),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.steer(cmd.Context(), s, args[0], func(ctx context.Context, c crawl) (*console.Control, error) { return c.Stop(ctx, reason) })
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&reason, "reason", "", "`WHY`, for status (default \"stopped\")")
	return cmd
}

// NewResume makes the command resume.
func NewResume(s cli.Streams) *cobra.Command {
	var f stackFlags
	var c operator.Changes
	var topic string
	limits := cli.LimitFlags{Changes: true}
	var delay time.Duration
	cmd := &cobra.Command{
		Use:   "resume DIR | --stack NAME CRAWL",
		Short: "Continue a paused crawl; on a stack, change it too",
		Long: `Continue the paused crawl in a folder, whose process waits. A crawl without a
process is continued by sluice crawl --resume.

On a stack, continue a crawl that is paused, stopped, or ended by a budget that
is raised here. A running crawl changes at its next batches of pages. Pages that
it has kept stay, even if the new topic would refuse them.`,
		Example: `  sluice resume out/finance
  sluice resume --stack sluice finance --max-pages 50000`,
		Args: f.onStackOr(cli.WantArgs("DIR"), cli.WantArgs("CRAWL")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.stack == "" {
				if err := f.stackOnly(cmd.Flags(), "max-pages", "max-pages-per-host", "max-depth", "max-duration", "max-cost", "delay", "scope-mode", "allow", "deny", "topic"); err != nil {
					return err
				}
				return f.steer(cmd.Context(), s, args[0], func(ctx context.Context, c crawl) (*console.Control, error) { return c.Resume(ctx) })
			}
			err := stackTopic(topic, &c.Topic, &c.TopicFile)
			if err = errors.Join(err, limits.Check(cmd.Flags())); err != nil {
				return err
			}
			if cmd.Flags().Changed("delay") {
				c.Delay = &delay
			}
			c.Limits, c.Scope = limits.Limits, limits.Scope()
			return f.run(cmd.Context(), "sluice status shows the result", func(ctx context.Context, o *operator.Operator) error {
				out, err := o.Console(args[0]).Change(ctx, c)
				if err != nil {
					return err
				}
				return cli.PrintResult(s, f.json, out, controlPage)
			})
		},
	}
	fl := cmd.Flags()
	f.register(fl)
	limits.Register(fl, func(key string) string {
		switch key {
		case "max_duration":
			return "as it is; a new one counts from now"
		case "allow", "deny":
			return "as it is; '' empties the list"
		}
		return "as it is"
	})
	fl.Float64Var(&c.MaxCost, "max-cost", 0, "new budget of `USD` dollars in all (default as it is)")
	fl.DurationVar(&delay, "delay", 0, "new pause `D` between two fetches on a host (default as it is)")
	fl.StringVar(&topic, "topic", "", "new topic `FILE`, YAML or compiled, or the key of one in the bucket (default as it is)")
	return cmd
}
