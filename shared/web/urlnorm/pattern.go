package urlnorm

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"sluice/shared/web/pathmatch"
)

// maxExpression is the length of the longest regular expression of an entry, in bytes.
const maxExpression = 1000

// pattern describes URLs by their form.
type pattern interface{ match(u URL) bool }

// expression matches any part of a URL.
type expression struct{ *regexp.Regexp }

func (e expression) match(u URL) bool { return e.MatchString(u.String()) }

// glob matches a whole URL without its scheme. "*" is any text: in the host any
// characters of the host, in the path any of path and query.
type glob struct {
	anyHost    bool
	byPort     bool // host is one with a port
	host, path pathmatch.Pattern
}

func (g *glob) match(u URL) bool {
	host := u.Host()
	if g.byPort {
		host = u.Authority()
	}
	return (g.anyHost || g.host.Match(host)) && g.path.Match(pathmatch.Path(u.String()))
}

func parseExpression(text string) (pattern, error) {
	if text == "" || len(text) > maxExpression {
		return nil, fmt.Errorf("a regular expression has 1 to %d bytes, not %d", maxExpression, len(text))
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return nil, errors.New(`a URL has only ASCII characters: write its escapes in upper case, as in "regexp:/%E8%AF%84", or a pattern`)
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	return expression{compiled}, nil
}

// parseGlob reads HOST/PATH, with or without a scheme, or only a path: /PATH or
// */PATH. A path that ends in "/" stands for all below it, too, and no path for
// all of the host.
func parseGlob(text string) (pattern, error) {
	scheme, rest, cut := strings.Cut(text, "://")
	switch scheme = strings.ToLower(scheme); {
	case !cut:
		rest = text
	case scheme != "http" && scheme != "https" && scheme != "*":
		return nil, errors.New("a pattern is of http or https")
	}
	host, path := rest, "/"
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		host, path = rest[:slash], rest[slash:]
	}
	if host == "*" && !cut { // any folder
		path = "*" + path
	}
	anyHost := strings.Trim(host, "*") == "" && (host != "" || !cut)
	if anyHost && strings.Trim(path, "*/") == "" {
		return nil, errors.New("takes every URL")
	}
	g := &glob{anyHost: anyHost, path: wholePath(path)}
	if anyHost {
		return g, nil
	}
	g.byPort = strings.Contains(host, ":")
	host, err := globHost(host)
	if err != nil {
		return nil, err
	}
	g.host = pathmatch.Compile(host + "$")
	return g, nil
}

func wholePath(path string) pathmatch.Pattern {
	path = strings.TrimSuffix(path, "$") // as robots.txt has it
	if strings.HasSuffix(path, "/") {
		return pathmatch.Compile(path)
	}
	return pathmatch.Compile(path + "$")
}

// globHost returns a host with wildcards as URL.Authority spells it.
func globHost(host string) (string, error) {
	name, port, hasPort := strings.Cut(strings.ToLower(host), ":")
	labels := strings.Split(name, ".")
	for i, label := range labels {
		ascii, err := idna.ToASCII(label)
		if label == "" || err != nil || strings.ContainsAny(label, "\\?@[]% ") || ascii != label && strings.Contains(label, "*") {
			return "", fmt.Errorf("%q is no host", host)
		}
		labels[i] = ascii
	}
	name = strings.Join(labels, ".")
	switch {
	case hasPort && (strings.Trim(port, "0123456789") != "" || port == ""):
		return "", fmt.Errorf("%q is no host with a port", host)
	case !hasPort, port == "80", port == "443": // which URLs leave out
		return name, nil
	}
	return name + ":" + port, nil
}
