package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"sluice/shared/schema"
)

// ErrUnknown reports a host that was not analysed.
var ErrUnknown = errors.New("the site was not analysed")

// Folder keeps sites as files, HOST.yaml.
type Folder string

const heading = `# What sluice has found out about a site. Correct what is wrong: what you change, add or
# remove under "layers" stays so when the site is analysed again. Leave "checks" alone.
`

// Path returns the file of a host, in any case. It fails on what is no name of a host.
func (f Folder) Path(host string) (string, error) {
	if host == "" || strings.ContainsAny(host, `/\`+"\x00") || strings.HasPrefix(host, ".") {
		return "", fmt.Errorf("%q is not a host", host)
	}
	return filepath.Join(string(f), strings.ToLower(strings.ReplaceAll(host, ":", "_"))+".yaml"), nil
}

// Site reads what is known of a host. The error is ErrUnknown where that is nothing.
func (f Folder) Site(host string) (*Site, error) {
	path, err := f.Path(host)
	if err != nil {
		return nil, err
	}
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", path, ErrUnknown)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	s := &Site{}
	if err := yaml.UnmarshalWithOptions(data, s, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read %s: %s", path, yaml.FormatError(err, false, false))
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return s, nil
}

// format refuses what is costly to read before it is read.
var format = schema.Format{
	Name: "the file of a site", Holds: "paths, not pages", Needs: "host and layers",
	MaxBytes: 1 << 20, MaxFields: 20_000, MaxTokens: 200_000,
}

// readFile reads the file of a site, which is YAML that the parser can bear.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() > int64(format.MaxBytes):
		return nil, fmt.Errorf("it is larger than %d KiB", format.MaxBytes>>10)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &schema.Reader{}
	if _, ok := r.YAML(data, format); !ok {
		return nil, r.Problems()
	}
	return data, nil
}

// Marshal returns the file of a site.
func (s *Site) Marshal() ([]byte, error) {
	data, err := yaml.Marshal(s)
	return append([]byte(heading), data...), err
}
