package opscmd

import (
	"bytes"
	"context"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/local"
)

// explainOnStack explains a URL of a crawl on AWS.
func explainOnStack(ctx context.Context, s cli.Streams, f *stackFlags, crawl, url string) error {
	return f.run(ctx, "ask again", func(ctx context.Context, o *operator.Operator) error {
		found, err := o.Explain(ctx, crawl, url)
		if err != nil {
			return err
		}
		x := local.Explanation(found.Explanation)
		out := &explanation{Explanation: &x, Robots: found.Robots}
		if found.Topic != nil {
			out.Constants = constantsOf(found.Topic)
		}
		return cli.PrintResult(s, f.json, out, explanationPage)
	})
}

// printRobots says what is known of the host's robots.txt.
func printRobots(w *bytes.Buffer, r *operator.Robots) {
	verdict := "asks not to"
	if r.Allowed {
		verdict = "allows it"
	}
	field(w, "robots.txt", "%s, as of %s", verdict, minute(r.Fetched))
	if r.CrawlDelayS > 0 {
		field(w, "", "it asks for %v between two fetches", cli.Seconds(r.CrawlDelayS))
	}
}
