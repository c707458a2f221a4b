// Package local runs a crawl in a folder of one machine: the step and the
// engine on an embedded store and plain files. It is the composition root
// that the command line, the demo and the benchmarks share.
package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"sluice/shared/demo"
	"sluice/shared/fault"
	"sluice/shared/fetch"
	"sluice/shared/topic"
	"sluice/shared/urlnorm"
)

// Spec says what to crawl, how and where to. With Resume, what is left open
// is as the crawl was started.
type Spec struct {
	Dir     string
	Topic   *topic.Compiled
	Source  []byte   // the bytes of the topic file or artifact that Topic was read from; they are kept with the crawl
	Seeds   []string // in place of the topic's; nil keeps those
	Contact string   // URL or e-mail for the User-Agent
	Version string   // of sluice, for the User-Agent
	Proxy   *url.URL

	Delay       time.Duration // between fetches on one host; below 0 it is left open: DefaultDelay
	Workers     int           // hosts at a time; 0: DefaultWorkers
	Lanes       int           // 0: exact priority order
	MaxPages    int           // 0: the topic's budget
	MaxDuration time.Duration // 0: the topic's budget
	RandomSeed  uint64        // 0: not reproducible
	Resume      bool          // go on with the crawl in Dir, or start it if there is none
	Log         *slog.Logger
}

// Errors of a Spec. They are the caller's mistake, not a failure.
var (
	ErrNoContact = errors.New("no contact")
	ErrExists    = errors.New("the folder holds a crawl already")
	ErrNoCrawl   = errors.New("the folder holds no crawl")
	ErrOther     = errors.New("the folder holds another crawl")
	ErrForeign   = errors.New("the folder holds a file that the crawl would replace with its topic")
	ErrSeeds     = errors.New("bad seeds")
	ErrBadURL    = errors.New("bad URL")
)

// version names the topic by its content.
func (s *Spec) version() string { return s.Topic.ID[:min(len(s.Topic.ID), versionDigits)] }

// versionDigits is how much of a topic's ID tells its versions apart.
const versionDigits = 12

// seeds parses the seeds, all problems at once.
func (s *Spec) seeds() ([]urlnorm.URL, error) {
	raw := s.Seeds
	if len(raw) == 0 {
		raw = s.Topic.File.Seeds
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("%w: topic %q names none; give some with --seed", ErrSeeds, s.Topic.File.Name)
	}
	var urls []urlnorm.URL
	var problems []error
	for _, r := range raw {
		u, err := urlnorm.Parse(r)
		if err != nil {
			problems = append(problems, fmt.Errorf("seed %q: %w", r, err))
			continue
		}
		urls = append(urls, u)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrSeeds, errors.Join(problems...))
	}
	return urls, nil
}

// scope limits the crawl to what the topic says. Without a contact it never
// leaves the seeds, which then are on this machine or in the demo.
func (s *Spec) scope(seeds []urlnorm.URL) (*urlnorm.Scope, error) {
	sc := s.Topic.File.Scope
	mode, allow := urlnorm.Mode(sc.Mode), sc.Allow
	if s.Contact == "" {
		for _, u := range seeds {
			if !isHome(u) {
				return nil, fmt.Errorf("%w: %s is somebody's server: tell its owner how to reach you, with --contact or SLUICE_CONTACT (a URL or an e-mail address)", ErrNoContact, u.Host())
			}
		}
		allow = nil
		if mode == urlnorm.ModeAny {
			mode = urlnorm.ModeDomain
		}
	}
	scope, err := urlnorm.NewScope(mode, seeds, allow, sc.Deny)
	if err != nil {
		return nil, fmt.Errorf("scope of topic %s: %w", s.Topic.File.Name, err)
	}
	return scope, nil
}

// isHome reports whether a URL is on this machine or in the demo.
func isHome(u urlnorm.URL) bool {
	host := u.Host()
	return isLoopback(u) || host == demo.Domain || strings.HasSuffix(host, "."+demo.Domain)
}

// homeClient keeps a crawl without a contact at home, wherever a server may
// send it: a robots.txt, for one, may redirect to any host.
type homeClient struct{ fetch.Client }

// Fetch implements fetch.Client.
func (c homeClient) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if u, err := urlnorm.Parse(r.URL); err != nil || !isHome(u) {
		return nil, fault.New(fault.Permanent, "contact", fmt.Errorf("fetch %s: %w", r.URL, ErrNoContact))
	}
	return c.Client.Fetch(ctx, r)
}

func isLoopback(u urlnorm.URL) bool {
	host := u.Host()
	if addr, ok := urlnorm.Literal(host); ok {
		return addr.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// guard refuses inside addresses but for those that the user named as seeds.
func guard(seeds []urlnorm.URL) (*fetch.Guard, error) {
	var named []string
	for _, u := range seeds {
		if _, literal := urlnorm.Literal(u.Host()); literal || isLoopback(u) {
			named = append(named, u.String())
		}
	}
	return fetch.NewGuard(named...)
}

// userAgent names the crawler and whom to ask about it.
func (s *Spec) userAgent() (string, error) {
	ua, err := fetch.UserAgent(s.Version, s.Contact)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoContact, err)
	}
	return ua, nil
}
