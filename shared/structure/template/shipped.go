package template

import (
	"embed"
	"strings"
)

// shipped holds the templates that come with sluice.
//
//go:embed shipped/*.yaml
var shipped embed.FS

// Names lists the templates that come with sluice, in alphabetical order.
func Names() []string {
	var names []string
	entries, _ := shipped.ReadDir("shipped") // embedded
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".yaml"))
	}
	return names
}
