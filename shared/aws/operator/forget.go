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

// Forgotten is what a stack was made to forget, or would be.
type Forgotten struct {
	Stack  string           `json:"stack"`
	DryRun bool             `json:"dry_run"`
	Crawls []ForgottenCrawl `json:"crawls"`
}

// ForgottenCrawl is what went out of a crawl.
type ForgottenCrawl struct {
	Crawl   string            `json:"crawl"`
	Targets []ForgottenTarget `json:"targets"`
	Files   []string          `json:"files"`   // keys of the objects that were written anew
	Damaged []string          `json:"damaged"` // places that cannot be read, and may hold what was to go
	Log     string            `json:"log"`     // key of the object that notes what went; "" for a dry run
}

// ForgottenTarget is what went for a target.
type ForgottenTarget struct {
	Target string `json:"target"` // as it was named
	forget.Tally
}

// ForgetOptions change how Forget goes about it.
type ForgetOptions struct {
	DryRun bool
	// Progress, unless nil, is called as objects are read, with how many there are
	// of a crawl. Calls do not overlap.
	Progress func(done, all int)
}

// drain is how long after the end of a crawl a worker may still be at a task of
// it: the longest that a function runs.
const drain = 15 * time.Minute

// forgottenFolder is where the bucket keeps the logs.
const forgottenFolder = "forgotten"

// Forget takes pages out of crawls for good, without any out of all of the
// stack: out of the archives, the corpus, the rejects, the ledger and what waits.
// The crawls refuse them from then on. None of them may be running: such an
// error wraps ErrRequest, and then nothing was changed.
//
// The tables are not searched through: entries are found by the records that
// archives, corpus and rejects have of them, by the redirects that led there and
// by what waits. Those of a host that were skipped, redirect elsewhere or are
// sitemaps have no records; they stay, under a hash of their URLs.
//
// A call that is broken off may be repeated, and ends as it would have.
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

// forgetters returns the crawls to forget in, and refuses those at work.
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

// atRest refuses a crawl that somebody may be working on.
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
			return request("crawl %s is %s, but tasks of it are under way: try again when sluice status shows none, or after %s", j.ID, j.State, ready.Format(time.RFC3339))
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
	read, all            int      // objects, each as often as it is read
	patched              []string // keys of segments that have to change
	edited               []lineEdit
	waits                map[string][]string // links that go, by host
	hosts                []string            // that go as a whole
}

// lineEdit is an object of lines that has to change, and how.
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

// carryOut changes what the survey has found. What refuses the pages comes
// first, then their ends, by which whoever cleans a segment from here on leaves
// them out; what tells which they are comes last.
func (f *forgetting) carryOut(ctx context.Context) error {
	list := f.set.List()
	_, err := f.o.parts.Jobs.Update(ctx, f.job.ID, func(j *job.Job) error {
		if j.State == job.Running {
			return request("crawl %s was resumed meanwhile: pause it, and try again", j.ID)
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

// maxForgetting is what a segment, or what is made of it, may measure.
const maxForgetting = 1 << 30

// patch writes a segment anew. That has it cleaned again, which changes nothing.
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

// edit writes lines anew.
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

// log notes what went, a line for each target.
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
