package operator

import (
	"context"
	"fmt"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/fault"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
)

// Sites is what is known of the sites of the stack's crawls.
func (o *Operator) Sites() site.Store { return o.parts.Sites }

// Template is the site template of a structured crawl; nil of a topical one, and
// of one whose topic is gone.
func (o *Operator) Template(ctx context.Context, crawl string) (*template.Template, error) {
	j, err := o.parts.Jobs.Get(ctx, crawl)
	if err != nil {
		return nil, err
	}
	t, err := o.parts.Topics.Get(ctx, j.Topic)
	switch {
	case err != nil && fault.Of(err).Rule == s3corpus.RuleNoTopic:
		return nil, nil // gone, and with it what the crawl was for
	case err != nil:
		return nil, fmt.Errorf("read topic of %s: %w", crawl, err)
	}
	return t.File.SiteTemplate()
}
