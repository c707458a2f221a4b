package topiccmd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sluice/cmd/sluice/cli"
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
	// A host that asks for longer pauses is not waited for.
	longestPause = time.Minute
)

// fetchPages fetches pages one after another, politely, and takes their main
// text. leaveOut is told of those that cannot be had. The error is that of ctx
// or of what was asked for, before anything is fetched.
func fetchPages(ctx context.Context, sc *cli.Screen, urls []urlnorm.URL, o *pagesOptions, leaveOut func(error)) ([]textfile.Document, error) {
	v, err := newVisitor(urls, o)
	if err != nil {
		return nil, err
	}
	defer v.client.Close()
	defer sc.Show()
	var pages []textfile.Document
	for i, u := range urls {
		if sc.Live() {
			sc.Show(fmt.Sprintf("page %d/%d", i+1, len(urls)), u.Host())
		}
		doc, err := v.visit(ctx, u)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("fetch pages: %w", ctx.Err())
		case err != nil:
			leaveOut(fmt.Errorf("fetch %s: %w", u, err))
		default:
			pages = append(pages, doc)
		}
	}
	return pages, nil
}

// visitor fetches pages as a crawl does: never faster than robots.txt and the
// delay allow, with a name that says whom to ask.
type visitor struct {
	client *plan.Visitor
	robots *hosts.Robots
	home   bool // without a contact it stays on this machine, wherever it is sent
	delay  time.Duration
	next   map[string]time.Time // by host: when it may be asked again
}

func newVisitor(urls []urlnorm.URL, o *pagesOptions) (*visitor, error) {
	proxy, err := cli.ParseProxy(o.proxy)
	if err != nil {
		return nil, err
	}
	manners := plan.Manners{Contact: o.contact, Version: cli.Version, Proxy: proxy, Inside: plan.Inside(urls)}
	client, err := manners.Visitor(urls)
	if err != nil {
		return nil, err
	}
	v := &visitor{client: client, home: o.contact == "", delay: o.delay, next: make(map[string]time.Time)}
	v.robots = &hosts.Robots{Client: client, Cache: &robotsMemory{}, Now: time.Now}
	return v, nil
}

// visit fetches a page, following redirects, and takes what a topic needs.
func (v *visitor) visit(ctx context.Context, u urlnorm.URL) (textfile.Document, error) {
	for range mostHops {
		response, err := v.get(ctx, u)
		if err != nil {
			return textfile.Document{}, err
		}
		if response.Location == "" {
			return documentOf(response, u)
		}
		if u, err = u.Resolve(response.Location, nil); err != nil {
			return textfile.Document{}, fmt.Errorf("follow redirect: %w", err)
		}
		if v.home && !plan.IsHome(u) {
			return textfile.Document{}, fmt.Errorf("follow redirect to %s: %w", u, plan.ErrNoContact)
		}
	}
	return textfile.Document{}, fmt.Errorf("more than %d redirects", mostHops)
}

// get fetches a URL that robots.txt allows, when its host's turn has come.
func (v *visitor) get(ctx context.Context, u urlnorm.URL) (*fetch.Response, error) {
	rules, err := v.robots.For(ctx, u.Scheme(), u.Authority())
	if err != nil {
		return nil, err
	}
	if !rules.Allowed(u.String()) {
		return nil, errors.New("robots.txt asks not to")
	}
	pause := max(v.delay, rules.CrawlDelay())
	if pause > max(v.delay, longestPause) {
		return nil, fmt.Errorf("robots.txt asks for a pause of %v between pages: save the page to a file", pause)
	}
	select {
	case <-time.After(time.Until(v.next[u.Host()])):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	response, err := v.client.Fetch(ctx, &fetch.Request{URL: u.String()})
	v.next[u.Host()] = time.Now().Add(pause)
	if err != nil {
		return nil, err
	}
	return response, fetch.Status(response, time.Now())
}

// documentOf is what a topic takes of a page: title and main text, as textfile
// reads them from a file.
func documentOf(r *fetch.Response, u urlnorm.URL) (textfile.Document, error) {
	contentType := r.Header.Get("Content-Type")
	switch kind := page.Sniff(r.Body, contentType, u.String()); kind {
	case page.HTML:
	case page.Other:
		return textfile.Document{}, errors.New("it is no page")
	default:
		return textfile.Document{}, fmt.Errorf("it is no page, but %v", kind)
	}
	text, charset := page.Decode(r.Body, contentType)
	head, err := page.Parse(text, charset, u)
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
	if doc.Title == "" {
		doc.Title = head.Title
	}
	return doc, nil
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
