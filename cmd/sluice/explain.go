package main

import (
	"context"

	"github.com/spf13/cobra"

	"sluice/shared/local"
	"sluice/shared/topic"
)

func newExplain(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "explain DIR URL",
		Short:   "Say what became of a URL, and every part of why",
		Example: "  sluice explain out/finance https://example.com/a.html",
		Args:    wantArgs("DIR", "URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			x, err := explain(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.out, x)
			}
			return printPage(s.out, explanationPage(x))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// explanation is what a crawl knows of a URL, and what it decided by.
type explanation struct {
	*local.Explanation
	Constants *constants `json:"constants,omitempty"`
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
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	f, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = closeWith(f, err) }()
	x, err := f.Explain(ctx, url)
	if err != nil {
		return nil, err
	}
	return &explanation{x, readConstants(dir)}, nil
}

// readConstants reads those of the crawl in a folder. They are nil where its
// copy of the topic is gone, or no longer read: the explanation holds without
// them.
func readConstants(dir string) *constants {
	compiled, err := topic.LoadAny(local.TopicPath(dir))
	if err != nil {
		return nil
	}
	t := compiled.File
	return &constants{
		Alpha: t.Weights.Alpha, Beta: t.Weights.Beta, Lambda: t.Weights.Lambda,
		PriorityThreshold: t.Thresholds.Priority, DescriptionThreshold: t.Thresholds.Description,
		BodyThreshold: t.Thresholds.Body, AnchorThreshold: t.Thresholds.Anchor,
	}
}
