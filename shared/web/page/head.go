package page

import (
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/web/fetch"
)

// attrs holds the attributes that Parse looks at, of one tag. The first of a
// repeated attribute counts, as in browsers.
type attrs struct {
	href, src, rel, alt, title, label string
	name, property, equiv, content    string
	lang, width, height, kind         string
}

// read takes the attributes of the current tag.
func (a *attrs) read(z *html.Tokenizer, more bool) {
	*a = attrs{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if field := a.field(string(key)); field != nil && *field == "" {
			// Do not even copy what exceeds the longest useful value.
			*field = string(value[:min(len(value), maxHref+1)])
		}
	}
}

// of takes the attributes of an element.
func (a *attrs) of(n *html.Node) {
	*a = attrs{}
	for i := range n.Attr {
		attr := &n.Attr[i]
		if attr.Namespace != "" {
			continue
		}
		if field := a.field(attr.Key); field != nil && *field == "" {
			*field = attr.Val[:min(len(attr.Val), maxHref+1)]
		}
	}
}

func (a *attrs) field(key string) *string {
	switch key {
	case "href":
		return &a.href
	case "src":
		return &a.src
	case "rel":
		return &a.rel
	case "alt":
		return &a.alt
	case "title":
		return &a.title
	case "aria-label":
		return &a.label
	case "name":
		return &a.name
	case "property":
		return &a.property
	case "http-equiv":
		return &a.equiv
	case "content":
		return &a.content
	case "lang":
		return &a.lang
	case "type":
		return &a.kind
	case "width":
		return &a.width
	case "height":
		return &a.height
	}
	return nil
}

// large says whether an image is a picture rather than an icon.
func (a *attrs) large() bool {
	px := func(s string) int {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), "px"))
		if err != nil {
			return 0
		}
		return n
	}
	return px(a.width) >= 300 || px(a.height) >= 300
}

// head collects the data of <meta>, <base> and <link> elements. References are
// kept as written, since the base may follow them.
type head struct {
	base, canonical, refresh                      string
	feeds                                         []string
	description, ogTitle, ogDescription, language string
	keywords                                      []string
	robots, tdm                                   []string
	tdmPolicy                                     string
	usage                                         http.Header // preferences in the place of the response's
}

// link reads a <link> element.
func (h *head) link(a *attrs) {
	if hasToken(a.rel, "canonical") {
		h.canonical = first(h.canonical, a.href)
	}
	kind, _, _ := strings.Cut(a.kind, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "application/rss+xml", "application/atom+xml":
		if a.href != "" && hasToken(a.rel, "alternate") && !nofollow(a.rel) && len(h.feeds) < maxFeeds {
			h.feeds = append(h.feeds, a.href)
		}
	}
}

func (h *head) meta(a *attrs) {
	name := strings.ToLower(strings.TrimSpace(first(a.name, a.property)))
	switch name {
	case "description":
		h.description = first(h.description, fold(a.content, maxMeta))
	case "og:description", "twitter:description":
		h.ogDescription = first(h.ogDescription, fold(a.content, maxMeta))
	case "og:title", "twitter:title":
		h.ogTitle = first(h.ogTitle, fold(a.content, maxTitle))
	case "keywords":
		if h.keywords == nil {
			h.keywords = keywords(a.content)
		}
	case "robots", fetch.Product:
		h.robots = more(h.robots, a.content)
	}
	equiv := strings.ToLower(strings.TrimSpace(a.equiv))
	switch equiv {
	case "x-robots-tag":
		h.robots = more(h.robots, a.content)
	case "refresh":
		h.refresh = first(h.refresh, refreshTarget(a.content))
	case "content-language":
		h.language = first(h.language, strings.TrimSpace(a.content))
	}
	h.reserve(name, a.content)
	if equiv != name {
		h.reserve(equiv, a.content)
	}
}

// reserve reads an element's statement about the use of the page, by a name or
// as a header field.
func (h *head) reserve(name, content string) {
	switch name {
	case "tdm-reservation", "tdm_reservation":
		h.tdm = more(h.tdm, content)
	case "tdm-policy", "tdm_policy":
		h.tdmPolicy = first(h.tdmPolicy, content)
	case "content-signal", "content-usage":
		if h.usage == nil {
			h.usage = http.Header{}
		}
		key := http.CanonicalHeaderKey(name)
		h.usage[key] = more(h.usage[key], content)
	}
}

// more appends the content of an element to that of others with its name.
func more(said []string, content string) []string {
	if len(said) < maxMetas {
		said = append(said, content)
	}
	return said
}

// refreshTarget returns the URL of `5; url='…'`, "" if the page only reloads
// itself.
func refreshTarget(content string) string {
	i := strings.IndexAny(content, ";,")
	if i < 0 {
		return ""
	}
	ref := strings.TrimSpace(content[i+1:])
	if len(ref) >= 3 && strings.EqualFold(ref[:3], "url") {
		if after, ok := strings.CutPrefix(strings.TrimSpace(ref[3:]), "="); ok {
			ref = strings.TrimSpace(after)
		}
	}
	if len(ref) > 0 && (ref[0] == '"' || ref[0] == '\'') {
		ref, _, _ = strings.Cut(ref[1:], ref[:1])
	}
	return strings.TrimSpace(ref)
}

// hasToken says whether a space-separated list holds the token, in any case.
func hasToken(list, token string) bool {
	for t := range strings.FieldsSeq(list) {
		if strings.EqualFold(t, token) {
			return true
		}
	}
	return false
}

func nofollow(rel string) bool { return hasToken(rel, "nofollow") }
