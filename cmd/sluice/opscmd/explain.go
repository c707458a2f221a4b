package opscmd

import (
	"context"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/local"
	"sluice/shared/topic"
)

// NewExplain makes the command explain.
func NewExplain(s cli.Streams) *cobra.Command {
	var f stackFlags
	cmd := &cobra.Command{
		Use:   "explain DIR URL | --stack NAME CRAWL URL",
		Short: "Say what became of a URL, and every part of why",
		Long: `Say what became of a URL, and every part of why: in a crawl of this machine by
its folder, in one of a stack on AWS by its id. There it takes a while to find a
link that waits or was skipped.`,
		Example: `  sluice explain out/finance https://example.com/a.html
  sluice explain --stack sluice finance https://example.com/a.html`,
		Args: f.onStackOr(cli.WantArgs("DIR", "URL"), cli.WantArgs("CRAWL", "URL")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.stack != "" {
				return explainOnStack(cmd.Context(), s, &f, args[0], args[1])
			}
			x, err := explain(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			return cli.PrintResult(s, f.json, x, explanationPage)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// explanation is what a crawl knows of a URL, and what it decided by.
type explanation struct {
	*local.Explanation
	Constants *constants       `json:"constants,omitempty"`
	Robots    *operator.Robots `json:"robots,omitempty"` // of a stack
	Past      []local.Finding  `json:"past,omitempty"`   // of a crawl that was refreshed, newest first
}

// constants are those of the topic that decide about pages and links.
type constants struct {
	Alpha  float64 `json:"alpha"` // eq. 5
	Beta   float64 `json:"beta"`
	Lambda float64 `json:"lambda"`

	PriorityThreshold    float64 `json:"priority_threshold"`
	DescriptionThreshold float64 `json:"description_threshold"`
	BodyThreshold        float64 `json:"body_threshold"`   // 0: off
	AnchorThreshold      float64 `json:"anchor_threshold"` // 0: off
}

func explain(ctx context.Context, dir, url string) (_ *explanation, err error) {
	if err := cli.CheckFolder(dir); err != nil {
		return nil, err
	}
	f, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = cli.CloseWith(f, err) }()
	x, err := f.Explain(ctx, url)
	if err != nil {
		return nil, err
	}
	past, err := f.Past(ctx, url)
	if err != nil {
		return nil, err
	}
	return &explanation{Explanation: x, Constants: readConstants(dir), Past: past}, nil
}

// readConstants reads those of the crawl in a folder. They are nil where its
// copy of the topic is gone, or no longer read: the explanation holds without
// them.
func readConstants(dir string) *constants {
	compiled, err := topic.LoadAny(local.TopicPath(dir))
	if err != nil {
		return nil
	}
	return constantsOf(compiled.File)
}

func constantsOf(t *topic.File) *constants {
	return &constants{
		Alpha: t.Weights.Alpha, Beta: t.Weights.Beta, Lambda: t.Weights.Lambda,
		PriorityThreshold: t.Thresholds.Priority, DescriptionThreshold: t.Thresholds.Description,
		BodyThreshold: t.Thresholds.Body, AnchorThreshold: t.Thresholds.Anchor,
	}
}
