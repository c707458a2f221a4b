package urlnorm

import (
	"fmt"
	"strings"

	whatwgerrors "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// maxRounds bounds the search for the fixed point. Few URLs need a second
// round (a session id dropped from "..;jsessionid=1" leaves a dot segment).
const maxRounds = 8

// canonical returns the canonical form of ref against base ("" for none): the
// fixed point of step, which is what makes Parse idempotent.
func canonical(base, ref string) (string, error) {
	s, err := step(base, ref)
	for range maxRounds {
		if err != nil {
			return "", err
		}
		if isPlain(s) {
			return bounded(s)
		}
		var next string
		if next, err = step("", s); next == s {
			return bounded(s)
		}
		s = next
	}
	return "", errSyntax
}

func bounded(s string) (string, error) {
	if len(s) > MaxLen {
		return "", errTooLong
	}
	return s, nil
}

// step parses ref against base as the standard says and applies our own rules.
func step(base, ref string) (string, error) {
	u, err := whatwg.ParseRef(base, ref)
	if err != nil {
		// Not the error itself, which prints the whole input.
		return "", fmt.Errorf("%w: %s", errSyntax, whatwgerrors.Type(err))
	}
	if u.Scheme() != "http" && u.Scheme() != "https" {
		return "", errScheme
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if !validHost(host) {
		return "", fmt.Errorf("%w: host %.100q", errSyntax, host)
	}
	var b strings.Builder
	b.WriteString(u.Scheme())
	b.WriteString("://")
	b.WriteString(host)
	if port := u.Port(); port != "" {
		b.WriteByte(':')
		b.WriteString(port)
	}
	b.WriteString(cleanPath(escape(u.Pathname(), "|^")))
	if query := cleanQuery(escape(u.Query(), "")); query != "" {
		b.WriteByte('?')
		b.WriteString(query)
	}
	return b.String(), nil
}

// validHost reports whether a host is one that DNS could hold, or a bracketed
// IPv6 address. The standard allows more (braces, quotes, empty labels) than
// net/http sends or a resolver answers.
func validHost(host string) bool {
	if strings.HasPrefix(host, "[") {
		return true // printed by the parser itself
	}
	if len(host) > 253 {
		return false
	}
	label := 0
	for i := range len(host) {
		switch c := host[i]; {
		case c == '.':
			if label == 0 {
				return false
			}
			label = 0
		case 'a' <= c && c <= 'z' || isDigit(c) || c == '-' || c == '_':
			label++
		default:
			return false
		}
		if label > 63 {
			return false
		}
	}
	return label > 0
}

// escape normalises percent-escapes: upper case, unreserved characters decoded,
// a lone "%" and the bytes of also escaped.
func escape(s, also string) string {
	if !strings.ContainsAny(s, "%"+also) {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			v := unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
			if isUnreserved(v) {
				b = append(b, v)
			} else {
				b = appendEscape(b, v)
			}
		case c == '%' || strings.IndexByte(also, c) >= 0:
			b = appendEscape(b, c)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// encodeQuery escapes the non-ASCII text of ref's query in the encoding of its
// page. Everything in the result of encode except unreserved characters is
// escaped: second bytes, and the character references that some encoders write
// for unknown characters, must not act as "&" or "#".
func encodeQuery(ref string, encode func(string) []byte) string {
	q := strings.IndexByte(ref, '?')
	if q < 0 {
		return ref
	}
	b := []byte(ref[:q])
	for rest := ref[q:]; rest != ""; {
		n := prefix(rest, true)
		b = append(b, rest[:n]...)
		rest = rest[n:]
		n = prefix(rest, false)
		encoded := encode(rest[:n])
		if len(encoded) == 0 {
			encoded = []byte(strings.ToValidUTF8(rest[:n], "\ufffd"))
		}
		for _, c := range encoded {
			if isUnreserved(c) {
				b = append(b, c)
			} else {
				b = appendEscape(b, c)
			}
		}
		rest = rest[n:]
	}
	return string(b)
}

// prefix returns the length of the ASCII text that s begins with, or of the
// text beyond ASCII.
func prefix(s string, ascii bool) int {
	for i := range len(s) {
		if (s[i] < 0x80) != ascii {
			return i
		}
	}
	return len(s)
}

func appendEscape(b []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(b, '%', digits[c>>4], digits[c&15])
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// isUnreserved reports whether c means the same escaped and not (RFC 3986, 2.3).
func isUnreserved(c byte) bool {
	return isAlpha(c) || isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~'
}
