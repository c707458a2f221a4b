package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sluice/shared/frontier"
	"sluice/shared/local"
)

func newExplain(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain DIR URL",
		Short: "Say what became of a URL, and every part of why",
		Args:  usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			f, err := local.OpenFolder(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer func() { err = closeWith(f, err) }()
			x, err := f.Explain(cmd.Context(), args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.out, x)
			}
			printExplanation(s.out, x)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// fates puts verdicts and states into words.
var fates = map[string]string{
	"kept":       "fetched and kept: it is in the corpus",
	"passed":     "fetched, off topic: only its links were read",
	"rejected":   "fetched or tried, not kept",
	"redirected": "fetched; it redirects",
	"source":     "fetched, a sitemap or feed: read for its links",
	"skipped":    "never asked for",
	"dead":       "given up on",
	"dropped":    "seen as a link and let go",
	"waiting":    "waits in the backlog",
	"queued":     "queued",
	"leased":     "being fetched, or was when the crawl ended",
	"unknown":    "never seen",
}

func printExplanation(w io.Writer, x *local.Explanation) {
	fmt.Fprintf(w, "%s\n%s\n", x.URL, fates[x.Fate])
	field := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s "+format+"\n", append([]any{name}, args...)...)
	}
	if x.Rule != "" {
		field("rule", "%s", x.Rule)
	}
	if x.DeadReason != "" {
		field("dead letter", "%s", x.DeadReason)
	}
	if t := x.Trace; t != nil {
		if t.Detail != "" {
			field("detail", "%s", t.Detail)
		}
		if t.Status != 0 {
			field("status", "%d", t.Status)
		}
		if t.Target != "" {
			field("redirects to", "%s", t.Target)
		}
		if t.Title != "" {
			field("title", "%s (%s)", t.Title, t.Charset)
		}
		if r := t.Relevance; r != nil {
			field("relevance", "%.4g of the description, threshold %.4g; %d words, %.0f %% of them unknown", r.Value, t.Threshold, r.Words, 100*r.OOV)
			for _, c := range r.Top {
				field("", "%s gives %.4g", c.Word, c.Value)
			}
		}
	}
	if x.Link != nil {
		printLink(field, x.Link)
	}
	if e := x.Entry; e != nil {
		field("links", "%d followed, %d let go", e.Enqueued, e.Dropped)
		if e.Segment != "" {
			field("archive", "%s at %d, %d bytes", e.Segment, e.Offset, e.Length)
		}
		field("at", "%s", e.At.Format("2006-01-02 15:04:05 MST"))
	}
}

func printLink(field func(name, format string, args ...any), l *frontier.Link) {
	switch {
	case l.IsSeed:
		field("found", "it is a seed")
	case l.Parent != "":
		field("found on", "%s, %d links from seed %s", l.Parent, l.Depth, l.Seed)
		if l.Anchor != "" {
			field("anchor", "%s", l.Anchor)
		}
		field("priority", "%.4g, from description %.4g, anchor %.4g, structure %.4g (eq. 5)",
			l.Priority, l.Parts.Description, l.Parts.Anchor, l.Parts.Structure)
	}
	if l.Origin != "" {
		field("redirected", "%d times, from %s", l.Hops, l.Origin)
	}
	if l.Attempts > 0 {
		field("attempts", "%d failed", l.Attempts)
	}
}
