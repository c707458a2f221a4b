package export

import (
	"cmp"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// surtKey is the key by which an index of archives finds a URL: the
// Sort-friendly URI Reordering Transform without its scheme, after the
// canonical form of the Internet Archive (IAURLCanonicalizer), as pywb and
// cdxj-indexer make it. It accepts any string in an archive; one that is not a
// URL with a host is its own key.
func surtKey(raw string) string {
	raw = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, strings.TrimSpace(raw))
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok || scheme == "" {
		return cmp.Or(escape(unescape(raw)), "-")
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, slash := strings.Cut(rest, "/")
	if slash {
		path = "/" + path
	}
	key := surtHost(strings.ToLower(scheme), authority) + ")" + surtPath(path)
	if query = surtQuery(query); query != "" {
		key += "?" + query
	}
	return key
}

var wwwDigits = regexp.MustCompile(`^www\d*\.`)

// surtHost is host and port, the host from its end on.
func surtHost(scheme, authority string) string {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	if at := strings.LastIndexByte(host, ':'); at > strings.LastIndexByte(host, ']') {
		host, port = host[:at], host[at:]
	}
	if scheme == "http" && port == ":80" || scheme == "https" && port == ":443" || port == ":" {
		port = ""
	}
	host = strings.Trim(strings.ToLower(unescape(strings.Trim(host, "[]"))), ".")
	host = wwwDigits.ReplaceAllString(escape(host), "")
	parts := strings.Split(host, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ",") + escape(port)
}

// pathSession are session ids of ASP.NET in a path.
var pathSession = regexp.MustCompile(`^(.*/)\((?:(?:[a-z]\([0-9a-z]{24}\))+|[0-9a-z]{24})\)/([^?]+\.aspx.*)$`)

func surtPath(path string) string {
	path = strings.ToLower(escape(cleanPath(unescape(path))))
	path = pathSession.ReplaceAllString(path, "$1$2")
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// cleanPath removes . and .. and empty parts, and keeps a slash at the end.
func cleanPath(path string) string {
	var kept []string
	parts := strings.Split(path, "/")
	for i, p := range parts[1:] {
		last := i == len(parts)-2
		switch {
		case p == ".", p == "" && !last:
		case p == ".." && len(kept) > 0:
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, p)
		}
	}
	return "/" + strings.Join(kept, "/")
}

// querySessions are session ids in a query; each goes with the & behind it.
var querySessions = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)sid=[0-9a-z]{32}(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$`),
}

func surtQuery(query string) string {
	query = escape(unescape(query))
	for _, session := range querySessions {
		query = session.ReplaceAllString(query, "$1$2")
	}
	args := strings.Split(strings.ToLower(query), "&")
	slices.SortFunc(args, func(a, b string) int {
		nameA, valueA, hasA := strings.Cut(a, "=")
		nameB, valueB, hasB := strings.Cut(b, "=")
		switch c := strings.Compare(nameA, nameB); {
		case c != 0:
			return c
		case hasA != hasB && hasB:
			return -1
		case hasA != hasB:
			return 1
		}
		return strings.Compare(valueA, valueB)
	})
	return strings.Join(args, "&")
}

// unescape decodes percent-encoding until there is none left, in one pass: a
// sequence that a decoded byte completes is decoded at once.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		b = append(b, s[i])
		var c [1]byte
		for n := len(b); n >= 3 && b[n-3] == '%'; n = len(b) {
			if _, err := hex.Decode(c[:], b[n-2:]); err != nil {
				break
			}
			b = append(b[:n-3], c[0])
		}
	}
	return string(b)
}

// escape encodes what does not show in ASCII, and # and %.
func escape(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '#' || c == '%' {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
