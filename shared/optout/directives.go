package optout

import (
	"slices"
	"strings"
)

// Bounds of what is kept of the directives of one page.
const (
	maxDirectives = 100
	maxDirective  = 60 // bytes
)

// Directives reads values of <meta name=robots> or X-Robots-Tag, and returns
// the directives that address us, lower case, each once. Each value is a list
// on its own, separated by commas, semicolons or spaces. "none" is spelled out;
// what has a value reads "max-snippet:0".
//
// Of a header, directives behind "product:" are for that product alone; ours
// and "*" are us.
func Directives(product string, values ...string) []string {
	d := directives{product: fold(product)}
	for _, v := range values {
		d.read(strings.ToLower(v))
	}
	return d.list
}

type directives struct {
	product string
	others  bool // what is read now is for others
	list    []string
}

func (d *directives) read(value string) {
	d.others = false
	for value != "" {
		var item string
		item, value = cutItem(value)
		if strings.Contains(item, "unavailable_after") && !strings.ContainsAny(item, "0123456789") {
			// The comma stood behind the weekday of a date.
			var rest string
			rest, value = cutItem(value)
			item += "," + rest
		}
		d.item(strings.Fields(item))
	}
}

// cutItem cuts a list at its first separator.
func cutItem(list string) (item, rest string) {
	i := strings.IndexAny(list, ",;，")
	if i < 0 {
		return list, ""
	}
	item, rest = list[:i], list[i+1:]
	if list[i] >= 0x80 {
		rest = strings.TrimPrefix(list[i:], "，")
	}
	return item, rest
}

// item reads the words between two separators.
func (d *directives) item(words []string) {
	for i := 0; i < len(words); i++ {
		name, value, colon := strings.Cut(words[i], ":")
		if !colon && i+1 < len(words) && words[i+1] == ":" {
			colon = true // "googlebot : noindex"
			i++
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
		case colon && !known(name):
			d.others = name != d.product && name != "*"
			d.add(value)
		default:
			d.add(name)
		}
	}
}

// add takes a directive. What is known is taken however many others there are,
// and in any spelling: no-ai is noai.
func (d *directives) add(directive string) {
	if plain := strings.ReplaceAll(directive, "-", ""); known(plain) {
		directive = plain
	}
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

// known reports whether a directive is one that crawlers know, so that it is
// not taken for the name of one.
func known(name string) bool {
	switch name {
	case "all", "none", "index", "noindex", "follow", "nofollow", "noarchive", "nocache", "nosnippet", "noimageindex",
		"notranslate", "noai", "noimageai", "noml", "disallowaitraining", "unavailable_after":
		return true
	}
	return false
}
