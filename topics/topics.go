// Package topics holds the topics that come with sluice: the files that say what
// they are about, and what "make topics" has compiled of them.
package topics

import _ "embed" // the topics

// Finance is finance.yaml.
//
//go:embed finance.yaml
var Finance []byte

// FinanceCompiled is finance.topic, the topic of the demo.
//
//go:embed finance.topic
var FinanceCompiled []byte
