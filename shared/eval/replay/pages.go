package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// score says how relevant the description of a page is.
func (r *replay) score(p *page) error {
	switch {
	case p.entry.Verdict == ledger.Source, r.scored && p.trace.Relevance == nil:
		return nil // a source, or not read as a page
	case r.scored:
		rel := p.trace.Relevance
		p.description = rel.Value
		p.relevant = rel.Words > 0 && rel.Value >= r.plan.DescriptionThreshold || r.byText(p)
		if p.entry.Rule == reading.RuleLanguage {
			p.relevant = false
		}
	case p.entry.Length > 0:
		return r.readAgain(p)
	default:
		p.byTitle = true
		rel := r.plan.Lexicon.Rel(r.plan.Segmenter.Words(p.trace.Title))
		p.description, p.relevant = rel.Value, rel.Words > 0 && rel.Value >= r.plan.DescriptionThreshold
	}
	return nil
}

// byText reports whether a page is relevant by its text, as far as that is known.
func (r *replay) byText(p *page) bool {
	return r.plan.JudgeText && p.trace.Body != nil && p.trace.Body.Value >= r.plan.BodyThreshold
}

// readAgain reads an archived page by another topic.
func (r *replay) readAgain(p *page) error {
	archived, err := r.archived(p)
	if err != nil {
		return err
	}
	a, rule, err := archived.Arrival()
	if rule != "" {
		return fmt.Errorf("read page %s: %s: %w", p.url, rule, cmp.Or(err, errUnread))
	}
	draft := r.plan.Draft(a)
	rd := draft.Judge(draft.Text())
	p.description, p.relevant = rd.Description.Value, rd.Relevant
	return nil
}

// errUnread says that a page which the crawl has read cannot be read.
var errUnread = errors.New("the archive differs from what the crawl has read")

func (r *replay) archived(p *page) (*clean.Page, error) {
	return clean.ReadPage(r.dir, corpus.Location{File: p.entry.Segment, Offset: p.entry.Offset, Length: p.entry.Length})
}

// judgePages decides which pages would be kept, and has a strategy learn from it.
func (r *replay) judgePages(ctx context.Context) error {
	learner, _ := r.plan.Strategy.(rank.Learner)
	for url, p := range r.pages {
		err := errors.Join(ctx.Err(), r.score(p))
		if err != nil {
			return err
		}
		if r.document(p) {
			err = r.keepAgain(p)
		} else if p.trace.Status == http.StatusOK {
			err = r.takeUp(p)
		}
		if err != nil {
			return err
		}
		if learner == nil || p.entry.Verdict == ledger.Source || p.entry.Rule == reading.RuleList {
			continue
		}
		u, err := urlnorm.Parse(url)
		if err != nil {
			return fmt.Errorf("read page %s: %w", url, err)
		}
		learner.Learn(u, p.keep)
	}
	return nil
}

// document reports whether the crawl kept a page.
func (r *replay) document(p *page) bool { return r.kept[p.url] && p.entry.Verdict == ledger.Kept }

// countPages compares the pages with those of the crawl.
func (r *replay) countPages() {
	n := &r.result.Pages
	n.Rules, n.Removed, n.Added = map[string]int{}, []Page{}, []Page{}
	for _, url := range slices.Sorted(maps.Keys(r.pages)) {
		p := r.pages[url]
		document := r.document(p)
		if document {
			n.Kept++
		}
		switch {
		case !p.link.reached && document:
			n.Unreached++
		case !p.link.reached:
		case document && p.keep:
			n.Still++
		case document:
			n.Refused++
			n.Rules[p.refused]++
			if len(n.Removed) < examples {
				n.Removed = append(n.Removed, Page{URL: url, Title: p.trace.Title, Rule: p.refused})
			}
		case p.keep:
			n.NowKept++
			if len(n.Added) < examples {
				n.Added = append(n.Added, Page{URL: url, Title: p.trace.Title, Rule: p.entry.Rule})
			}
		case p.unknown:
			n.Undecided++
		}
	}
}

// keepAgain reads a document's page again.
func (r *replay) keepAgain(p *page) error {
	archived, err := r.archived(p)
	if err != nil {
		return err
	}
	if r.scored && p.entry.Rule == reading.RuleSecondLook {
		archived.Accept() // by words that the crawl has learned
	}
	if _, reject := archived.Read(r.plan.Reader); reject != nil {
		p.refused = reject.Rule
		return nil
	}
	p.keep = true
	return nil
}

// takeUp says whether a page that was refused for its topic would be kept. That is
// unknown of a text that was neither scored by the topic nor archived.
func (r *replay) takeUp(p *page) error {
	rule := p.entry.Rule
	switch {
	case !reading.ByTopic(rule), !p.relevant && !r.plan.JudgeText:
		return nil
	case r.scored && (p.entry.Verdict != ledger.Passed || rule == reading.RuleLanguage):
		return nil // the end of the crawl knew more, or the topic has the same language
	case r.scored && p.trace.Body == nil:
		p.unknown = !r.texts
		return nil
	case r.scored && p.trace.Body.Value < r.plan.BodyThreshold:
		return nil
	case p.entry.Length == 0:
		p.keep, p.unknown = r.scored, !r.scored
		return nil
	}
	page, err := r.archived(p)
	if err != nil {
		return err
	}
	_, reject := page.Read(r.plan.Reader)
	p.keep = reject == nil
	return nil
}
