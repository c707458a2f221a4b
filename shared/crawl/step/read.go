package step

import (
	"context"
	"fmt"

	"sluice/shared/crawl/reading"
	"sluice/shared/rank"
	"sluice/shared/text/boilerplate"
	"sluice/shared/web/page"
)

// inTurn calls f when one more page may be read.
func (s *Step) inTurn(f func()) {
	if s.parsers != nil {
		s.parsers <- struct{}{}
		defer func() { <-s.parsers }()
	}
	f()
}

// sight is the result of a page's turn.
type sight struct {
	arrival *reading.Arrival
	moved   bool            // it refers to another page
	grows   bool            // a browser has to show it first, nothing else is known of it; see grows
	mirror  bool            // see isMirror
	draft   *reading.Draft  // nil for a page that moved, is unchanged or a mirror
	result  *reading.Result // of the draft or of an unchanged page
}

// see reads a page from its bytes to its judgement. It is called in turn: the
// tree is by far the largest part of a page, and must not wait for another turn.
func (r *run) see(v *visit, contentType string) (*sight, error) {
	read := page.Read
	if _, ok := r.plan.Strategy.(rank.ContextReader); ok {
		read = page.ReadContexts
	}
	body, contentType := v.markup(contentType)
	text, p, err := read(body, contentType, v.url)
	if err != nil {
		return nil, err //nolint:wrapcheck // the detail of a reject
	}
	defer func() { p.Tree = nil }()
	p.MetaRobots = append(p.MetaRobots, v.directives...)
	v.trace.Charset, v.trace.Title = p.Charset, p.Title
	s := &sight{arrival: &reading.Arrival{
		Link: v.link, URL: v.url, At: v.resp.Start, Text: text, Page: p, Header: v.resp.Header,
		Site: v.robots.Site(v.link.URL), Version: v.prior.version() + 1,
	}}
	if s.grows = r.grows(v, p.Tree); s.grows {
		return s, nil
	}
	if s.moved = p.Refresh != "" && p.Refresh != v.link.URL && p.TextLen < refreshText; s.moved {
		return s, nil
	}
	v.trace.Site = s.arrival.Site
	if s.result = r.unchanged(v, s.arrival); s.result != nil {
		return s, nil
	}
	if s.mirror = !v.unseen && r.isMirror(p); s.mirror {
		return s, nil
	}
	s.draft = r.plan.Draft(s.arrival)
	s.result = s.draft.Judge(s.draft.Text())
	return s, nil
}

// unlearn removes known boilerplate of its host from a kept page. If no text
// would remain, the page is left unchanged: early on little is known, and the
// final boilerplate decides. A page that was kept for its text is judged by what
// remains.
func (r *run) unlearn(ctx context.Context, s *sight) (*reading.Result, error) {
	if s.result.Document == nil || r.ports.Boilerplate == nil || r.plan.Structured {
		return s.result, nil
	}
	learned, err := r.ports.Boilerplate.Update(ctx, r.task.Crawl, r.task.Host, []boilerplate.Page{s.draft.Page()})
	if err != nil {
		return nil, fmt.Errorf("learn from %s: %w", s.arrival.Link.URL, err)
	}
	rd := s.result
	r.inTurn(func() {
		if own := s.draft.Without(learned, rd); own.Document != nil || own.Rule == reading.RuleDescription {
			rd = own
		}
	})
	return rd, nil
}
