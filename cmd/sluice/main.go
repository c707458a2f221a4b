// Command sluice builds a text corpus for one topic from the web.
package main

import (
	"os"

	"sluice/cmd/sluice/cli"
)

func main() {
	tuneMemory(os.Getenv)
	os.Exit(run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Getenv))
}
