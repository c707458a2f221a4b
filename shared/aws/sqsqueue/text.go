package sqsqueue

import (
	"strings"
	"unicode/utf8"
)

// escape escapes the two characters of JSON strings that SQS refuses and
// encoding/json does not escape. An anchor of a hostile page may have them.
var escape = strings.NewReplacer("\ufffe", `\ufffe`, "\uffff", `\uffff`)

// clean replaces characters that SQS refuses.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r':
			return r
		case r < ' ', r == '\ufffe', r == '\uffff':
			return utf8.RuneError
		}
		return r
	}, s)
}

// cut returns at most n bytes of s, in whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
