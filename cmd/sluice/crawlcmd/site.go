package crawlcmd

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local"
	"sluice/shared/structure/template"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// readSite makes the topic of a structured crawl, by --site and --template.
func (f *crawlFlags) readSite(spec *local.Spec) error {
	switch {
	case f.topic != "":
		return cli.Usage(errors.New("--site and --topic exclude each other: a crawl looks for records or for texts on a topic"))
	case f.site == "":
		return cli.Usage(errors.New("--site is missing: --template is for the site that it names"))
	case f.template == "":
		return cli.Usage(fmt.Errorf("--template is missing: --site needs a template file, or one of %s", strings.Join(template.Names(), ", ")))
	}
	u, err := urlnorm.Parse(f.site)
	if err != nil {
		return cli.Usage(fmt.Errorf("--site %q: %w", f.site, err))
	}
	t, err := template.Load(f.template)
	if err != nil {
		return cli.Usage(err)
	}
	text := f.template
	if !slices.Contains(template.Names(), f.template) {
		data, err := os.ReadFile(f.template)
		if err != nil {
			return err
		}
		text = string(data)
	}
	source := topic.ForSite(siteName(u, t.Name), u.String(), text)
	if f.browser != "" && f.browser != local.NoBrowser {
		source = append(source, "render: "+topic.RenderAuto+"\n"...)
	}
	return parseTopic(spec, "site "+u.Authority(), source)
}

var unnamed = regexp.MustCompile(`[^a-z0-9]+`)

// siteName names a crawl by its host and template.
func siteName(u urlnorm.URL, template string) string {
	host := strings.Trim(unnamed.ReplaceAllString(u.Authority(), "-"), "-")
	if most := 63 - len(template); len(host) > most {
		host = strings.Trim(host[:most], "-")
	}
	return host + "-" + template
}
