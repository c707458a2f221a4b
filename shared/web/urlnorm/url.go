// Package urlnorm gives every http(s) URL one canonical form, and decides by
// the URL alone whether a crawl wants it, by scope and trap rules.
//
// Two URLs name the same page, as far as a URL can tell, if and only if their
// [URL] values are equal. The canonical form is the one that is stored, fetched
// and compared.
package urlnorm

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"sluice/shared/fault"
)

// MaxLen is the longest canonical URL in bytes.
const MaxLen = 2048

// maxRaw limits the work spent on one reference. Decoded escapes (3:1), dot
// segments and dropped parameters make a canonical URL shorter than its source;
// a source longer than four times MaxLen is refused unread.
const maxRaw = 4 * MaxLen

// maxAuthority limits the part whose parsing takes more than linear time: user
// names and punycode. DNS names have up to 253 bytes.
const maxAuthority = 1024

// The reasons why a string is not a URL to crawl. Parse and Resolve return them
// inside a permanent [fault.Error].
var (
	errScheme  = errors.New("scheme is not http or https")
	errSyntax  = errors.New("not a valid absolute URL")
	errTooLong = fmt.Errorf("longer than %d bytes", MaxLen)
)

// The rules under which those errors are recorded.
const (
	ruleScheme  = "url_scheme"
	ruleSyntax  = "url_syntax"
	ruleTooLong = "url_too_long"
)

// URL is an absolute http or https URL in canonical form. It is a comparable
// value: usable as a map key, cheap to copy. The zero value is not a URL.
//
// Canonical means: parsed as the WHATWG URL standard says, then
//   - no user, password or fragment, no default port, no dot at the host's end;
//   - the host in lower-case punycode of DNS's characters and lengths, or an IP
//     address in its shortest form;
//   - percent-escapes in upper case, those of unreserved characters decoded, a
//     lone "%" and, in paths, "|" and "^" escaped, so that net/url and net/http
//     leave the result as it is;
//   - at least "/" as path, without session ids;
//   - a query without tracking parameters, session ids and empty parts, the
//     others in their order and form; no "?" without a query.
type URL struct {
	s       string
	auth    uint16 // start of the authority
	hostEnd uint16 // end of the host name
	authEnd uint16 // end of the authority, start of the path
	pathEnd uint16 // end of the path
}

// String returns the whole URL, "" for the zero value.
func (u URL) String() string { return u.s }

// IsZero reports whether u is the zero value.
func (u URL) IsZero() bool { return u.s == "" }

// Scheme returns "http" or "https".
func (u URL) Scheme() string { return strings.TrimSuffix(u.s[:u.auth], "://") }

// Host returns the host name without port; an IPv6 address without brackets.
func (u URL) Host() string {
	host := u.s[u.auth:u.hostEnd]
	if strings.HasPrefix(host, "[") {
		return host[1 : len(host)-1]
	}
	return host
}

// Authority returns the host, an IPv6 address in brackets, with ":port" if the
// port is not the scheme's default.
func (u URL) Authority() string { return u.s[u.auth:u.authEnd] }

// Path returns the escaped path; it begins with "/".
func (u URL) Path() string { return u.s[u.authEnd:u.pathEnd] }

// Query returns the escaped query without "?", "" if there is none.
func (u URL) Query() string { return strings.TrimPrefix(u.s[u.pathEnd:], "?") }

// Parse returns the canonical form of an absolute URL. Blanks around it are
// ignored. A URL without a scheme ("www.x.cn") is errSyntax.
//
// Parse is idempotent: the String of its result parses to an equal URL.
func Parse(raw string) (URL, error) { return URL{}.Resolve(raw, nil) }

// Resolve returns the canonical form of a reference found on the page u, or on
// a page whose base element names u.
//
// encode converts text into the page's legacy character encoding; as in
// browsers, it applies only to non-ASCII text of the query. If encode is nil or
// returns no bytes, that text is UTF-8.
func (u URL) Resolve(ref string, encode func(string) []byte) (URL, error) {
	clean := trim(ref)
	if plain, ok := u.joinPlain(clean); ok && len(plain.s) <= MaxLen {
		return plain, nil
	}
	clean = withoutBreaks.Replace(clean)
	scheme := schemeOf(clean)
	if scheme != "" && scheme != "http" && scheme != "https" {
		return URL{}, refuse(ref, errScheme) // before the length: data: URLs are long
	}
	if len(clean) > maxRaw {
		return URL{}, refuse(ref, errTooLong)
	}
	if len(authorityOf(clean)) > maxAuthority {
		return URL{}, refuse(ref, errSyntax)
	}
	if encode != nil {
		clean = encodeQuery(clean, encode)
	}
	s, err := canonical(u.s, clean)
	if err != nil {
		return URL{}, refuse(ref, err)
	}
	return index(s), nil
}

// withoutBreaks drops characters that the standard ignores anywhere in a URL.
var withoutBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// trim drops blanks around a reference, and its fragment.
func trim(ref string) string {
	ref, _, _ = strings.Cut(strings.TrimLeftFunc(ref, isBlank), "#")
	return strings.TrimRightFunc(ref, isBlank)
}

// isBlank counts the characters that the standard strips (C0 controls and
// space), and also the ideographic space and the byte order mark that editors
// leave in lists.
func isBlank(r rune) bool { return r <= ' ' || unicode.IsSpace(r) || r == '\ufeff' }

// schemeOf returns the scheme that ref begins with, in lower case, or "".
func schemeOf(ref string) string {
	for i := range len(ref) {
		switch c := ref[i]; {
		case isAlpha(c):
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case c == ':':
			return strings.ToLower(ref[:i])
		default:
			return ""
		}
	}
	return ""
}

// authorityOf returns the part that the standard may read as user, host and
// port.
func authorityOf(ref string) string {
	scheme := schemeOf(ref)
	rest := strings.TrimLeft(strings.TrimPrefix(ref[len(scheme):], ":"), `/\`)
	if scheme == "" && len(rest) > len(ref)-2 { // fewer than two slashes: a path
		return ""
	}
	if i := strings.IndexAny(rest, `/\?`); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// index finds the parts of a canonical URL.
func index(s string) URL {
	auth := len("http://")
	if s[len("http")] == 's' {
		auth++
	}
	authEnd := auth + strings.IndexByte(s[auth:], '/')
	name := auth
	if s[auth] == '[' { // an IPv6 address, with colons
		name += strings.IndexByte(s[auth:], ']')
	}
	host, _, _ := strings.Cut(s[name:authEnd], ":")
	hostEnd := name + len(host)
	path, _, _ := strings.Cut(s[authEnd:], "?")
	pathEnd := authEnd + len(path)
	return URL{s: s, auth: uint16(auth), hostEnd: uint16(hostEnd), authEnd: uint16(authEnd), pathEnd: uint16(pathEnd)}
}

// refuse classifies the reason why ref is not taken.
func refuse(ref string, reason error) error {
	rule := ruleSyntax
	switch {
	case errors.Is(reason, errScheme):
		rule = ruleScheme
	case errors.Is(reason, errTooLong):
		rule = ruleTooLong
	}
	return fault.New(fault.Permanent, rule, fmt.Errorf("parse url %.100q: %w", ref, reason))
}
