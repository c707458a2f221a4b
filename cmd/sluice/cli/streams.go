// Package cli holds what all commands share: streams, exit codes, arguments,
// output and progress.
package cli

import (
	"io"

	"sluice/shared/crawl/plan"
)

// Version goes into the User-Agent.
const Version = plan.Version

// Streams are the program's standard streams.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}
