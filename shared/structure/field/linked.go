package field

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

var (
	imageKeys = []string{"data-original", "data-lazy-img", "data-lazyload", "data-src", "data-lazy", "original", "src"}
	linkKeys  = []string{"href"}
)

// linked are the images or links of a page, as values of a field.
func (s *sheet) linked(l *lexicon, field int, nodes []*html.Node, keys []string) []candidate {
	f := &l.Fields[field]
	found := s.properties(f)
	if f.Type == template.Link && !s.isRecord {
		found = append(found, s.canonical(f)...)
	}
	for order, n := range nodes {
		for _, key := range keys {
			ref := structure.Attr(n, key)
			v, ok := Clean(f, ref, s.Base)
			if !ok || strings.HasPrefix(ref, "data:") || strings.HasPrefix(ref, "javascript:") {
				continue
			}
			score, paths := s.beforeLink(l, n, field)
			if n.Data == "img" || s.isRecord {
				score += s.attributes(l, n, field)
			}
			first := max(0, least-float64(order)) // the first of a record is its own
			switch text := textOf(n); {
			case n.Data == "img":
				score += s.picture(n)
			case s.isRecord && text != "":
				score += s.heading(n, text)
				first /= 2
			}
			if s.isRecord {
				score += first
			}
			if n.Data == "img" && 0 <= score && score < least && s.isOwn(n) {
				score = least
			}
			if score < least {
				break
			}
			c := candidate{value: v, score: score}
			c.paths = append(below(paths, "/@"+key), below(s.paths(n), "/@"+key)...)
			found = append(found, c)
			break
		}
	}
	return found
}

// beforeLink is what the label in front of a link or an image scores.
func (s *sheet) beforeLink(l *lexicon, n *html.Node, field int) (float64, []path) {
	for i := s.spans[n].first - 1; i >= 0; i-- {
		c := &s.cells[i]
		if !speaks(c.text) {
			continue
		}
		share := l.label(c.text)[field]
		if share == 0 {
			break
		}
		return pointsLabel * share, s.labelled(c, n)
	}
	return 0, nil
}

// canonical is the address that a page calls its own.
func (s *sheet) canonical(f *template.Field) []candidate {
	n := s.first[nameOfProperty("rel", "canonical")]
	if n == nil {
		return nil
	}
	v, ok := Clean(f, structure.Attr(n, "href"), s.Base)
	if !ok {
		return nil
	}
	return []candidate{{value: v, score: pointsMeta, firm: true, paths: []path{{"//link[@rel='canonical']/@href", trustNamed}}}}
}

// isOwn reports whether an image is rather of this page than of another one: it is in no
// menu and no link to a page.
func (s *sheet) isOwn(n *html.Node) bool {
	if s.isRecord || s.beside[n] || s.beside[n.Parent] {
		return false
	}
	link := above(n, "a", maxUp)
	return link == nil || leadsTo(link) == "" || imageFile.MatchString(leadsTo(link))
}

var imageFile = regexp.MustCompile(`(?i)\.(?:jpe?g|png|webp|gif|avif)(?:$|[?!#])`)

// picture is how far an image shows what the page is about, by its size and text.
func (s *sheet) picture(n *html.Node) float64 {
	width, _ := strconv.Atoi(strings.TrimSuffix(structure.Attr(n, "width"), "px"))
	height, _ := strconv.Atoi(strings.TrimSuffix(structure.Attr(n, "height"), "px"))
	points := 0.0
	switch {
	case width >= 200 || height >= 200:
		points = 6
	case width >= 100 || height >= 100:
		points = 3
	case width > 0 && width < 40 || height > 0 && height < 40:
		points = -10
	}
	if alt := structure.Attr(n, "alt"); alt != "" && !s.isRecord {
		points += s.heading(n, alt) / 2
	}
	return points
}
