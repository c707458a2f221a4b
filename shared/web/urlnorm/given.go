package urlnorm

import (
	"fmt"
	"strings"

	"sluice/shared/fault"
)

const (
	maxGiven = 2048 // bytes of an address that somebody gives
	maxShown = 100  // characters of it in an error
)

const wholeAddress = "write a whole http or https address, such as https://www.example.com/news/"

// Given is the canonical form of an address that somebody gives: a seed, a site. The error
// quotes its beginning and says what to write instead.
func Given(raw string) (URL, error) {
	advice := Advice(raw)
	if advice == "" {
		u, err := Parse(raw)
		if err == nil {
			return u, nil
		}
		advice = wholeAddress
	}
	return URL{}, fmt.Errorf("%q: %s", fault.Clip(raw, maxShown), advice)
}

// Advice says what to write instead of an address that somebody gives; "" if it may be one.
func Advice(raw string) string {
	address := trim(raw)
	scheme, rest, _ := strings.Cut(address, "://")
	authority := rest
	if end := strings.IndexAny(rest, "/?#\\"); end >= 0 {
		authority = rest[:end]
	}
	switch {
	case len(address) > maxGiven:
		return fmt.Sprintf("it is longer than %d bytes", maxGiven)
	case strings.ContainsAny(address, " \t\r\n"):
		return "write one address alone, without spaces"
	case !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || authority == "":
		return wholeAddress
	case strings.Contains(authority, "@"):
		return "remove the user name and password: they would be sent to the host and kept in the corpus"
	}
	return ""
}
