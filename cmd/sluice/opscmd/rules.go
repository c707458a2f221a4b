package opscmd

import (
	"strings"

	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/web/optout"
	"sluice/shared/web/urlnorm"
)

// rules puts those into words whose names do not say it all.
var rules = map[string]string{
	step.RuleRobots:        "robots.txt forbids it",
	step.RuleHostBudget:    "the pages that one host may give are used up",
	step.RuleOverride:      "the pages that an override allows of a part of its host are used up",
	step.RuleHostSources:   "the host has given, or its pages have named, all the sitemaps and feeds that are read of one",
	step.RuleNesting:       "a sitemap or feed behind too many others, one naming the next",
	step.RuleHostDown:      "too many connections to the host failed in a row",
	step.RuleTooManyHops:   "it redirects too often",
	step.RuleRedirectLoop:  "it redirects to itself, or back to where its redirects began",
	step.RuleCookieWall:    "the page gives cookies and redirects, and its host's delay is too long to ask again at once",
	reading.RuleLanguage:   "it is written in another language than the topic's",
	reading.RuleSecondLook: "judged again, at the end of the crawl, by words learned from its pages",
	reading.RuleBody:       "its main text is not on the topic, even if its description is",
	reading.RuleNotHTML:    "neither a page nor a source of links",
	reading.RuleNoText:     "there is no main text on it",
	reading.RuleList:       "it is a list of links, which were read",
	reading.RuleCategory:   "it only leads to lists; its links were read",
	reading.RuleMediaOnly:  "only video or pictures are on it",
	step.RuleMirror:        "the same page was kept under another URL of its host",
	step.RuleNoIndex:       "the page asks not to be indexed",

	optout.RuleNoArchive:  "the page asks that no copy be kept",
	optout.RuleNoAI:       "the page asks not to train models with it",
	optout.RuleTDM:        "the rights of text and data mining are reserved",
	optout.RuleNoTraining: "the site asks not to train models with it",
	optout.RuleAITxt:      "the ai.txt of the site asks not to train models with it",

	step.RuleGone:        "there is no such page any more",
	step.RuleMoved:       "it redirects now",
	step.RuleNotModified: "its server says that it has not changed, but the request was not conditional",
	reading.RulePanic:    "it broke the program: please report it",
	step.RuleForgotten:   "it was taken out of the crawl for good",

	step.RuleNeedsBrowser: "the topic file has it rendered, and there is no browser",

	rank.DropPriority: "its priority is not above the topic's threshold",
	rank.DropAnchor:   "on a page that is off topic, and neither a topic word nor much relevance in its anchor",
	rank.DropTunnel:   "behind too many weak links in a row",
	step.DropScope:    "outside of the topic's scope, or not allowed without a contact",
	step.DropDepth:    "too many links away from its seed",
	step.DropNoFollow: "the page asks not to follow it",
	step.DropBeyond:   "beyond the links that are read of a page",
	step.DropLayer:    "a list leads to its records, its pages and its sections, a page of details nowhere, none to an action",
	step.DropFacet:    "the list that links to it, sorted or filtered",
	step.DropAddress:  "an address inside a network, where crawls do not go",

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
	if behind, ok := strings.CutPrefix(rule, step.RuleRedirect+"_"); ok {
		if words, ok := rules[behind]; ok {
			return rule + ": it redirects to a skipped page: " + words
		}
	}
	return rule
}
