package body

import (
	"encoding/json"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sluice/shared/web/page"
)

// What a page declares as its text counts where a reader is shown none of it
// without running scripts, or only its beginning.
const (
	minDeclared   = 50 // runes
	declaredTimes = 2  // as long as the text that is shown
	maxDeclared   = 1 << 20
	maxEntities   = 100
)

// declared is what the scripts of a page and its parts for readers without
// scripts hold. It is read before the tree is changed.
type declared struct {
	article  string // articleBody of the one article in the JSON-LD, "" if there are several
	noscript string // mark-up
}

// readDeclared reads it from the JSON-LD and the noscript elements of a page.
func readDeclared(linked, noscript []string) (d declared) {
	articles := map[string]bool{}
	for _, data := range linked {
		linkedArticles(data, articles)
	}
	for _, text := range noscript {
		if len(d.noscript) < maxDeclared {
			d.noscript += text
		}
	}
	if len(articles) == 1 {
		for text := range articles {
			d.article = text
		}
	}
	return d
}

// linkedArticles adds the bodies of the articles that a JSON-LD document is
// about.
func linkedArticles(data string, articles map[string]bool) {
	var v any
	if len(data) > maxDeclared || !strings.Contains(data, `"articleBody"`) || json.Unmarshal([]byte(strings.TrimSpace(data)), &v) != nil {
		return
	}
	queue := []any{v}
	for i := 0; i < len(queue) && i < maxEntities; i++ {
		switch v := queue[i].(type) {
		case []any:
			queue = append(queue, v...)
		case map[string]any:
			if text, ok := v["articleBody"].(string); ok && isArticle(v["@type"]) {
				articles[text] = true
			}
			queue = append(queue, v["@graph"], v["mainEntity"])
		}
	}
}

// isArticle says whether a JSON-LD type, or one of several, is an article's.
func isArticle(kind any) bool {
	switch kind := kind.(type) {
	case string:
		return strings.HasSuffix(kind, "Article") || strings.HasSuffix(kind, "BlogPosting")
	case []any:
		for _, k := range kind {
			if s, ok := k.(string); ok && isArticle(s) {
				return true
			}
		}
	}
	return false
}

// markUp matches an element that declared texts hold.
var markUp = regexp.MustCompile(`(?i)</?(?:p|br|div|span|strong|b|em|i|a|img|h[1-6]|ul|ol|li|section|figure|blockquote)\b[^>]*>`)

// declare takes what a page declares for its text where that is much more than
// what it shows, which is so many runes or, by the error, none. It says whether
// it has.
func (b *Body) declare(d declared, shown int, err error) bool {
	if err != nil || b.MediaOnly {
		shown = 0
	}
	main, method := clean(articleBlocks(d.article), b.Title), MethodLinkedData
	if size(main) < minDeclared && err != nil {
		main, method = clean(d.withoutScripts(), b.Title), MethodDensity
	}
	if size(main) < max(minDeclared, shown*declaredTimes) || !anySays(main) {
		return false
	}
	b.Text, b.Method, b.MediaOnly = join(main), method, false
	return true
}

// withoutScripts returns the text for readers without scripts, unless it is
// about the scripts that they lack.
func (d declared) withoutScripts() []block {
	if d.noscript == "" || strings.Contains(strings.ToLower(d.noscript), "javascript") {
		return nil
	}
	doc, err := page.Tree([]byte(d.noscript))
	if err != nil {
		return nil
	}
	return layOut(doc).densest()
}

// articleBlocks returns the paragraphs of an articleBody, which is text by
// definition and mark-up now and then.
func articleBlocks(text string) []block {
	if markUp.MatchString(text) {
		doc, err := page.Tree([]byte(text))
		if err != nil {
			return nil
		}
		return layOut(doc).blocks
	}
	w := &walker{}
	w.at.tag = atom.P
	for line := range strings.Lines(html.UnescapeString(text)) {
		w.text(line)
		w.flush()
	}
	return w.blocks
}
