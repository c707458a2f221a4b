package main

import (
	"strings"

	crawl "sluice/shared/crawl/step"
	"sluice/shared/web/optout"
	"sluice/shared/web/urlnorm"
)

// rules puts those into words whose names do not say it all.
var rules = map[string]string{
	crawl.RuleRobots:      "robots.txt asks not to",
	crawl.RuleHostBudget:  "the pages that one host may give are used up",
	crawl.RuleHostDown:    "too many connections to the host failed in a row",
	crawl.RuleTooManyHops: "it redirects too often",
	crawl.RuleLanguage:    "it is written in another language than the topic's",
	crawl.RuleBody:        "its main text is not on the topic, whatever its description says",
	crawl.RuleNotHTML:     "neither a page nor a source of links",
	crawl.RuleNoText:      "there is no main text on it",
	crawl.RuleList:        "it is a list of links, which were read",
	crawl.RuleMediaOnly:   "only video or pictures are on it",
	crawl.RuleMirror:      "the same page was kept under another URL of its host",
	crawl.RuleNoIndex:     "the page asks not to be indexed",

	optout.RuleNoArchive:  "the page asks that no copy be kept",
	optout.RuleNoAI:       "the page asks not to train models with it",
	optout.RuleTDM:        "the rights of text and data mining are reserved",
	optout.RuleNoTraining: "the site asks not to train models with it",
	optout.RuleAITxt:      "the ai.txt of the site asks not to train models with it",

	crawl.RuleGone:        "there is no such page any more",
	crawl.RuleMoved:       "it redirects now",
	crawl.RuleNotModified: "its server says that it has not changed, which nobody had asked",
	crawl.RulePanic:       "it broke the program: please report it",
	crawl.RuleForgotten:   "it was taken out of the crawl for good",

	crawl.DropPriority: "its priority is not above the topic's threshold",
	crawl.DropAnchor:   "on a page that is off topic, and neither a topic word nor much relevance in its anchor",
	crawl.DropScope:    "outside of what the topic's scope, or a missing contact, allows",
	crawl.DropDepth:    "too many links away from its seed",
	crawl.DropNoFollow: "the page asks not to follow it",
	crawl.DropAddress:  "an address inside a network, where crawls do not go",

	urlnorm.TrapPathRepeats:  "a trap: parts of its path repeat",
	urlnorm.TrapPathTooDeep:  "a trap: its path has too many parts",
	urlnorm.TrapQueryTooLong: "a trap: its query is too long",
	urlnorm.TrapCalendar:     "a trap: a calendar without end",
}

// ruleInWords names a rule and says what it means.
func ruleInWords(rule string) string {
	if words, ok := rules[rule]; ok {
		return rule + ": " + words
	}
	if behind, ok := strings.CutPrefix(rule, crawl.RuleRedirect+"_"); ok {
		if words, ok := rules[behind]; ok {
			return rule + ": it redirects to what is let go: " + words
		}
	}
	return rule
}
