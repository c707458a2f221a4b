package opscmd

import (
	"fmt"
	"time"

	"sluice/cmd/sluice/cli"
)

// showCopies shows how far a copy is.
func showCopies(sc *cli.Screen) func(done, all int) {
	every := cli.PlainEvery
	if sc.Live() {
		every = cli.LiveEvery
	}
	last := time.Now()
	return func(done, all int) {
		if time.Since(last) >= every {
			last = time.Now()
			sc.Show(fmt.Sprintf("%d/%d files", done, all))
		}
	}
}
