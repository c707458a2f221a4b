package seeding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"sluice/shared/state/job"
)

// folder holds the seeds: seeds/CRAWL/NAME.
const folder = "seeds/"

// Object makes seeds of an object under seeds/CRAWL/: a list of URLs, a
// sitemap, a feed, also with gzip, or a start message. If no crawl has that
// name, one is started with the topic topics/CRAWL.topic. Lines of a list that are
// no URL are skipped, and noted in the crawl. Consoles' markers for folders are
// skipped.
func (s *Seeder) Object(ctx context.Context, key string) error {
	if strings.HasPrefix(key, folder) && strings.HasSuffix(key, "/") {
		return nil
	}
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
	seeds, bad, err := parse(data)
	if err != nil {
		return poison("bad_seeds", "object %s: %w", key, err)
	}
	j, err := s.ports.Jobs.Get(ctx, id)
	switch {
	case errors.Is(err, job.ErrUnknown):
		j, err = s.start(ctx, &job.Message{Crawl: id, Topic: "topics/" + id + ".topic", Seeds: entrances(nil, seeds)})
		if err != nil {
			return err
		}
	case err != nil:
		return fmt.Errorf("read crawl %s: %w", id, err)
	}
	s.opts.Log.InfoContext(ctx, "seeds read", "crawl", id, "object", key, "seeds", len(seeds), "bad_lines", bad.Lines)
	if err := s.give(ctx, j, seeds); err != nil {
		return err
	}
	if bad == j.BadSeeds[key] {
		return nil
	}
	if _, err := s.ports.Jobs.Update(ctx, id, func(j *job.Job) error { j.NoteSeeds(key, bad); return nil }); err != nil {
		return fmt.Errorf("note bad seeds of %s: %w", id, err)
	}
	return nil
}
