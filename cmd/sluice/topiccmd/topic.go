// Package topiccmd has the commands that make topics.
package topiccmd

import (
	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
)

const aboutTopic = `Make topics: from words and text to the compiled topic that a crawl runs on. Most
begin with a topic file, or with "from-pages"; "train" and "weigh" make something
of text that "compile" needs, and "refine" learns from a first crawl.`

// New makes the command topic.
func New(s cli.Streams, getenv func(string) string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "topic COMMAND",
		Short: "Make topics: train, weigh, compile, refine, inspect",
		Long:  aboutTopic,
		Args:  cobra.ArbitraryArgs,
		RunE:  cli.NameOne("COMMAND", "command", " of topic"),
	}
	cmd.AddCommand(
		newTopicTrain(s), newTopicNearest(s), newTopicWeigh(s), newTopicRefine(s), newTopicAHP(s),
		newTopicCompile(s), newTopicFromPages(s, getenv), newTopicInspect(s), newTopicScore(s),
	)
	for _, c := range cmd.Commands() {
		c.Flags().SortFlags = false
		c.PreRun = func(*cobra.Command, []string) { cli.LiftMemoryLimit(getenv) }
	}
	return cmd
}
