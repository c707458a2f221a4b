// Package clean makes the corpus from raw segments: documents from kept pages,
// rejects from the others. It reads pages exactly as the step does. Its output
// depends only on the segment, the topic and the ledger, so it may be repeated.
// Pages that were kept according to the ledger stay in the corpus: another topic
// changes only what their records say.
package clean

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/reading"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

// Folders of segments and of their output, by crawl and name.
const (
	rawFolder    = corpus.RawFolder + "/"
	corpusFolder = corpus.DocumentFolder + "/"
	rejectFolder = corpus.RejectFolder + "/"
)

// Ports are the dependencies of a Cleaner.
type Ports struct {
	Jobs    job.Registry
	Topics  Topics
	Ends    Ends
	Objects Objects

	// Boilerplate of hosts is removed, even from segments that were cleaned
	// before it was known.
	Lessons   Lessons
	Cleanings Cleanings
	Again     Again
}

// Topics reads topics by their name in the stack; the pointer is the same as
// long as the topic is.
type Topics interface {
	Get(ctx context.Context, key string) (*topic.Compiled, error)
}

// Ends reads the ends of URLs.
type Ends interface {
	// Entries returns the entry of each URL, in order, nil if there is none.
	Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error)
}

// Objects is the bucket.
type Objects interface {
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	Put(ctx context.Context, key string, data []byte, contentType string) error
}

// Options bound a Cleaner. Zero values mean the defaults.
type Options struct {
	Wait time.Duration // for ends that are not written yet; default 20 s
	Log  *slog.Logger
}

// Cleaner cleans segments. It is safe for concurrent use.
type Cleaner struct {
	ports Ports
	opts  Options

	mu      sync.Mutex
	readers map[string]*prepared // by crawl
}

// prepared is the reader of a topic, as long as that is the same.
type prepared struct {
	topic  *topic.Compiled
	reader *reading.Reader
}

// New returns a cleaner.
func New(ports Ports, opts Options) *Cleaner {
	opts.Wait = cmp.Or(opts.Wait, 20*time.Second)
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	return &Cleaner{ports: ports, opts: opts, readers: map[string]*prepared{}}
}

// Segment cleans raw/CRAWL/NAME.warc.gz into corpus/CRAWL/NAME.jsonl and
// rejects/CRAWL/NAME.jsonl.
//
// A page enters the corpus if the ledger says that it ended in this segment: a
// page that was fetched twice is in two. If a page has no end yet, the segment
// is postponed by a fault After; with last set such pages are left out, since
// their worker has died and they are fetched again. Pages of foreign archives
// have no end and need none.
//
// The output depends on the current boilerplate of the hosts. If that changes
// later, the segment is cleaned again, so that in the end it depends only on
// the pages of all segments, not on their order.
func (c *Cleaner) Segment(ctx context.Context, key string, last bool) error {
	id, name, ok := strings.Cut(strings.TrimPrefix(key, rawFolder), "/")
	if !strings.HasPrefix(key, rawFolder) || !ok || name == "" {
		return fault.New(fault.Poison, "bad_key", fmt.Errorf("object %q: segments are put under %sCRAWL/", key, rawFolder))
	}
	j, r, err := c.reader(ctx, id)
	if err != nil {
		return err
	}
	decided, err := c.decisions(ctx, j, name)
	if err != nil {
		return err
	}
	s := &segment{Cleaner: c, crawl: id, name: name, reader: r, decided: decided, seen: map[string]bool{}, versions: map[string]string{}, news: map[string]string{}}
	if err := s.clean(ctx, key, last); err != nil {
		return fmt.Errorf("clean segment %s: %w", key, err)
	}
	return nil
}

// clean reads the segment, writes its output, and records that.
func (s *segment) clean(ctx context.Context, key string, last bool) (err error) {
	body, err := s.ports.Objects.Open(ctx, key)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	if s.run, err = s.ports.Cleanings.Begin(ctx, s.crawl, s.name); err == nil {
		err = s.pages(ctx, key, body, last)
	}
	if err = errors.Join(err, body.Close()); err != nil {
		return err
	}
	if err := s.write(ctx); err != nil {
		return err
	}
	return s.end(ctx)
}

// pages brings the pages of a segment into the output, some at a time.
func (s *segment) pages(ctx context.Context, key string, body io.Reader, last bool) error {
	for pages, err := range windows(body, key, s.decided) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		pending, err := s.choose(ctx, key, pages)
		if err != nil {
			return err
		}
		if pending > 0 && !last {
			return fault.NewAfter(s.opts.Wait, "pending", fmt.Errorf("pages have no end yet, %d at least", pending))
		}
		if err := s.take(ctx, pages); err != nil {
			return err
		}
	}
	return nil
}

// write stores the output of a segment, even an empty one if an earlier
// cleaning has left some. A segment of which nothing came gets an empty list of
// rejects, so that each cleaned segment can be told by its output.
func (s *segment) write(ctx context.Context) error {
	name := LinesName(s.name)
	made := map[string][]byte{corpusFolder: s.documents, rejectFolder: s.rejects}
	var folders []string
	for folder, lines := range made {
		if len(lines) > 0 {
			folders = append(folders, folder)
		}
	}
	if len(folders) == 0 {
		folders = append(folders, rejectFolder)
	}
	folders, err := s.ports.Cleanings.Leave(ctx, s.crawl, s.name, folders)
	if err != nil {
		return fmt.Errorf("record the output: %w", err)
	}
	for _, folder := range folders {
		key := folder + s.crawl + "/" + name
		if err := s.ports.Objects.Put(ctx, key, made[folder], "application/x-ndjson"); err != nil {
			return fmt.Errorf("write %s: %w", key, err)
		}
	}
	return nil
}

// LinesName is the name of the lines made from a segment.
func LinesName(segment string) string {
	return strings.TrimSuffix(strings.TrimSuffix(segment, ".gz"), ".warc") + ".jsonl"
}

// choose marks the pages that count and those that the step kept, and returns
// how many have no end yet.
func (s *segment) choose(ctx context.Context, key string, pages []*Page) (pending int, err error) {
	pages = slices.DeleteFunc(slices.Clone(pages), func(p *Page) bool { return p.url == "" })
	urls := make([]string, len(pages))
	for i, p := range pages {
		urls[i] = p.url
	}
	entries, err := s.ports.Ends.Entries(ctx, s.crawl, urls)
	if err != nil {
		return 0, fmt.Errorf("look up the ends of %d pages: %w", len(urls), err)
	}
	for i, p := range pages {
		switch e := entries[i]; {
		case e != nil:
			kept := e.Verdict == ledger.Kept && e.Rule != reading.RuleSecondLook // by the step
			p.counts = e.Segment == key && kept == (p.reject == nil && p.before == nil) && e.Verdict != ledger.Forgotten
			if p.kept = p.counts && kept; p.counts {
				p.decide(s.decided[p.place.Offset])
			}
		case p.ours:
			pending++
		default:
			p.counts = true
		}
	}
	return pending, nil
}

// reader returns a crawl and its reader: the current one, unless the topic has
// changed.
func (c *Cleaner) reader(ctx context.Context, id string) (*job.Job, *reading.Reader, error) {
	j, err := job.Asked(ctx, c.ports.Jobs, id, "segment of")
	if err != nil {
		return nil, nil, err
	}
	t, err := c.ports.Topics.Get(ctx, j.TopicKey())
	if err != nil {
		return nil, nil, fmt.Errorf("read topic of %s: %w", id, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.readers[id]; p != nil && p.topic == t {
		return j, p.reader, nil
	}
	r, err := plan.ReaderOf(j, t)
	if err != nil {
		return nil, nil, fault.New(fault.Poison, "bad_crawl", fmt.Errorf("read topic of crawl %s: %w", id, err))
	}
	if len(c.readers) >= mostReaders {
		clear(c.readers)
	}
	c.readers[id] = &prepared{topic: t, reader: r}
	return j, r, nil
}

// mostReaders is how many crawls a cleaner keeps at a time.
const mostReaders = 16
