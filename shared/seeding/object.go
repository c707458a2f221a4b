package seeding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"sluice/shared/fault"
	"sluice/shared/frontier"
	"sluice/shared/job"
	"sluice/shared/page"
	"sluice/shared/urlnorm"
)

// folder is where seeds are put: seeds/CRAWL/NAME.
const folder = "seeds/"

// maxScope is how many hosts lists of seeds bring into a crawl's scope.
const maxScope = 2000

// nowhere is what relative URLs of a list are relative to; none is of use.
const nowhere = "http://seeds.invalid/"

// Object makes seeds of an object under seeds/CRAWL/: a list of URLs, a
// sitemap, a feed, each perhaps with gzip, or a start message. Where no crawl
// has that name, one is started with the topic topics/CRAWL.topic.
func (s *Seeder) Object(ctx context.Context, key string) error {
	id, name, ok := strings.Cut(strings.TrimPrefix(key, folder), "/")
	if !strings.HasPrefix(key, folder) || !ok || name == "" {
		return poison("bad_key", "object %q: seeds are put under %sCRAWL/NAME", key, folder)
	}
	if err := job.CheckID(id); err != nil {
		return poison("bad_key", "object %q: %w", key, err)
	}
	data, err := s.ports.Objects.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("read seeds %s: %w", key, err)
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return s.Message(ctx, bytes.TrimSpace(data))
	}
	seeds, err := parse(name, data)
	if err != nil {
		return poison("bad_seeds", "object %s: %w", key, err)
	}
	j, err := s.of(ctx, id, seeds)
	if err != nil {
		return err
	}
	s.opts.Log.InfoContext(ctx, "seeds read", "crawl", id, "object", key, "seeds", len(seeds))
	return s.seed(ctx, j, seeds)
}

// parse reads a list, sitemap or feed.
func parse(name string, data []byte) ([]frontier.Link, error) {
	seeds := parseLines(data)
	if len(seeds) > 0 {
		return seeds, nil
	}
	base, err := urlnorm.Parse(nowhere)
	if err != nil {
		return nil, err
	}
	entries, _, err := page.ParseSource(data, "", base)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	for _, e := range entries {
		if e.URL.Host() == base.Host() {
			continue
		}
		l := links([]string{e.URL.String()})[0]
		l.Anchor, l.IsSource = e.Title, e.Sitemap
		seeds = append(seeds, l)
	}
	if len(seeds) == 0 {
		return nil, fmt.Errorf("no URL in %s", name)
	}
	return seeds, nil
}

// parseLines reads a URL a line. Lines that are none are left out: who lists
// seeds by hand also takes notes.
func parseLines(data []byte) []frontier.Link {
	var urls []string
	seen := map[string]bool{}
	for line := range bytes.Lines(data) {
		u, err := urlnorm.Parse(string(bytes.TrimSpace(line)))
		if err != nil || seen[u.String()] {
			continue
		}
		seen[u.String()] = true
		urls = append(urls, u.String())
	}
	return links(urls)
}

// of returns the crawl that a list of seeds is for, with their hosts in its
// scope.
func (s *Seeder) of(ctx context.Context, id string, seeds []frontier.Link) (*job.Job, error) {
	j, err := s.ports.Jobs.Get(ctx, id)
	if errors.Is(err, job.ErrUnknown) {
		return s.start(ctx, &job.Message{Crawl: id, Topic: "topics/" + id + ".topic", Seeds: entrances(nil, seeds)})
	}
	if err != nil {
		return nil, fmt.Errorf("read crawl %s: %w", id, err)
	}
	if len(j.Seeds) == 0 || len(entrances(j.Seeds, seeds)) == len(j.Seeds) {
		return j, nil
	}
	j, err = s.ports.Jobs.Update(ctx, id, func(j *job.Job) error {
		j.Seeds = entrances(j.Seeds, seeds)
		return nil
	})
	if err != nil {
		return nil, fault.New(fault.Of(err).Class, "scope", fmt.Errorf("widen scope of %s: %w", id, err))
	}
	return j, nil
}

// entrances adds to seeds the first of each host that they do not have.
func entrances(seeds []string, more []frontier.Link) []string {
	known := map[string]bool{}
	for _, u := range seeds {
		known[host(u)] = true
	}
	for _, l := range more {
		if h := host(l.URL); !known[h] && len(known) < maxScope {
			known[h] = true
			seeds = append(seeds[:len(seeds):len(seeds)], l.URL)
		}
	}
	return seeds
}
