package urlnorm

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sluice/shared/fault"
)

// MaxShown is how many characters of an address or entry an error quotes.
const MaxShown = 100

const wholeAddress = "write a whole http or https address, such as https://www.example.com/news/"

// Given is the canonical form of an address that somebody gives: a seed, a site. The error
// quotes its beginning and says what to write instead.
func Given(raw string) (URL, error) {
	u, advice := given(raw)
	if advice != "" {
		return URL{}, fmt.Errorf("%q: %s", fault.Clip(withoutUser(raw), MaxShown), advice)
	}
	return u, nil
}

// Known is the canonical form of an address that somebody asks about: of any that a link may
// have, so spaces and a user name are fine. The error is as of Given.
func Known(raw string) (URL, error) {
	if u, err := Parse(raw); err == nil {
		return u, nil
	}
	return Given(raw)
}

// Advice says what to write instead of an address that somebody gives; "" if it may be one.
func Advice(raw string) string {
	_, advice := given(raw)
	return advice
}

// several is a list of addresses. In a query there may be one.
var several = regexp.MustCompile(`(?i)^[^?#]*[,;|]https?://`)

// cutAddress cuts an address into scheme, authority and what follows.
func cutAddress(address string) (scheme, authority, rest string) {
	scheme, rest, _ = strings.Cut(address, "://")
	if end := strings.IndexAny(rest, "/?#\\"); end >= 0 {
		return scheme, rest[:end], rest[end:]
	}
	return scheme, rest, ""
}

// withoutUser hides the user name and password of an address, to show it.
func withoutUser(raw string) string {
	scheme, authority, rest := cutAddress(raw)
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return raw
	}
	return scheme + "://…" + authority[at:] + rest
}

func given(raw string) (u URL, advice string) {
	address := strings.TrimFunc(raw, isBlank)
	scheme, authority, _ := cutAddress(address)
	switch {
	case strings.ContainsAny(address, " \t\r\n"), several.MatchString(address):
		return URL{}, "write one address alone, without spaces and commas"
	case !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || authority == "":
		return URL{}, wholeAddress
	case strings.Contains(authority, "@"):
		return URL{}, "remove the user name and password: they would be sent to the host and kept in the corpus"
	}
	u, err := Parse(address)
	switch {
	case errors.Is(err, errTooLong):
		return URL{}, fmt.Sprintf("it is longer than %d bytes", MaxLen)
	case err != nil:
		return URL{}, wholeAddress
	}
	return u, ""
}
