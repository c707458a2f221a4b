package evalcmd

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
)

// format is how an evaluation gives its result.
type format struct {
	json bool   // else as a page
	file string // that also gets it as JSON, "" for none
}

// register adds the flags; usage is that of --json.
func (f *format) register(fl *pflag.FlagSet, usage string) {
	fl.BoolVar(&f.json, "json", false, usage)
	fl.StringVar(&f.file, "json-file", "", "also write the result as JSON to `FILE`")
}

// print prints a result, or the page that is made of it.
func (f *format) print(s cli.Streams, result any, page func() *bytes.Buffer) error {
	if f.file != "" {
		var document bytes.Buffer
		if err := cli.PrintJSON(&document, result); err != nil {
			return err
		}
		if err := os.WriteFile(f.file, document.Bytes(), 0o644); err != nil {
			return fmt.Errorf("write result: %w", err)
		}
	}
	if f.json {
		return cli.PrintJSON(s.Out, result)
	}
	return cli.PrintPage(s.Out, page())
}
