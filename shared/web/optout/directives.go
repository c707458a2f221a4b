package optout

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Limits of the directives kept of one page.
const (
	maxDirectives = 100
	maxDirective  = 60 // bytes
)

// Directives reads values of <meta name=robots> or X-Robots-Tag, and returns
// the directives for this crawler, in lower case, each once. Each value is a
// list, separated by commas, semicolons, bars, slashes or spaces, quoted or
// not; full-width letters and signs are read as narrow ones. "none" is
// expanded; a directive with a value reads "max-snippet:0".
//
// In a header, directives after "product:" or "product/version:" are for that
// product only; this crawler reads its own and those for "*".
func Directives(product string, values ...string) []string {
	d := directives{product: fold(product)}
	for _, v := range values {
		d.read(unquote.Replace(strings.ToLower(width.Narrow.String(v))))
	}
	return d.list
}

// unquote removes quotes around directives.
var unquote = strings.NewReplacer(`"`, " ", "'", " ", "“", " ", "”", " ", "‘", " ", "’", " ")

type directives struct {
	product string
	others  bool // the current directives are for others
	list    []string
}

func (d *directives) read(value string) {
	d.others = false
	for value != "" {
		var item string
		item, value = cutItem(value)
		if strings.Contains(item, "unavailable_after") && !strings.ContainsAny(item, "0123456789") {
			// The comma followed the weekday of a date.
			var rest string
			rest, value = cutItem(value)
			item += "," + rest
		}
		d.item(strings.Fields(item))
	}
}

// cutItem cuts a list at its first separator. A slash before a digit is part of
// a product's version, or of a date.
func cutItem(list string) (item, rest string) {
	for i, r := range list {
		switch r {
		case '/':
			if next := list[i+1:]; next != "" && '0' <= next[0] && next[0] <= '9' {
				continue
			}
		case ',', ';', '|', '、', '､':
		default:
			continue
		}
		return list[:i], list[i+utf8.RuneLen(r):]
	}
	return list, ""
}

// item reads the words between two separators.
func (d *directives) item(words []string) {
	for i := 0; i < len(words); i++ {
		name, value, colon := cutValue(words[i])
		if !colon && i+1 < len(words) {
			switch next := words[i+1]; {
			case next == ":", next == "=" && known(plain(name)):
				colon = true // "googlebot : noindex"
				i++
			case name == "no" && known(name+next): // "no ai"
				name += next
				i++
			}
		}
		switch {
		case name == "unavailable_after" && colon:
			d.add(name + ":" + strings.Join(append([]string{value}, words[i+1:]...), " "))
			return
		case strings.HasPrefix(name, "max-") && colon:
			if value == "" && i+1 < len(words) {
				i++
				value = words[i]
			}
			d.add(name + ":" + value)
		case colon && !known(plain(name)):
			product, _, _ := strings.Cut(name, "/")
			d.others = product != d.product && product != "*"
			d.add(value)
		case colon: // "noai: 1"
			if value == "" && i+1 < len(words) && (isTrue(words[i+1]) || isFalse(words[i+1])) {
				i++
				value = words[i]
			}
			if !isFalse(value) {
				d.add(name)
			}
		default:
			d.add(name)
		}
	}
}

// cutValue splits a word at its colon, or, for known words, at an equals sign.
func cutValue(word string) (name, value string, found bool) {
	if name, value, found = strings.Cut(word, "="); found && known(plain(name)) {
		return name, value, true
	}
	return strings.Cut(word, ":")
}

// isTrue reports whether a value of a directive that needs none affirms it.
func isTrue(value string) bool {
	return value == "1" || value == "true" || value == "yes" || value == "on"
}

func isFalse(value string) bool {
	return value == "0" || value == "false" || value == "no" || value == "off"
}

// plain returns the standard spelling of a known directive: no-ai and no_ai are
// noai. Unknown directives are returned unchanged.
func plain(directive string) string {
	bare := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, directive)
	if known(bare) {
		return bare
	}
	return directive
}

// add adds a directive. Known ones are added beyond the limit.
func (d *directives) add(directive string) {
	directive = plain(directive)
	if directive == "none" {
		d.add("noindex")
		directive = "nofollow"
	}
	name, value, colon := strings.Cut(directive, ":")
	if colon {
		directive = name + ":" + strings.TrimSpace(value)
	}
	directive = most(directive, maxDirective)
	if directive == "" || d.others || len(d.list) >= maxDirectives && !known(name) || slices.Contains(d.list, directive) {
		return
	}
	if len(d.list) < 2*maxDirectives {
		d.list = append(d.list, directive)
	}
}

// known reports whether s is a directive that crawlers know, and so not the
// name of a crawler.
func known(name string) bool {
	switch name {
	case "all", "none", "index", "noindex", "follow", "nofollow", "noarchive", "nocache", "nosnippet", "noimageindex",
		"notranslate", "noai", "noimageai", "noml", "disallowaitraining", "unavailable_after":
		return true
	}
	return false
}
