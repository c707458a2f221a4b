package topic

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"sluice/shared/rank/urlshape"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

var (
	slug     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	language = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
	hostRule = regexp.MustCompile(`^(\*\.)?[^\s/?#@\\:*]+(:[0-9]{1,5})?$`)
)

var (
	ratio    = bounds{least: 0, most: 1}
	divisor  = bounds{least: 0.001, most: 1000}
	positive = bounds{least: 0, most: 1000, above: true}
	measure  = bounds{least: 0, most: 1000}
)

const (
	maxWords = 5_000
	maxSeeds = 5_000

	maxSample = 1_000
)

// topicFile reads every field of a topic file.
func (r *reader) topicFile(root ast.Node, f *File) {
	words, related := r.wordLists(f)
	r.object("the topic file", map[string]read{
		"name":     r.text(&f.Name, "name", checkName),
		"language": r.text(&f.Language, "language", checkLanguage),
		"words":    words,
		"related":  related,
		"adjust":   r.adjust(f),
		"seeds":    r.texts(&f.Seeds, "seed", maxSeeds, checkSeed),
		"scope": r.object("scope", map[string]read{
			"mode":  r.mode(&f.Scope.Mode),
			"allow": r.texts(&f.Scope.Allow, "allow", limits.MaxEntries, checkReach),
			"deny":  r.texts(&f.Scope.Deny, "deny", limits.MaxEntries, checkReach),
		}),
		"thresholds": r.object("thresholds", map[string]read{
			"description": r.number(&f.Thresholds.Description, "description", measure),
			"priority":    r.number(&f.Thresholds.Priority, "priority", positive),
			"body":        r.number(&f.Thresholds.Body, "body", measure),
			"anchor":      r.number(&f.Thresholds.Anchor, "anchor", measure),
		}),
		"weights": r.object("weights", map[string]read{
			"alpha":  r.number(&f.Weights.Alpha, "alpha", ratio),
			"beta":   r.number(&f.Weights.Beta, "beta", ratio),
			"lambda": r.number(&f.Weights.Lambda, "lambda", positive),
		}),
		"mean_weight": r.number(&f.MeanWeight, "mean_weight", positive),
		"structure":   r.structure(&f.Structure),
		"budgets": r.object("budgets", map[string]read{
			"max_pages":          r.count(&f.Budgets.MaxPages, "max_pages", 1, limits.MaxPages),
			"max_pages_per_host": r.count(&f.Budgets.MaxPagesPerHost, "max_pages_per_host", 1, limits.MaxPages),
			"max_depth":          r.count(&f.Budgets.MaxDepth, "max_depth", 0, limits.MaxDepth),
			"max_duration":       r.duration(&f.Budgets.MaxDuration, "max_duration"),
		}),
		"quality": r.quality(f),
		"pii":     r.text(new(string), "pii", f.setPII),
	})(root)
}

// texts reads a list of at most most texts that check accepts.
func (r *reader) texts(target *[]string, what string, most int, check func(string) string) read {
	return r.list(what, most, func(node ast.Node) {
		var value string
		before := len(r.problems)
		r.text(&value, what, check)(node)
		if len(r.problems) == before {
			*target = append(*target, value)
		}
	})
}

// mode reads the scope mode.
func (r *reader) mode(target *urlnorm.Mode) read {
	return func(node ast.Node) {
		var mode string
		r.text(&mode, "mode", checkMode)(node)
		if mode != "" {
			*target = urlnorm.Mode(mode)
		}
	}
}

// structure reads the constants of the structure vote over the defaults of its
// form, which may come anywhere among them.
func (r *reader) structure(s *Structure) read {
	form := func(node ast.Node) {
		var form string
		r.text(&form, "form", func(form string) string {
			if f := urlshape.Form(form); f != urlshape.FormPaper && f != urlshape.FormPath {
				return "use path or paper"
			}
			return ""
		})(node)
		if form != "" {
			s.Params = urlshape.DefaultParams(urlshape.Form(form))
		}
	}
	return func(node ast.Node) {
		if mapping, ok := node.(*ast.MappingNode); ok {
			for _, pair := range mapping.Values {
				if pair.Key.GetToken().Value == "form" {
					form(pair.Value)
					break
				}
			}
		}
		r.object("structure", map[string]read{
			"form":      func(ast.Node) {}, // read above
			"alpha":     r.number(&s.Alpha, "alpha", measure),
			"beta":      r.number(&s.Beta, "beta", measure),
			"threshold": r.number(&s.Threshold, "threshold", measure),
			"a":         r.number(&s.A, "a", measure),
			"b":         r.number(&s.B, "b", measure),
			"d":         r.number(&s.D, "d", divisor),
			"a_path":    r.number(&s.APath, "a_path", measure),
			"sample":    r.count(&s.Sample, "sample", 1, maxSample),
		})(node)
	}
}

func checkName(name string) string {
	if len(name) > 64 || !slug.MatchString(name) {
		return "use up to 64 lower-case letters, digits and single hyphens, such as finance-news"
	}
	return ""
}

func checkLanguage(tag string) string {
	if len(tag) > 35 || !language.MatchString(tag) {
		return "use a language tag such as zh, en or zh-TW"
	}
	return ""
}

func checkMode(mode string) string {
	switch urlnorm.Mode(mode) {
	case urlnorm.ModeAny, urlnorm.ModeDomain, urlnorm.ModeHost, urlnorm.ModePrefix:
		return ""
	}
	return "use domain, host, prefix or any"
}

// checkSeed accepts absolute http and https URLs.
func checkSeed(seed string) string {
	const advice = "write a whole address, such as https://www.example.com/news/"
	if len(seed) > 2048 || strings.ContainsAny(seed, " \t\r\n") {
		return advice
	}
	u, err := url.Parse(seed)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return advice
	}
	if u.User != nil {
		return "remove the user name and password: they would be sent to the host and kept in the corpus"
	}
	return ""
}

// checkReach accepts a host, a domain with its subdomains, or the beginning of
// addresses.
func checkReach(rule string) string {
	if len(rule) <= 255 && hostRule.MatchString(rule) || checkSeed(rule) == "" {
		return ""
	}
	return "write a host (example.com), a domain with its hosts (*.example.com) or the beginning of addresses (https://example.com/news/)"
}
