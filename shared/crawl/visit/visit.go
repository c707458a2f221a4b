// Package visit fetches single pages with the manners of a crawl, and reads them.
package visit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/text/body"
	"sluice/shared/topic/textfile"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

const (
	mostHops = 5
	// The longest pause of a host that a visit waits for.
	longestPause = time.Minute
)

// Visitor fetches pages as a crawl does: with the delays of robots.txt and its
// own, and with a contact. It is for one goroutine. Close it.
type Visitor struct {
	client *plan.Visitor
	robots *hosts.Robots
	delay  time.Duration
	next   map[string]time.Time // by host: earliest next request

	manners plan.Manners // without a contact: only this machine and the demo, even after redirects
}

// New returns a visitor for pages on the hosts of urls and those they redirect
// to. Fetches from a host are at least delay apart.
func New(manners plan.Manners, urls []urlnorm.URL, delay time.Duration) (*Visitor, error) {
	manners.Inside = plan.Inside(urls)
	client, err := manners.Visitor(urls)
	if err != nil {
		return nil, err
	}
	v := &Visitor{client: client, manners: manners, delay: delay, next: make(map[string]time.Time)}
	v.robots = &hosts.Robots{Client: client, Cache: &robotsMemory{}, Now: time.Now}
	return v, nil
}

// Close closes the connections.
func (v *Visitor) Close() { v.client.Close() }

// Visit fetches a page, following redirects, and returns its text for a topic.
func (v *Visitor) Visit(ctx context.Context, u urlnorm.URL) (textfile.Document, error) {
	response, u, err := v.follow(ctx, u)
	if err != nil {
		return textfile.Document{}, err
	}
	return documentOf(response, u)
}

// Page fetches an HTML page, following redirects, and returns its bytes and
// content type, and the URL that redirects led to.
func (v *Visitor) Page(ctx context.Context, u urlnorm.URL) (body []byte, contentType string, at urlnorm.URL, err error) {
	response, at, err := v.follow(ctx, u)
	if err != nil {
		return nil, "", at, err
	}
	return response.Body, response.Header.Get("Content-Type"), at, isPage(response, at)
}

// follow fetches a page and returns it with the URL that redirects led to.
func (v *Visitor) follow(ctx context.Context, u urlnorm.URL) (*fetch.Response, urlnorm.URL, error) {
	for range mostHops {
		response, err := v.get(ctx, u)
		if err != nil || response.Location == "" {
			return response, u, err
		}
		if u, err = u.Resolve(response.Location, nil); err != nil {
			return nil, u, fmt.Errorf("follow redirect: %w", err)
		}
		if v.manners.Contact == "" && !plan.IsHome(u) {
			return nil, u, fmt.Errorf("follow redirect to %s: %w", u, plan.ErrNoContact)
		}
	}
	return nil, u, fmt.Errorf("more than %d redirects", mostHops)
}

// get fetches a URL that robots.txt allows, after the host's delay.
func (v *Visitor) get(ctx context.Context, u urlnorm.URL) (*fetch.Response, error) {
	pause, err := v.wait(ctx, u)
	if err != nil {
		return nil, err
	}
	response, err := v.client.Fetch(ctx, &fetch.Request{URL: u.String()})
	v.next[u.Host()] = time.Now().Add(pause)
	if err != nil {
		return nil, err
	}
	return response, fetch.Status(response, time.Now())
}

// wait returns when a URL may be fetched, with the pause that is due after it. It fails
// if robots.txt forbids the URL, or asks for a pause that is too long.
func (v *Visitor) wait(ctx context.Context, u urlnorm.URL) (pause time.Duration, err error) {
	rules, err := v.robots.For(ctx, u.Scheme(), u.Authority())
	if err != nil {
		return 0, err
	}
	if !rules.Allowed(u.String()) {
		return 0, errors.New("robots.txt forbids it")
	}
	pause = max(v.delay, rules.CrawlDelay())
	if pause > max(v.delay, longestPause) {
		return 0, fmt.Errorf("robots.txt asks for a pause of %v between pages: save the page to a file", pause)
	}
	select {
	case <-time.After(time.Until(v.next[u.Host()])):
		return pause, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// documentOf returns title and main text of a page, as textfile reads them from
// a file.
func documentOf(r *fetch.Response, u urlnorm.URL) (textfile.Document, error) {
	if err := isPage(r, u); err != nil {
		return textfile.Document{}, err
	}
	text, head, err := page.Read(r.Body, r.Header.Get("Content-Type"), u)
	if err != nil {
		return textfile.Document{}, err
	}
	main, err := body.Extract(text, u.String(), head, body.Options{})
	if err == nil && (main.Text == "" || main.MediaOnly) {
		err = body.ErrNoText
	}
	if err != nil {
		return textfile.Document{}, err
	}
	doc := textfile.Document{ID: u.String(), Title: main.Title, Text: main.Text}
	doc.Title = cmp.Or(doc.Title, head.Title)
	return doc, nil
}

// isPage returns an error for what is not HTML.
func isPage(r *fetch.Response, u urlnorm.URL) error {
	switch kind := page.Sniff(r.Body, r.Header.Get("Content-Type"), u.String()); kind {
	case page.HTML:
		return nil
	case page.Other:
		return errors.New("it is no page")
	default:
		return fmt.Errorf("it is not a page, but %v", kind)
	}
}

// robotsMemory keeps robots.txt files for one run.
type robotsMemory struct{ rules sync.Map }

var _ hosts.RobotsCache = (*robotsMemory)(nil)

// Robots implements hosts.RobotsCache.
func (m *robotsMemory) Robots(_ context.Context, authority string, since time.Time) (*hosts.Rules, error) {
	rules, _ := m.rules.Load(authority)
	kept, _ := rules.(*hosts.Rules)
	if kept == nil || !kept.Hold(time.Now(), since) {
		return nil, nil
	}
	return kept, nil
}

// PutRobots implements hosts.RobotsCache.
func (m *robotsMemory) PutRobots(_ context.Context, authority string, r *hosts.Rules) error {
	m.rules.Store(authority, r)
	return nil
}
