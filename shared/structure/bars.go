package structure

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// bars returns the limits for a pair of elements of one tag: the more their
// attributes say that they are of one kind, the less their subtrees have to.
// alpha is for S, beta for the tree edit distance as a share of the nodes of the
// larger subtree (METHOD C3).
func bars(a, b []html.Attribute, equal bool) (alpha, beta float64) {
	ca, cb := classes(a), classes(b)
	switch {
	case equal && len(ca) > 0:
		return 0.3, 0.9
	case equal:
		return 0.5, 0.5
	case shared(ca, cb) > 0:
		return 0.5, 0.6
	case len(ca) == 0 || len(cb) == 0:
		return 0.6, 0.35
	}
	return 0.7, 0.2
}

func classes(attrs []html.Attribute) []string {
	for _, a := range attrs {
		if a.Key == "class" {
			return strings.Fields(a.Val)
		}
	}
	return nil
}

// shared counts the classes of a that b has, too.
func shared(a, b []string) (count int) {
	for _, x := range a {
		if slices.ContainsFunc(b, func(y string) bool { return withoutDigits(x) == withoutDigits(y) }) {
			count++
		}
	}
	return count
}

// adWords are parts of the classes of advertisements.
var adWords = map[string]bool{
	"ad": true, "ads": true, "adv": true, "advert": true, "adbox": true, "advertisement": true, "sponsor": true, "sponsored": true, "promo": true, "banner": true,
}

func advertises(classes []string) bool {
	for _, c := range classes {
		for w := range words(c) {
			if adWords[w] {
				return true
			}
		}
	}
	return false
}
