package cli

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"sluice/shared/structure/template"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// SiteFlags name the site of a structured crawl.
type SiteFlags struct{ Site, Template string }

// Register adds the flags.
func (f *SiteFlags) Register(fl *pflag.FlagSet) {
	fl.StringVar(&f.Site, "site", "", "in place of a topic: gather the records of the site at `URL`, from category to list to detail")
	fl.StringVar(&f.Template, "template", "", "with --site: template `T` of the records, a file or one of "+strings.Join(template.Names(), ", "))
}

// Given reports whether one of them is.
func (f *SiteFlags) Given() bool { return f.Site != "" || f.Template != "" }

// Topic returns the topic file of the crawl. topicFlag is what --topic says, which
// must be nothing.
func (f *SiteFlags) Topic(topicFlag string) ([]byte, error) {
	switch {
	case topicFlag != "":
		return nil, Usage(errors.New("--site and --topic exclude each other: a crawl looks for records or for texts on a topic"))
	case f.Site == "":
		return nil, Usage(errors.New("--site is missing: --template is for the site that it names"))
	case f.Template == "":
		return nil, Usage(fmt.Errorf("--template is missing: --site needs a template file, or one of %s", strings.Join(template.Names(), ", ")))
	}
	u, err := urlnorm.Given(f.Site)
	if err != nil {
		return nil, Usage(fmt.Errorf("--site %w", err))
	}
	t, err := template.Load(f.Template)
	if err != nil {
		return nil, Usage(err)
	}
	text := f.Template
	if !slices.Contains(template.Names(), text) {
		data, err := os.ReadFile(f.Template)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	return topic.ForSite(siteName(u, t.Name), u.String(), text), nil
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
