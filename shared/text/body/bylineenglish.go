package body

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

const (
	maxByline  = 80 // runes of a line that begins with By
	maxNames   = 4  // words of a name
	maxRole    = 6  // words that say what the author is
	bylineDeck = 2  // number of the paragraph that ends the search: one may introduce the text
)

// englishAuthor returns the author of a line By Jane Doe below or above the
// headline, "" for none. A heading that begins so is one of the text.
func englishAuthor(below, above []block, title string) string {
	for _, b := range slices.Concat(leading(below, bylineDeck), above) {
		if b.tag == atom.H1 || b.tag == atom.H2 || hasHan(title) && strings.HasPrefix(b.text, "by") {
			continue // by Somebody in small letters on a Chinese page is an advertisement's
		}
		if name := englishByline(b.text); name != "" {
			return personName(name)
		}
	}
	return ""
}

var (
	byWord   = regexp.MustCompile(`^(?:(?i:written|words|story|report|reported|posted)\s+)?(?:[Bb]y|BY)(?:\s*:\s*|\s+)`)
	nameWord = regexp.MustCompile(`^\p{Lu}[\p{L}\p{M}'’.\-]*$`)
	particle = regexp.MustCompile(`^(?i:van|von|de|der|den|di|da|del|della|dos|la|le|bin|al|el|ter|ten)$`)
	// noName matches what other phrases have behind By.
	noName   = regexp.MustCompile(`^(?i:the|an?|all|any|each|our|my|its|this|that|now|then|using|staff|admin|editor|author|guest|popular|monday)$`)
	roleWord = regexp.MustCompile(`(?i)\b(?:correspondent|reporter|editor|writer|staff|columnist|journalist|analyst|contributor|producer|critic|chief|news|press|times|daily|post|herald|guardian|journal|magazine|reuters|xinhua|bureau|professor|author)\b`)
	// A role, a medium, further names: capitalised words and what joins them.
	roleForm = regexp.MustCompile(`^(?:,|and\s|&|for\s|in\s|at\s|with\s|of\s|from\s)\s*(?:(?:\p{Lu}[\p{L}\p{M}'’.\-]*|and|&|of|the|for|at|in)[\s,]*)+$`)
	// dateLead is what may be between the name and the date.
	dateLead = regexp.MustCompile(`(?i)(?:[\s,|·•–—-]+(?:first|published|updated|posted|on|at|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun)[.,:]?)*[\s,|·•–—-]*$`)
)

// englishByline returns the name in a line By Jane Doe, Economics Correspondent,
// "" where the line is anything else: By the end of the year.
func englishByline(line string) string {
	if !hasAny(line, "y", "Y") || utf8.RuneCountInString(line) > maxByline {
		return ""
	}
	line, dated := bylineParts(narrowDigits(line))
	name, after := leadingName(line)
	first, _, more := strings.Cut(name, " ")
	role := roleWord.MatchString(after)
	switch {
	case name == "" || noName.MatchString(first) || !more && !dated && !role:
		return ""
	case strings.TrimLeft(after, "|-/(·•–—") != after || after == "":
		return name
	case len(strings.Fields(after)) <= maxRole && (roleForm.MatchString(after) || role && after[0] == ',') && !strings.HasSuffix(after, "."):
		return name
	}
	return ""
}

// bylineParts returns what follows By, "" where a line has none, without
// the date before or after it, and whether there is one: Posted on March 15, 2024
// by Jane Doe.
func bylineParts(line string) (text string, dated bool) {
	if !strings.Contains(strings.ToLower(line), "by") {
		return "", false // most lines, and to find dates takes time
	}
	dates := findDates(line)
	by := byWord.FindString(line)
	if by == "" && len(dates) > 0 {
		line = strings.TrimLeft(line[dates[0].at+len(dates[0].text):], " ,|·•–—-")
		by, dates, dated = byWord.FindString(line), nil, true
	}
	if by == "" {
		return "", false
	}
	end := len(line)
	for _, d := range dates {
		end, dated = min(end, d.at), true
	}
	text = line[len(by):max(end, len(by))]
	if dated {
		text = dateLead.ReplaceAllString(text, "")
	}
	return text, dated
}

// leadingName parts the name that a text begins with from the rest, "" if it
// begins with none, or with more capitalised words than names have.
func leadingName(text string) (name, after string) {
	var words []string
	rest := text
	for rest != "" && len(words) <= maxNames {
		word, next, _ := strings.Cut(rest, " ")
		bare := strings.TrimRight(word, ",|·•")
		if !nameWord.MatchString(bare) && (len(words) == 0 || !particle.MatchString(bare)) {
			break
		}
		words = append(words, bare)
		rest = strings.TrimSpace(next)
		if bare != word {
			rest = word[len(bare):] + " " + rest
			break
		}
	}
	if len(words) == 0 || len(words) > maxNames || particle.MatchString(words[len(words)-1]) {
		return "", text
	}
	if last := words[len(words)-1]; strings.TrimSpace(rest) == "" && strings.HasSuffix(last, ".") && last != "Jr." && last != "Sr." {
		return "", text // a sentence
	}
	return strings.Join(words, " "), strings.TrimSpace(rest)
}
