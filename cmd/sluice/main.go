// Command sluice pans a domain corpus out of the web.
package main

import (
	"os"
)

func main() {
	tuneMemory(os.Getenv)
	os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Getenv))
}
