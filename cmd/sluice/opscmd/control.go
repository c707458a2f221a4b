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
	"sluice/shared/state/job"
)

// control is what pause, resume and stop have come to.
type control struct {
	Stack    string     `json:"stack"`
	Crawl    string     `json:"crawl"`
	State    job.State  `json:"state"`
	Reason   string     `json:"reason"`
	MaxPages int        `json:"max_pages"`
	Deadline *time.Time `json:"deadline,omitempty"`
	MaxCost  float64    `json:"max_cost,omitempty"`
}

func controlPage(c *control) *bytes.Buffer {
	return bytes.NewBufferString(fmt.Sprintf("%s of stack %s: %s\n", c.Crawl, c.Stack,
		stateInWords(&operator.Summary{State: c.State, Reason: c.Reason})))
}

// change changes a crawl of a stack, and prints what it is then.
func (f *stackFlags) change(ctx context.Context, s cli.Streams, id string, do func(context.Context, *operator.Operator, string) (*job.Job, error)) error {
	return f.run(ctx, "sluice status tells what came of it", func(ctx context.Context, o *operator.Operator) error {
		j, err := do(ctx, o, id)
		if err != nil {
			return err
		}
		c := &control{Stack: f.stack, Crawl: j.ID, State: j.State, Reason: j.Reason, MaxPages: j.MaxPages, MaxCost: j.MaxCost}
		if !j.Deadline.IsZero() {
			c.Deadline = &j.Deadline
		}
		return cli.PrintResult(s, f.json, c, controlPage)
	})
}

// NewPause makes the command pause.
func NewPause(s cli.Streams) *cobra.Command {
	var f stackFlags
	cmd := &cobra.Command{
		Use:     "pause --stack NAME CRAWL",
		Short:   "Pause a crawl on AWS; resume continues it",
		Example: "  sluice pause --stack sluice finance",
		Args:    cli.WantArgs("CRAWL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.change(cmd.Context(), s, args[0], func(ctx context.Context, o *operator.Operator, id string) (*job.Job, error) {
				return o.Pause(ctx, id)
			})
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
		Use:     "stop --stack NAME CRAWL",
		Short:   "Stop a crawl on AWS; resume can still continue it",
		Example: "  sluice stop --stack sluice finance --reason 'enough'",
		Args:    cli.WantArgs("CRAWL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.change(cmd.Context(), s, args[0], func(ctx context.Context, o *operator.Operator, id string) (*job.Job, error) {
				return o.Stop(ctx, id, reason)
			})
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
	var scope scopeFlags
	var delay time.Duration
	cmd := &cobra.Command{
		Use:   "resume --stack NAME CRAWL",
		Short: "Let a crawl on AWS go on, and change it",
		Long: `Let a crawl on AWS go on that is paused, stopped, or ended by a budget that is
raised here. A running crawl changes at its next batches of pages. Pages that it
has kept stay, whatever the new topic says of them.`,
		Example: "  sluice resume --stack sluice finance --max-pages 50000",
		Args:    cli.WantArgs("CRAWL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := stackTopic(topic, &c.Topic, &c.TopicFile)
			if err = errors.Join(err, cli.CheckNumbers(cmd.Flags()), scope.check(true)); err != nil {
				return err
			}
			if cmd.Flags().Changed("delay") {
				c.Delay = &delay
			}
			c.ScopeMode, c.Allow, c.Deny = scope.mode, scope.change(cmd.Flags(), "allow"), scope.change(cmd.Flags(), "deny")
			return f.change(cmd.Context(), s, args[0], func(ctx context.Context, o *operator.Operator, id string) (*job.Job, error) {
				return o.Resume(ctx, id, c)
			})
		},
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.IntVar(&c.MaxPages, "max-pages", 0, "new budget of `N` pages in all (default as it is)")
	fl.IntVar(&c.MaxPagesPerHost, "max-pages-per-host", 0, "new budget of `N` pages for each host (default as it is)")
	fl.IntVar(&c.MaxDepth, "max-depth", 0, "follow `N` links from a seed at most (default as it is)")
	fl.DurationVar(&c.MaxDuration, "max-duration", 0, "new budget of time `D` from now, as in 2h30m (default as it is)")
	fl.Float64Var(&c.MaxCost, "max-cost", 0, "new budget of `USD` dollars in all (default as it is)")
	fl.DurationVar(&delay, "delay", 0, "new pause `D` between two fetches on a host (default as it is)")
	scope.register(fl, "stay within the seeds' `MODE` from now on: any, domain, host or prefix (default as it is)",
		"(default as it is; '' empties the list)")
	fl.StringVar(&topic, "topic", "", "new topic `FILE`, YAML or compiled, or the key of one in the bucket (default as it is)")
	return cmd
}
