package replay

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	parse "sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// score says how relevant the description of a page is.
func (r *replay) score(p *page) error {
	var words int
	switch {
	case p.entry.Verdict == ledger.Source, r.scored && p.trace.Relevance == nil:
		return nil // a source, or not read as a page
	case r.scored:
		p.description, words = p.trace.Relevance.Value, p.trace.Relevance.Words
	default:
		text, err := r.description(p)
		if err != nil {
			return err
		}
		rel := r.plan.Lexicon.Rel(r.plan.Segmenter.Words(text))
		p.description, words = rel.Value, rel.Words
	}
	p.relevant = words > 0 && p.description >= r.plan.DescriptionThreshold || r.byText(p)
	if r.scored && p.entry.Rule == reading.RuleLanguage {
		p.relevant = false
	}
	return nil
}

// byText reports whether a page is relevant by its text, as far as that is known.
func (r *replay) byText(p *page) bool {
	return r.scored && r.plan.JudgeText && p.trace.Body != nil && p.trace.Body.Value >= r.plan.BodyThreshold
}

// description is the text that METHOD A1 scores, of an archived page, else the
// title.
func (r *replay) description(p *page) (string, error) {
	if p.entry.Verdict != ledger.Kept {
		p.byTitle = true
		return p.trace.Title, nil
	}
	archived, err := r.archived(p)
	if err != nil {
		return "", err
	}
	contentType, body, err := archived.Served()
	if err != nil {
		return "", fmt.Errorf("read page %s: %w", p.url, err)
	}
	u, err := urlnorm.Parse(p.url)
	if err != nil {
		return "", fmt.Errorf("read page: %w", err)
	}
	_, head, err := parse.Read(body, contentType, u)
	if err != nil {
		return "", fmt.Errorf("read page %s: %w", p.url, err)
	}
	return head.Title + "\n" + head.Description + "\n" + strings.Join(head.Keywords, "\n"), nil
}

func (r *replay) archived(p *page) (*clean.Page, error) {
	return clean.ReadPage(r.dir, corpus.Location{File: p.entry.Segment, Offset: p.entry.Offset, Length: p.entry.Length})
}

// judgePages decides which pages would be kept.
func (r *replay) judgePages(ctx context.Context) error {
	n := &r.result.Pages
	n.Rules, n.Removed, n.Added = map[string]int{}, []Page{}, []Page{}
	for _, url := range slices.Sorted(maps.Keys(r.pages)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := r.pages[url]
		if r.kept[url] && p.entry.Verdict == ledger.Kept {
			if err := r.keepAgain(p); err != nil {
				return err
			}
			continue
		}
		if !p.link.reached || p.trace.Status != http.StatusOK {
			continue
		}
		switch kept, unknown := r.takeUp(p); {
		case unknown:
			n.Undecided++
		case kept:
			n.NowKept++
			if len(n.Added) < examples {
				n.Added = append(n.Added, Page{URL: url, Title: p.trace.Title, Rule: p.entry.Rule})
			}
		}
	}
	return nil
}

// keepAgain reads a document's page again.
func (r *replay) keepAgain(p *page) error {
	n := &r.result.Pages
	n.Kept++
	if !p.link.reached {
		n.Unreached++
		return nil
	}
	archived, err := r.archived(p)
	if err != nil {
		return err
	}
	if r.scored && p.entry.Rule == reading.RuleSecondLook {
		archived.Accept() // by words that the crawl has learned
	}
	_, reject := archived.Read(r.plan.Reader)
	if reject == nil {
		n.Still++
		return nil
	}
	n.Refused++
	n.Rules[reject.Rule]++
	if len(n.Removed) < examples {
		n.Removed = append(n.Removed, Page{URL: p.url, Title: p.trace.Title, Rule: reject.Rule})
	}
	return nil
}

// takeUp says whether a page that was refused for its topic would be kept. That is
// unknown of a text that was not scored by the topic.
func (r *replay) takeUp(p *page) (kept, unknown bool) {
	switch rule := p.entry.Rule; {
	case !r.scored && (rule == reading.RuleDescription || rule == reading.RuleBody || rule == reading.RuleLanguage):
		return false, p.relevant || r.plan.JudgeText
	case rule != reading.RuleDescription && rule != reading.RuleBody:
		return false, false
	case !p.relevant && !r.plan.JudgeText:
		return false, false
	case p.trace.Body == nil:
		return false, !r.texts
	}
	return p.trace.Body.Value >= r.plan.BodyThreshold, false
}
