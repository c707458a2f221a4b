package page

import (
	"bytes"

	"golang.org/x/net/html"
)

// strayFrames takes the frames outside of a valid <frameset>, which the tree has
// lost. Broken pages of frames have little else that leads on.
func (p *parser) strayFrames(text []byte) {
	z := html.NewTokenizer(bytes.NewReader(text))
	for template := 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
			continue
		}
		name, more := z.TagName()
		switch {
		case string(name) == "template" && kind == html.EndTagToken:
			template = max(0, template-1)
		case string(name) == "template":
			template++
		case string(name) == "frame" && kind != html.EndTagToken && template == 0:
			p.frame(func() { p.attrs.read(z, more) })
		}
	}
}
