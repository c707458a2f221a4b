package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"sluice/shared/demo"
	"sluice/shared/fault"
	"sluice/shared/fetch"
	"sluice/shared/hosts"
	"sluice/shared/local"
	"sluice/shared/page"
	"sluice/shared/page/body"
	"sluice/shared/textfile"
	"sluice/shared/urlnorm"
)

const (
	mostHops = 5
	// A host that asks for longer pauses is not waited for.
	longestPause = time.Minute
)

// fetchPages fetches pages one after another, politely, and takes their main
// text. leaveOut is told of those that cannot be had. The error is that of ctx
// or of what was asked for, before anything is fetched.
func fetchPages(ctx context.Context, sc *screen, urls []urlnorm.URL, o *pagesOptions, leaveOut func(error)) ([]textfile.Document, error) {
	v, err := newVisitor(urls, o)
	if err != nil {
		return nil, err
	}
	defer v.client.Close()
	defer sc.show()
	var pages []textfile.Document
	for i, u := range urls {
		if sc.live() {
			sc.show(fmt.Sprintf("page %d/%d", i+1, len(urls)), u.Host())
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
	client *fetch.HTTP
	robots *hosts.Robots
	home   bool // without a contact it stays on this machine, wherever it is sent
	delay  time.Duration
	next   map[string]time.Time // by host: when it may be asked again
}

func newVisitor(urls []urlnorm.URL, o *pagesOptions) (*visitor, error) {
	proxy, err := parseProxy(o.proxy)
	if err != nil {
		return nil, err
	}
	var named []string
	for _, u := range urls {
		if o.contact == "" && !isHome(u) {
			return nil, fmt.Errorf("%w: %s is somebody's server: tell its owner how to reach you, with --contact or SLUICE_CONTACT (a URL or an e-mail address)",
				local.ErrNoContact, u.Host())
		}
		if _, literal := urlnorm.Literal(u.Host()); literal || isLoopback(u) {
			named = append(named, u.String())
		}
	}
	agent, err := fetch.UserAgent(version, o.contact)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", local.ErrNoContact, err)
	}
	guard, err := fetch.NewGuard(named...)
	if err != nil {
		return nil, err
	}
	v := &visitor{home: o.contact == "", delay: o.delay, next: make(map[string]time.Time)}
	if v.client, err = fetch.New(fetch.Options{UserAgent: agent, Proxy: proxy, Guard: guard}); err != nil {
		return nil, err
	}
	v.robots = &hosts.Robots{Client: v, Cache: &robotsMemory{}, Now: time.Now}
	return v, nil
}

// Fetch implements fetch.Client, for pages and robots.txt.
func (v *visitor) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if u, err := urlnorm.Parse(r.URL); v.home && (err != nil || !isHome(u)) {
		return nil, fault.New(fault.Permanent, "contact", fmt.Errorf("%s: %w", r.URL, local.ErrNoContact))
	}
	return v.client.Fetch(ctx, r)
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
		if v.home && !isHome(u) {
			return textfile.Document{}, fmt.Errorf("follow redirect to %s: %w", u, local.ErrNoContact)
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
	response, err := v.Fetch(ctx, &fetch.Request{URL: u.String()})
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

// isHome reports whether a URL is on this machine or in the demo, where nobody
// needs a contact.
func isHome(u urlnorm.URL) bool {
	host := u.Host()
	return isLoopback(u) || host == demo.Domain || strings.HasSuffix(host, "."+demo.Domain)
}

func isLoopback(u urlnorm.URL) bool {
	host := u.Host()
	if addr, ok := urlnorm.Literal(host); ok {
		return addr.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// robotsMemory keeps robots.txt files for one run.
type robotsMemory struct{ rules sync.Map }

var _ hosts.RobotsCache = (*robotsMemory)(nil)

// Robots implements hosts.RobotsCache.
func (m *robotsMemory) Robots(_ context.Context, authority string) (*hosts.Rules, error) {
	rules, _ := m.rules.Load(authority)
	kept, _ := rules.(*hosts.Rules)
	if kept == nil || time.Now().After(kept.Expires()) {
		return nil, nil
	}
	return kept, nil
}

// PutRobots implements hosts.RobotsCache.
func (m *robotsMemory) PutRobots(_ context.Context, authority string, r *hosts.Rules) error {
	m.rules.Store(authority, r)
	return nil
}
