// Package topics holds the topic files that come with sluice.
package topics

import _ "embed" // the topic files

// Finance is finance.yaml, the topic of the demo.
//
//go:embed finance.yaml
var Finance []byte
