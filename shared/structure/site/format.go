package site

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"sluice/shared/schema"
)

// ErrUnknown reports a host that was not analysed.
var ErrUnknown = errors.New("the site was not analysed")

const heading = `# What sluice has found out about a site. Correct what is wrong: what you change, add or
# remove under "layers" stays so when the site is analysed again. Leave "checks" alone.
`

// MaxBytes is the size of a file that Parse accepts.
const MaxBytes = 1 << 20

// format refuses what is costly to read before it is read.
var format = schema.Format{
	Name: "the file of a site", Holds: "paths, not pages", Needs: "host and layers",
	MaxBytes: MaxBytes, MaxFields: 20_000, MaxTokens: 200_000,
}

// FileName returns the name of the file of a host, in any case. It fails on what is no
// name of a host.
func FileName(host string) (string, error) {
	if host == "" || strings.ContainsAny(host, `/\`+"\x00") || strings.HasPrefix(host, ".") {
		return "", fmt.Errorf("%q is not a host", host)
	}
	return strings.ToLower(strings.ReplaceAll(host, ":", "_")) + ".yaml", nil
}

// Parse reads the file of a site.
func Parse(data []byte) (*Site, error) {
	r := &schema.Reader{}
	if _, ok := r.YAML(data, format); !ok {
		return nil, r.Problems()
	}
	s := &Site{}
	if err := yaml.UnmarshalWithOptions(data, s, yaml.Strict()); err != nil {
		return nil, errors.New(yaml.FormatError(err, false, false))
	}
	return s, s.Check()
}

// Marshal returns the file of a site.
func (s *Site) Marshal() ([]byte, error) {
	data, err := yaml.Marshal(s)
	return append([]byte(heading), data...), err
}
