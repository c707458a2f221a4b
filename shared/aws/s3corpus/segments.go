// Package s3corpus keeps a corpus in S3:
//
//	raw/CRAWL/SEGMENT.warc.gz   exchanges as sent, rejects, dropped links
//	topics/NAME                 topics
//
// Requests cost money, and an object cannot be appended to. So the host tasks
// of a crawl in one process share a segment in memory, which is written to S3 in
// one request when all of them wait for it.
//
// Two processes may each store an exchange of one page. The page's entry in the
// ledger says which one counts.
package s3corpus

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"sync"
	"time"

	"sluice/shared/state/corpus"
)

// Options of Segments; the zero value is what the crawl function wants.
type Options struct {
	// MaxBytes is the size at which a segment is written although tasks
	// continue (default 8 MiB). At most twice as much is held in memory for
	// each crawl, plus the records that are being added.
	MaxBytes int
	// MaxWait is how long a task waits for the others in Sync (default 2 s).
	MaxWait time.Duration
	Info    []corpus.Field // written at the start of each segment: software, operator …
	Now     func() time.Time
}

func (o Options) withDefaults() Options {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 8 << 20
	}
	if o.MaxWait <= 0 {
		o.MaxWait = 2 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

const (
	writeTime = 30 * time.Second // for a segment, with all retries
	maxIdle   = 16               // crawls that are remembered without a task
)

// Segments writes the segments of all crawls that a process works on. It
// implements ledger.Decisions, and each of its Stores corpus.Store. It is safe
// for concurrent use.
type Segments struct {
	objects *Objects
	opts    Options
	jobs    sync.Pool // of *job

	mu     sync.Mutex // of all groups; what takes long is done without it
	groups map[string]*group
}

// New returns segments that are written to objects.
func New(objects *Objects, opts Options) *Segments {
	return &Segments{objects: objects, opts: opts.withDefaults(), groups: map[string]*group{}}
}

// SegmentPrefix returns the prefix of the keys of a crawl's segments. They sort
// by start time, if the clocks agree.
func SegmentPrefix(crawl string) string { return "raw/" + crawl + "/" }

const segmentSuffix = ".warc.gz"

func (s *Segments) newKey(crawl string) string {
	at := s.opts.Now().UTC().Format("20060102T150405.000Z")
	return SegmentPrefix(crawl) + at + "-" + strings.ToLower(rand.Text()[:13]) + segmentSuffix
}

// Batch is a number of tasks that are worked on at a time.
type Batch struct {
	s    *Segments
	g    *group
	left int
}

// Begin says that this many further tasks of a crawl are in progress. A task of
// the batch must call Sync for its records until it is done; Sync waits for the
// other tasks to do so. If a crawl has batches, all records belong to them;
// without any, Sync does not wait.
func (s *Segments) Begin(crawl string, tasks int) *Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.group(crawl)
	g.tasks += tasks
	g.begun = true
	return &Batch{s: s, g: g, left: tasks}
}

// Done says that one task of the batch has ended, so that the others no longer
// wait for it. After the last task, records without a call of Sync are dropped
// and keys forgotten: a page that comes again was not completed, and its first
// segment may have been cleaned without it by the time it is.
func (b *Batch) Done() {
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	if b.left == 0 {
		return
	}
	b.left--
	b.g.tasks--
	b.g.advance()
	if b.g.tasks == 0 {
		b.g.places, b.g.rejects = window[corpus.Location]{}, window[corpus.Location]{}
	}
	b.g.abandon()
}

// group returns the group of a crawl. The mutex is held.
func (s *Segments) group(crawl string) *group {
	if g, ok := s.groups[crawl]; ok {
		return g
	}
	if len(s.groups) >= maxIdle {
		for name, g := range s.groups {
			if g.idle() && !g.holds() {
				delete(s.groups, name)
			}
		}
	}
	g := &group{s: s, crawl: crawl}
	s.groups[crawl] = g
	return g
}

// write puts a sealed segment.
func (s *Segments) write(seg *segment) error {
	// Not with the context of a task: the others wait for it as well.
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	j := s.acquire()
	defer s.release(j)
	seg.finish(s.opts.Now(), &j.enc)
	return s.objects.put(ctx, seg.key, seg.data, "application/warc", seg.counts())
}

// job holds the buffers of one Put or Reject.
type job struct {
	enc  corpus.Encoder
	data []byte
	span corpus.Span
}

func (s *Segments) acquire() *job {
	if j, ok := s.jobs.Get().(*job); ok {
		return j
	}
	return new(job)
}

// release hands the buffers of a job on, unless a huge page blew them up.
func (s *Segments) release(j *job) {
	if cap(j.data) <= 4<<20 {
		s.jobs.Put(j)
	}
}

// key is a record's key in memory, cut from a cryptographic hash, so that no
// page can choose a URL that collides with another.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}
