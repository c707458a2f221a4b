package operator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"sluice/shared/state/forget"
	"sluice/shared/state/job"
)

// Forgotten is what a stack forgot, or would forget.
type Forgotten struct {
	Stack  string           `json:"stack"`
	DryRun bool             `json:"dry_run"`
	Crawls []ForgottenCrawl `json:"crawls"`
}

// ForgottenCrawl is what was removed from a crawl.
type ForgottenCrawl struct {
	Crawl   string            `json:"crawl"`
	Targets []ForgottenTarget `json:"targets"`
	Files   []string          `json:"files"`   // keys of rewritten objects
	Damaged []string          `json:"damaged"` // unreadable places, which may hold pages to remove
	Log     string            `json:"log"`     // key of the log object; "" for a dry run
}

// ForgottenTarget is what was removed for a target.
type ForgottenTarget struct {
	Target string `json:"target"` // as the user gave it
	forget.Tally
}

// ForgetOptions are options of Forget.
type ForgetOptions struct {
	DryRun bool
	// Progress, unless nil, is called as objects of a crawl are read. Calls do
	// not overlap.
	Progress func(done, all int)
}

// drain is how long a worker may still be at a task after its crawl has ended:
// the longest time that a function runs.
const drain = 15 * time.Minute

// forgottenFolder is the bucket's folder of logs.
const forgottenFolder = "forgotten"

// Forget removes pages for good from crawls, or from all crawls of the stack if
// none are given: from archives, corpus, rejects, ledger and frontier. From
// then on the crawls refuse these pages. An error that wraps ErrRequest, as for
// a running crawl, means that nothing was changed.
//
// Forget does not scan the tables. It finds entries through the records in
// archives, corpus and rejects, the redirects to them and the frontier. Of a
// forgotten host, entries without records (skipped links, redirects elsewhere,
// sitemaps) remain, under a hash of their URLs.
//
// An interrupted call may be repeated, with the same result.
func (o *Operator) Forget(ctx context.Context, crawls []string, targets []forget.Target, opts ForgetOptions) (*Forgotten, error) {
	jobs, err := o.forgetters(ctx, crawls, opts.DryRun)
	if err != nil {
		return nil, err
	}
	out := &Forgotten{Stack: o.parts.Resources.Stack, DryRun: opts.DryRun, Crawls: []ForgottenCrawl{}}
	for _, j := range jobs {
		f := &forgetting{o: o, job: j, opts: opts, set: forget.NewSet(targets)}
		f.out = ForgottenCrawl{Crawl: j.ID, Files: []string{}, Damaged: []string{}}
		if err := f.run(ctx); err != nil {
			return out, fmt.Errorf("forget in crawl %s: %w", j.ID, err)
		}
		out.Crawls = append(out.Crawls, f.out)
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

// forgetting is the work on one crawl.
type forgetting struct {
	o    *Operator
	job  *job.Job
	opts ForgetOptions
	set  *forget.Set
	out  ForgottenCrawl

	corpus, rejects, raw []string // keys
	read, all            int      // objects, counted for each time they are read
	patched              []string // keys of segments to rewrite
	edited               []lineEdit
	waits                map[string][]string // links to remove, by host
	hosts                []string            // to remove as a whole
}

// lineEdit is the edit of an object of lines.
type lineEdit struct {
	key  string
	edit forget.Edit
}

func (f *forgetting) run(ctx context.Context) error {
	if err := f.survey(ctx); err != nil {
		return err
	}
	var err error
	if !f.opts.DryRun {
		err = f.carryOut(ctx)
	}
	for i, t := range f.set.Targets() {
		f.out.Targets = append(f.out.Targets, ForgottenTarget{t.String(), *f.set.Tally(i)})
	}
	if err != nil || f.opts.DryRun {
		return err
	}
	return f.log(ctx)
}

// carryOut makes the changes that the survey found. It first makes the crawl
// refuse the pages, then changes their ends, so that clean leaves them out; the
// records that identify the pages change last.
func (f *forgetting) carryOut(ctx context.Context) error {
	list := f.set.List()
	_, err := f.o.parts.Jobs.Update(ctx, f.job.ID, func(j *job.Job) error {
		if j.State == job.Running {
			return request("crawl %s was resumed meanwhile: pause it and try again", j.ID)
		}
		j.Forgotten = j.Forgotten.Join(list)
		if err := j.Validate(); err != nil {
			return request("crawl %s has more forgotten than it can hold, %d URLs and hosts: name hosts in place of URLs (%w)", j.ID, j.Forgotten.Len(), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	l, b := f.o.parts.Store.Ledger(), f.o.parts.Store.Backlog()
	at := f.o.now()
	for urls := range slices.Chunk(f.urls(), linesAtOnce) {
		if _, err := l.Forget(ctx, f.job.ID, urls, at); err != nil {
			return err
		}
	}
	for host, urls := range f.waits {
		if err := b.Forget(ctx, f.job.ID, host, urls); err != nil {
			return err
		}
	}
	for urls := range slices.Chunk(f.set.Orphans(), linesAtOnce) {
		if err := l.EditTraces(ctx, f.job.ID, urls, f.set.Trace); err != nil {
			return err
		}
	}
	for _, key := range f.patched {
		if err := f.patch(ctx, key, at); err != nil {
			return err
		}
	}
	for _, e := range f.edited {
		if err := f.edit(ctx, e); err != nil {
			return err
		}
	}
	return b.ForgetHosts(ctx, f.job.ID, f.hosts)
}

// maxForgetting is the largest size of a segment or its lines, in bytes.
const maxForgetting = 1 << 30

// patch rewrites a segment. Clean then reads it again, with the same result.
func (f *forgetting) patch(ctx context.Context, key string, at time.Time) error {
	data, err := f.o.parts.Objects.Get(ctx, key, maxForgetting)
	if err != nil {
		return err
	}
	patches, _, err := f.set.Archive(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("read %s: %w", key, err)
	}
	var out bytes.Buffer
	out.Grow(len(data))
	if err := forget.Apply(&out, bytes.NewReader(data), patches, at); err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return f.o.parts.Objects.Put(ctx, key, out.Bytes(), "application/warc")
}

// edit rewrites lines.
func (f *forgetting) edit(ctx context.Context, e lineEdit) error {
	data, err := f.o.parts.Objects.Get(ctx, e.key, maxForgetting)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if _, err := forget.CopyLines(&out, bytes.NewReader(data), e.edit); err != nil {
		return fmt.Errorf("read %s: %w", e.key, err)
	}
	return f.o.parts.Objects.Put(ctx, e.key, out.Bytes(), "application/x-ndjson")
}

// log records what was removed, a line for each target.
func (f *forgetting) log(ctx context.Context) error {
	at := f.o.now().UTC()
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, t := range f.out.Targets {
		err := enc.Encode(struct {
			At    time.Time `json:"at"`
			Crawl string    `json:"crawl"`
			ForgottenTarget
			Files []string `json:"files"`
		}{at.Truncate(time.Second), f.job.ID, t, f.out.Files})
		if err != nil {
			return fmt.Errorf("encode log: %w", err)
		}
	}
	f.out.Log = forgottenFolder + "/" + f.job.ID + "/" + at.Format("20060102T150405.000000Z") + ".jsonl"
	return f.o.parts.Objects.Put(ctx, f.out.Log, lines.Bytes(), "application/x-ndjson")
}
