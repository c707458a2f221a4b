package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"sluice/shared/aws/operator"
)

// maxList is more than any list of seeds may measure.
const maxList = 51 << 20

// ListFlag is the flag that names a file of seeds.
type ListFlag struct{ name string }

// Register makes the flag. seeds says what the URLs are.
func (f *ListFlag) Register(fl *pflag.FlagSet, seeds string) {
	fl.StringVar(&f.name, "from", "", "`FILE` of "+seeds+": a URL a line, a sitemap or a feed; - is standard input")
}

// Read returns the list, nil if none is named.
func (f *ListFlag) Read(s Streams) (*operator.List, error) {
	if f.name == "" {
		return nil, nil
	}
	r := s.In
	if f.name != "-" {
		file, err := os.Open(f.name)
		if err != nil {
			return nil, Usage(fmt.Errorf("read seeds: %w", err))
		}
		defer func() { _ = file.Close() }() // only read
		r = file
	}
	data, err := io.ReadAll(io.LimitReader(r, maxList))
	if err != nil {
		return nil, Usage(fmt.Errorf("read seeds: %w", err))
	}
	return &operator.List{Name: f.name, Data: data}, nil
}
