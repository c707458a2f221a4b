package step

import (
	"context"
	"net/http"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/frontier"
	"sluice/shared/web/hosts"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Follow judges the links of a relevant page that was just read, as a run does.
func (s *Step) Follow(ctx context.Context, crawl string, from frontier.Link, p *page.Page, rel float64) error {
	u, err := urlnorm.Parse(from.URL)
	if err != nil {
		return err
	}
	r := &run{
		Step: s, plan: s.plan.Load(), task: &frontier.Task{Crawl: crawl, Host: u.Host()},
		lease: &hosts.Lease{Host: u.Host()}, fresh: map[string]bool{},
	}
	arrival := &reading.Arrival{Link: from, URL: u, At: s.opts.Now(), Page: p, Header: http.Header{}}
	return r.follow(ctx, &visit{link: from, url: u}, arrival, rel, true)
}
