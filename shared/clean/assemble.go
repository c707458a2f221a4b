package clean

import (
	"fmt"

	"sluice/shared/corpus"
	"sluice/shared/crawl"
)

// output is what is made of a segment, as JSON lines.
type output struct {
	plan               *crawl.Plan
	seen               map[string]bool
	documents, rejects []byte
}

// take reads the pages that count, in their order. Of what stands twice the
// first stays.
func (o *output) take(pages []*found) error {
	for _, f := range pages {
		if !f.counts || f.url != "" && o.seen[f.url] {
			continue
		}
		o.seen[f.url] = true
		if err := o.add(f); err != nil {
			return err
		}
	}
	return nil
}

// add writes what a page turns out to be.
func (o *output) add(f *found) (err error) {
	reject := f.reject
	if reject == nil {
		var d *corpus.Document
		if d, reject = examine(o.plan, f); d != nil {
			d.WARC = f.place
			o.documents, err = d.AppendJSON(o.documents)
			if err != nil {
				return fmt.Errorf("encode document of %s: %w", f.url, err)
			}
			return nil
		}
	}
	if o.rejects, err = reject.AppendJSON(o.rejects); err != nil {
		return fmt.Errorf("encode reject of %s: %w", f.url, err)
	}
	return nil
}

// examine reads a page as the step does; one that the step kept it refuses for
// what is wrong with the page alone. A panic in a parser costs that page alone.
func examine(p *crawl.Plan, f *found) (d *corpus.Document, reject *corpus.Reject) {
	refuse := func(rule, detail string) *corpus.Reject {
		return &corpus.Reject{
			URL: f.link.First(), FinalURL: f.url, Rule: rule, Detail: detail, Status: f.response.Status, Date: f.at,
			Depth: f.link.Depth, Parent: f.link.Parent, Anchor: f.link.Anchor, Topic: p.Topic,
		}
	}
	defer func() {
		if r := recover(); r != nil {
			d, reject = nil, refuse(crawl.RulePanic, fmt.Sprint(r))
		}
	}()
	a, rule, err := f.arrival()
	if rule != "" {
		detail := ""
		if err != nil {
			detail = err.Error()
		}
		return nil, refuse(rule, detail)
	}
	rd := p.Read(a)
	if rd.Document != nil {
		return rd.Document, nil
	}
	reject = refuse(rd.Rule, rd.Detail)
	reject.Title, reject.OffTopic = a.Page.Title, rd.About
	return nil, reject
}
