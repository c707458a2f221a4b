// Package topiccmd has the commands that make topics.
package topiccmd

import (
	"fmt"
	"math"
	"runtime/debug"
	"strings"

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
		RunE: func(cmd *cobra.Command, args []string) error {
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			known := strings.Join(names, ", ")
			if len(args) == 0 {
				return cli.Usage(fmt.Errorf("COMMAND is missing: it is one of %s", known))
			}
			return cli.Usage(fmt.Errorf("there is no command %q of topic; there are %s", args[0], known))
		},
	}
	cmd.AddCommand(
		newTopicTrain(s), newTopicNearest(s), newTopicWeigh(s), newTopicRefine(s), newTopicAHP(s),
		newTopicCompile(s), newTopicFromPages(s, getenv), newTopicInspect(s), newTopicScore(s),
	)
	for _, c := range cmd.Commands() {
		c.Flags().SortFlags = false
		c.PreRun = func(*cobra.Command, []string) { liftMemoryLimit(getenv) }
	}
	return cmd
}

// liftMemoryLimit undoes tuneMemory, which suits crawls: vectors are several
// times as large as that limit, stay, and leave little garbage.
func liftMemoryLimit(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
