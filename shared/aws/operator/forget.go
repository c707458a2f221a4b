package operator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/gather"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// Forgotten is what a stack forgot, or would forget.
type Forgotten struct {
	Stack  string           `json:"stack"`
	DryRun bool             `json:"dry_run"`
	Crawls []ForgottenCrawl `json:"crawls"`
}

// ForgottenCrawl is what was removed from a crawl. Files are keys of objects.
type ForgottenCrawl struct {
	Crawl string `json:"crawl"`
	forget.Outcome
	Log string `json:"log"` // key of the log object; "" for a dry run
}

// drain is how long a worker may still be at a task after its crawl has ended:
// the longest time that a function runs.
const drain = 15 * time.Minute

// forgottenFolder is the bucket's folder of logs, and of notes of what calls are
// to remove.
const (
	forgottenFolder = "forgotten"
	begunFile       = "begun.json"
)

// Forget removes pages for good from crawls, or from all crawls of the stack if
// none are given, as forget.Run does. An error that wraps ErrRequest, as for a
// running crawl, means that nothing was changed in that crawl. Only one call at a
// time may work on a crawl.
//
// Forget does not scan the tables. It finds entries through the records in
// archives, corpus and rejects, the redirects to them and the frontier. Of a
// forgotten host, entries without records (skipped links, redirects elsewhere,
// sitemaps) remain, under a hash of their URLs.
func (o *Operator) Forget(ctx context.Context, crawls []string, targets []forget.Target, opts forget.Options) (*Forgotten, error) {
	jobs, err := o.forgetters(ctx, crawls, opts.DryRun)
	if err != nil {
		return nil, err
	}
	opts.Now = o.now
	out := &Forgotten{Stack: o.parts.Resources.Stack, DryRun: opts.DryRun, Crawls: []ForgottenCrawl{}}
	for _, j := range jobs {
		f := &forgetting{o: o, job: j, dry: opts.DryRun}
		done, err := forget.Run(ctx, f, targets, opts)
		if err != nil {
			return out, fmt.Errorf("forget in crawl %s: %w", j.ID, err)
		}
		out.Crawls = append(out.Crawls, ForgottenCrawl{j.ID, *done, f.log})
	}
	return out, nil
}

// forgetters returns the crawls to forget in, and refuses active ones.
func (o *Operator) forgetters(ctx context.Context, crawls []string, dryRun bool) (jobs []*job.Job, err error) {
	if len(crawls) == 0 {
		jobs, err = o.parts.Jobs.List(ctx)
	}
	for _, id := range crawls {
		j, gerr := o.parts.Jobs.Get(ctx, id)
		if gerr != nil {
			return nil, gerr
		}
		jobs = append(jobs, j)
	}
	for _, j := range jobs {
		if err == nil && !dryRun {
			err = o.atRest(ctx, j)
		}
	}
	return jobs, err
}

// atRest refuses a crawl that may be worked on.
func (o *Operator) atRest(ctx context.Context, j *job.Job) error {
	if j.State == job.Running {
		return request("crawl %s is running: pause it first (sluice pause --stack %s %[1]s)", j.ID, o.parts.Resources.Stack)
	}
	if asked := j.Updated.Add(lookTime); j.LacksLook() && o.now().Before(asked) {
		return request("the pages of crawl %s are about to be judged again: try again when sluice status says that it is done, or after %s", j.ID, asked.Format(time.RFC3339))
	}
	if j.Records.Missing() || j.Look.Missing() {
		none, err := o.parts.Structure.Empty(ctx)
		if err != nil {
			return err
		}
		if !none {
			return request("records of crawl %s are being made, or its pages judged again: try again when sluice status shows no messages in the queue %s", j.ID, Structure)
		}
	}
	ready := j.Updated.Add(drain)
	if !o.now().Before(ready) {
		return nil
	}
	hosts, err := o.parts.Store.Gauge().Standings(ctx, j.ID)
	for _, h := range hosts {
		if h.Queued > 0 {
			return request("crawl %s is %s, but some of its tasks are still running: try again when sluice status shows none, or after %s", j.ID, j.State, ready.Format(time.RFC3339))
		}
	}
	return err
}

// forgetting is the work on one crawl. It implements forget.Place.
type forgetting struct {
	o   *Operator
	job *job.Job
	log string // key
	dry bool   // the crawl may be running

	waits map[string][]string // links to remove, by host
	hosts []string            // to remove as a whole

	places []corpus.Location // of the pages to remove, by the ledger
}

var _ forget.Place = (*forgetting)(nil)

// maxForgetting is the largest size of a segment or its lines, in bytes.
const maxForgetting = 1 << 30

// List implements forget.Files.
func (f *forgetting) List(ctx context.Context) (*forget.Listing, error) {
	l := &forget.Listing{AtOnce: copies}
	for _, kind := range []struct {
		prefix, suffix string
		keys           *[]string
	}{
		{corpus.DocumentFolder + "/" + f.job.ID + "/", ".jsonl", &l.Corpus},
		{corpus.RejectFolder + "/" + f.job.ID + "/", ".jsonl", &l.Rejects},
		{s3corpus.SegmentPrefix(f.job.ID), ".warc.gz", &l.Archives},
	} {
		for obj, err := range f.o.parts.Objects.List(ctx, kind.prefix) {
			if err != nil {
				return nil, err
			}
			if strings.HasSuffix(obj.Key, kind.suffix) {
				*kind.keys = append(*kind.keys, obj.Key)
			}
		}
	}
	cleaned := map[string]bool{}
	for _, key := range slices.Concat(l.Corpus, l.Rejects) {
		cleaned[path.Base(key)] = true
	}
	made, err := f.o.parts.Objects.Keys(ctx, gather.Prefix(f.job.ID))
	if err != nil {
		return nil, err
	}
	l.Uncleaned = slices.DeleteFunc(slices.Clone(l.Archives), func(key string) bool { return cleaned[clean.LinesName(path.Base(key))] })
	l.Corpus = append(l.Corpus, slices.DeleteFunc(made, func(key string) bool { return !strings.HasSuffix(key, ".jsonl") })...)
	return l, nil
}

// object is an object that was read.
type object struct{ *bytes.Reader }

func (object) Close() error { return nil }

// Open implements forget.Files.
func (f *forgetting) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	data, err := f.o.parts.Objects.Get(ctx, key, maxForgetting)
	return object{bytes.NewReader(data)}, err
}

// Replace implements forget.Files. Clean reads a new segment again, with the same
// result.
func (f *forgetting) Replace(ctx context.Context, key string, write func(w io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	contentType := "application/x-ndjson"
	if strings.HasSuffix(key, ".warc.gz") {
		contentType = "application/warc"
	}
	return f.o.parts.Objects.Put(ctx, key, out.Bytes(), contentType)
}

// Meet implements forget.State: it looks up the URLs to remove and those that
// they redirect to in the ledger.
func (f *forgetting) Meet(ctx context.Context, s *forget.Set) (grown bool, err error) {
	targets, grown, err := f.meet(ctx, s, s.URLs())
	if err != nil {
		return false, err
	}
	_, more, err := f.meet(ctx, s, targets)
	return grown || more, err
}

// meet reads the entries of URLs, and returns the URLs that these redirect to.
func (f *forgetting) meet(ctx context.Context, s *forget.Set, urls []string) (targets []string, grown bool, err error) {
	for chunk := range slices.Chunk(urls, linesAtOnce) {
		entries, err := f.o.parts.Store.Ledger().Entries(ctx, f.job.ID, chunk)
		if err != nil {
			return nil, false, err
		}
		for _, e := range entries {
			if e == nil {
				continue
			}
			grown = s.MeetTrace(e.Trace) || grown
			if to := forget.TraceTarget(e.Trace); to != "" {
				targets = append(targets, to)
			}
		}
	}
	return targets, grown, nil
}

// urls returns the known single URLs to remove: those of the set, of records, of
// seeds and of links that wait.
func (f *forgetting) urls(s *forget.Set) []string {
	urls := slices.Concat(s.URLs(), s.Gone())
	for _, seed := range f.job.Seeds {
		if s.Has(seed) {
			urls = append(urls, seed)
		}
	}
	for _, waiting := range f.waits {
		urls = append(urls, waiting...)
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

// Survey implements forget.State: it finds the waiting links to remove, and
// counts the entries to remove.
func (f *forgetting) Survey(ctx context.Context, p *forget.Plan) error {
	s := p.Set
	p.Crawl = f.job.ID
	if err := f.refuse(f.job, s.List()); err != nil { // before anything is noted
		return err
	}
	if !f.dry { // marks of lost tasks may hold links, and no task is under way
		if err := f.o.parts.Store.Gauge().Strike(ctx, f.job.ID, f.o.now()); err != nil {
			return err
		}
	}
	standings, err := f.o.parts.Store.Gauge().Standings(ctx, f.job.ID)
	if err != nil {
		return err
	}
	single := map[string]bool{} // hosts of single URLs
	for _, url := range s.URLs() {
		if u, err := urlnorm.Parse(url); err == nil {
			single[u.Host()] = true
		}
	}
	f.waits = map[string][]string{}
	for _, h := range standings {
		_, whole := s.FindHost(h.Host)
		if whole {
			f.hosts = append(f.hosts, h.Host)
		}
		if !whole && !single[h.Host] && !s.HasPort() {
			continue
		}
		links, err := f.o.parts.Store.Backlog().Waits(ctx, f.job.ID, h.Host)
		if err != nil {
			return err
		}
		for _, url := range links {
			if s.Has(url) {
				s.Count(url).Links++
				f.waits[h.Host] = append(f.waits[h.Host], url)
			}
		}
	}
	for urls := range slices.Chunk(f.urls(s), linesAtOnce) {
		entries, err := f.o.parts.Store.Ledger().Entries(ctx, f.job.ID, urls)
		if err != nil {
			return err
		}
		for i, e := range entries {
			if e != nil && e.Verdict != ledger.Forgotten {
				s.Count(urls[i]).Entries++
				f.places = append(f.places, corpus.Location{File: e.Segment, Offset: e.Offset})
			}
		}
	}
	return nil
}

// refuse adds pages to those that a crawl must not fetch again.
func (f *forgetting) refuse(j *job.Job, pages *forget.List) error {
	j.Forgotten = j.Forgotten.Join(pages)
	if err := j.Validate(); err != nil {
		return forget.Refusal{Cause: request("crawl %s has more forgotten than it can hold, %d URLs and hosts: name hosts in place of URLs (%w)", j.ID, j.Forgotten.Len(), err)}
	}
	return nil
}

// Effects implements forget.State. Entries go before the files: a cleaner that
// reads a segment from then on leaves the pages out.
func (f *forgetting) Effects(p *forget.Plan) (before, after []forget.Effect) {
	l, b := f.o.parts.Store.Ledger(), f.o.parts.Store.Backlog()
	return []forget.Effect{
			{Name: "refuse", Do: func(ctx context.Context) error {
				_, err := f.o.parts.Jobs.Update(ctx, f.job.ID, func(j *job.Job) error {
					if j.State == job.Running {
						return forget.Refusal{Cause: request("crawl %s was resumed meanwhile: pause it and try again", j.ID)}
					}
					return f.refuse(j, p.Set.List())
				})
				return err
			}},
			{Name: "look", Do: f.undecide},
			{Name: "entries", Do: func(ctx context.Context) error {
				for urls := range slices.Chunk(f.urls(p.Set), linesAtOnce) {
					if _, err := l.Forget(ctx, f.job.ID, urls, p.At); err != nil {
						return err
					}
				}
				return nil
			}},
			{Name: "links", Do: func(ctx context.Context) error {
				for host, urls := range f.waits {
					if err := b.Forget(ctx, f.job.ID, host, urls); err != nil {
						return err
					}
				}
				return nil
			}},
			{Name: "traces", Do: func(ctx context.Context) error {
				for urls := range slices.Chunk(p.Set.Orphans(), linesAtOnce) {
					if err := l.EditTraces(ctx, f.job.ID, urls, p.Set.Trace); err != nil {
						return err
					}
				}
				return nil
			}},
		}, []forget.Effect{
			{Name: "hosts", Do: func(ctx context.Context) error { return b.ForgetHosts(ctx, f.job.ID, f.hosts) }},
			{Name: "records", Do: f.recount},
			{Name: "words", Do: f.unlearn},
		}
}

func (f *forgetting) key(name string) string { return forgottenFolder + "/" + f.job.ID + "/" + name }

// Note implements forget.Journal.
func (f *forgetting) Note(ctx context.Context) ([]byte, error) {
	note, err := f.o.parts.Objects.Get(ctx, f.key(begunFile), maxForgetting)
	if errors.Is(err, s3corpus.ErrNotFound) || err == nil && len(note) == 0 {
		return nil, nil
	}
	return note, err
}

// SetNote implements forget.Journal. One that is removed leaves an empty object.
func (f *forgetting) SetNote(ctx context.Context, note []byte) error {
	return f.o.parts.Objects.Put(ctx, f.key(begunFile), note, "application/json")
}

// Mark implements forget.Journal: it is the time of the call, by which its log is
// named.
func (f *forgetting) Mark(context.Context) (int64, error) { return f.o.now().UnixMicro(), nil }

// Log implements forget.Journal.
func (f *forgetting) Log(ctx context.Context, mark int64, lines []byte) error {
	f.log = f.key(time.UnixMicro(mark).UTC().Format("20060102T150405.000000Z") + ".jsonl")
	return f.o.parts.Objects.Put(ctx, f.log, lines, "application/x-ndjson")
}
