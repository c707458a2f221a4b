package body

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// sourceNames are the classes, ids and itemprops of elements that hold the name
// of a source and nothing else.
var sourceNames = map[string]bool{
	"source": true, "article-source": true, "article_source": true, "news-source": true, "news_source": true,
	"info-source": true, "laiyuan": true, "sourceOrganization": true,
}

const (
	maxShown    = 8   // such elements that are looked at: a list of other articles has one for each
	maxNameList = 200 // bytes of an attribute that are read for names
	maxSource   = 60  // and of the name of a source that is shown alone
)

// shownText returns the text under n, cut where it is too long for a name.
func shownText(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
		if text.Len() > 4*maxSource {
			break
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

func namesSource(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "class", "id", "itemprop":
			if len(a.Val) <= maxNameList && hasSourceName(a.Val) {
				return true
			}
		}
	}
	return false
}

func hasSourceName(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if sourceNames[name] {
			return true
		}
	}
	return false
}

// mediumReporter matches a medium before its reporter, at the beginning of a
// line or behind its date: 聯合報 記者王小明.
var mediumReporter = regexp.MustCompile(`(?:^|[\d\s　|｜/／)）】])(\p{Han}{2,10}(?:[报報网網]|电视台|電視台|新[闻聞]|周刊|週刊|通[讯訊]社)|新[华華]社|中央社)[\s　/／|｜]*(?:记者|記者)[\s　:：]*\p{Han}{2,4}`)

// ourMedium begins how a medium calls itself.
var ourMedium = regexp.MustCompile(`^[本据據]`)

// unlabelledSource finds the source of a page that does not call it so: what is
// shown in an element named as one, or the medium that a reporter is of, in a
// line before the text.
func unlabelledSource(below, above []block, shown []string) string {
	lines := slices.DeleteFunc(slices.Concat(leading(below, 1), above), func(b block) bool {
		return b.runes > maxDateLine || b.isParagraph()
	})
	for _, b := range lines {
		for _, text := range shown {
			if name := shownName(text); name != "" && strings.Contains(b.text, name) {
				return name
			}
		}
	}
	for _, b := range lines {
		if name := reportersMedium(b.text); name != "" {
			return mediumName(name)
		}
	}
	return ""
}

// reportersMedium returns the medium that a line names before its reporter, ""
// for none: neither our own, 本报记者, nor one that a sentence tells of.
func reportersMedium(line string) string {
	if !strings.Contains(line, "记者") && !strings.Contains(line, "記者") || strings.ContainsAny(line, "，。！？") {
		return ""
	}
	if g := mediumReporter.FindStringSubmatch(line); g != nil && !ourMedium.MatchString(g[1]) {
		return g[1]
	}
	return ""
}

// shownName returns the name of a medium, "" where the element says anything
// else.
func shownName(text string) string {
	if _, dated := findDate(text); dated || len(text) > maxSource || strings.ContainsAny(text, ":：，。！？,!?|｜@") {
		return ""
	}
	return mediumName(text)
}
