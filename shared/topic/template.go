package topic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/shared/rank"
	"sluice/shared/schema"
	"sluice/shared/structure/template"
)

// template reads the site template of a structured crawl.
func (r *reader) template(f *File) schema.Read {
	return r.Text(&f.Template, "template", func(text string) error {
		_, err := readTemplate(text)
		return err
	})
}

// readTemplate reads a template by its name, if it comes with sluice, or by its text.
func readTemplate(text string) (*template.Template, error) {
	if slices.Contains(template.Names(), text) {
		return template.Load(text)
	}
	if !strings.ContainsAny(strings.TrimSpace(text), "\n<") {
		return nil, fmt.Errorf("no template has the name %q: use %s, or the text of a template file", clip(text), strings.Join(template.Names(), ", "))
	}
	return template.Parse("template", []byte(text))
}

// SiteTemplate is the template of a structured crawl; nil in a topical one.
func (f *File) SiteTemplate() (*template.Template, error) {
	if f.Template == "" {
		return nil, nil
	}
	return readTemplate(f.Template)
}

// checkTemplate refuses what a structured crawl has no use for. Its strategy follows
// from the layers of the site.
func (r *reader) checkTemplate(f *File) {
	for what, target := range map[string]any{"words": &f.Words, "strategy": &f.Strategy} {
		if at, given := r.At(target); given {
			r.Fail(at, "%s and template exclude each other: a crawl looks for texts on a topic or for records", what)
		}
	}
	f.Strategy = rank.NameBreadthFirst
}

// ForSite returns the topic file of a structured crawl: its name, the URL where it
// begins, and the name of a template that comes with sluice or the text of one.
func ForSite(name, url, template string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "name: %s\nseeds:\n  - %q\nscope:\n  mode: host\ntemplate: ", name, url)
	switch lines := strings.Split(strings.TrimSpace(template), "\n"); {
	case len(lines) > 1:
		template = "|2\n  " + strings.Join(lines, "\n  ")
	case !slug.MatchString(template):
		template = strconv.Quote(template)
	}
	return append([]byte(b.String()), template+"\n"...)
}

// Rendered returns a topic file of ForSite by which a browser shows what scripts build.
func Rendered(file []byte) []byte {
	return append(slices.Clip(file), "render: "+RenderAuto+"\n"...)
}
