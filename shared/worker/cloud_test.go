package worker_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/shared/adapt"
	"sluice/shared/corpus"
	"sluice/shared/crawl"
	"sluice/shared/fault"
	"sluice/shared/fetch"
	"sluice/shared/frontier"
	"sluice/shared/job"
	"sluice/shared/ledger"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/plan"
	"sluice/shared/seeding"
	"sluice/shared/topic"
	"sluice/shared/worker"
)

// cloud is a stack on one machine: the services of the functions over local
// stores, and a pump that plays the part of the queue's event source.
type cloud struct {
	store  *sqlitestore.Store
	corpus *filecorpus.Corpus
	book   *book
	jobs   *jobs
	web    *web
	worker *worker.Worker
	keeper *adapt.Keeper
	seeder *seeding.Seeder

	mu         sync.Mutex
	on         bool
	deliveries int // of tasks
	dead       map[string]string
}

const topicYAML = `
name: finance
language: zh
words: [股市, 银行]
thresholds: {description: 0.1, priority: 0.08, body: 0}
budgets: {max_pages: 1000000, max_pages_per_host: 1000000, max_depth: 1000}
`

// newCloud builds a stack around a web.
func newCloud(t *testing.T, w *web) *cloud {
	t.Helper()
	dir := t.TempDir()
	st, err := sqlitestore.Open(filepath.Join(dir, "state.db"), sqlitestore.Options{
		Poll: time.Second, Visibility: 9 * time.Minute, MaxReceives: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filecorpus.Open(dir, filecorpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(st.Close(), files.Close()); err != nil {
			t.Error(err)
		}
	})
	file, err := topic.Parse("finance.yaml", []byte(topicYAML))
	if err != nil {
		t.Fatal(err)
	}
	c := &cloud{store: st, corpus: files, web: w, jobs: &jobs{}, book: &book{marks: map[string]frontier.Mark{}}, dead: map[string]string{}}
	topics := topics{"topics/finance.topic": file.Compiled()}
	queue := booked{st.Queue(), c.book}
	c.worker = worker.New(worker.Ports{
		Jobs: c.jobs, Topics: topics, Queue: queue, Book: c.book, Gauge: c.book, Dead: st.Queue(),
		Backlog: st.Backlog(), Raiser: st.Backlog(), Leases: st.Leases(), Robots: st.Robots(),
		Ledger: st.Ledger(), History: st.Ledger(), Totals: st.Ledger(), Shelves: shelves{c}, Web: w,
	}, worker.Options{Manners: plan.Manners{Version: "1"}, Step: crawl.Options{CommitEvery: frontier.MaxLinks}})
	c.keeper = adapt.New(adapt.Ports{
		Jobs: c.jobs, Totals: st.Ledger(), Spend: spend{}, Hosts: hostList{c},
		Backlog: st.Backlog(), Queue: queue, Gauge: c.book, Queues: c, Switch: c,
	}, adapt.Options{})
	c.seeder = seeding.New(seeding.Ports{
		Jobs: c.jobs, Topics: topics, Objects: w, Ledger: st.Ledger(), Backlog: st.Backlog(),
		Queue: queue, Gauge: c.book, Switch: c,
	}, seeding.Options{MaxPages: 10_000, Delay: time.Second, Manners: plan.Manners{Version: "1"}})
	return c
}

// On and Off implement the switch.
func (c *cloud) On(context.Context) error  { c.set(true); return nil }
func (c *cloud) Off(context.Context) error { c.set(false); return nil }

func (c *cloud) set(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = on
}

func (c *cloud) isOn() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.on
}

// Empty implements adapt.Queues.
func (c *cloud) Empty(ctx context.Context) (bool, error) {
	for _, j := range c.jobs.all() {
		if n, err := c.store.Queue().Queued(ctx, j.ID, ""); err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}

// run pumps the queue into workers, and lets the keeper look each minute, until
// the stack is switched off.
func (c *cloud) run(t *testing.T, workers int) {
	t.Helper()
	ctx := t.Context()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for c.isOn() {
				c.pump(ctx, t)
			}
		})
	}
	for range 100_000 {
		time.Sleep(time.Minute)
		if err := c.keeper.Look(ctx); err != nil {
			t.Error(err)
		}
		if !c.isOn() {
			break
		}
	}
	c.set(false)
	wg.Wait()
}

// pump takes one batch through a worker.
func (c *cloud) pump(ctx context.Context, t *testing.T) {
	batch, err := c.store.Queue().Receive(ctx, 10)
	if err != nil {
		t.Error(err)
		return
	}
	if len(batch) == 0 {
		return
	}
	tasks := make([]*frontier.Task, len(batch))
	for i, d := range batch {
		tasks[i] = d.Task
	}
	c.mu.Lock()
	c.deliveries += len(batch)
	c.mu.Unlock()
	for i, err := range c.worker.Handle(ctx, nil, tasks) {
		f := fault.Of(err)
		switch {
		case err == nil:
			err = c.store.Queue().Delete(ctx, []string{batch[i].Receipt})
		case f.Class == fault.Poison || f.Class == fault.Permanent:
			c.mu.Lock()
			c.dead[batch[i].Task.ID] = f.Error()
			c.mu.Unlock()
			err = c.store.Queue().Delete(ctx, []string{batch[i].Receipt})
		default:
			err = c.store.Queue().Delay(ctx, batch[i].Receipt, time.Second)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// message sends a start message.
func (c *cloud) message(t *testing.T, body string) {
	t.Helper()
	if err := c.seeder.Message(t.Context(), []byte(body)); err != nil {
		t.Fatal(err)
	}
}

// job returns a crawl.
func (c *cloud) job(t *testing.T, id string) *job.Job {
	t.Helper()
	j, err := c.jobs.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func (c *cloud) totals(t *testing.T, id string) *ledger.Totals {
	t.Helper()
	tot, err := c.store.Ledger().Totals(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return tot
}

// topics are those of the stack's bucket.
type topics map[string]*topic.Compiled

func (s topics) Get(_ context.Context, key string) (*topic.Compiled, error) {
	if t := s[key]; t != nil {
		return t, nil
	}
	return nil, fault.New(fault.Permanent, "no_topic", errors.New(key))
}

type spend struct{}

func (spend) Dollars(context.Context, string) (float64, error) { return 0.5, nil }

// shelves stores at once.
type shelves struct{ c *cloud }

func (shelves) Begin(string, int) func()            { return func() {} }
func (s shelves) Corpus(string) corpus.Store        { return s.c.corpus }
func (s shelves) Decisions(string) ledger.Decisions { return s.c.store.Ledger() }

// book keeps marks in memory.
type book struct {
	mu    sync.Mutex
	marks map[string]frontier.Mark
}

func (b *book) sent(m frontier.Mark) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.marks[m.Crawl+m.Host+m.ID] = m
}

func (b *book) Ended(_ context.Context, marks []frontier.Mark) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range marks {
		if key := m.Crawl + m.Host + m.ID; b.marks[key].Hops == m.Hops {
			delete(b.marks, key)
		}
	}
	return nil
}

func (b *book) Queued(_ context.Context, crawl, host string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, m := range b.marks {
		if m.Crawl == crawl && (host == "" || m.Host == host) {
			n += m.Links
		}
	}
	return n, nil
}

// booked notes what is sent.
type booked struct {
	frontier.Queue
	book *book
}

func (q booked) Send(ctx context.Context, out []frontier.Outgoing) error {
	for _, o := range out {
		q.book.sent(o.Task.Mark(time.Now().Add(o.Delay)))
	}
	return q.Queue.Send(ctx, out)
}

// hostList lists the hosts that wait.
type hostList struct{ c *cloud }

func (l hostList) Standings(ctx context.Context, crawl string) ([]frontier.Standing, error) {
	hosts, err := l.c.store.Hosts(ctx, crawl, 1<<20)
	if err != nil {
		return nil, err
	}
	var out []frontier.Standing
	for _, h := range hosts {
		n, err := l.c.book.Queued(ctx, crawl, h.Host)
		if err != nil {
			return nil, err
		}
		out = append(out, frontier.Standing{Host: h.Host, Queued: n, Closed: h.Closed})
	}
	return out, nil
}

// Strike implements adapt.Hosts.
func (l hostList) Strike(_ context.Context, crawl string, due time.Time) error {
	l.c.book.mu.Lock()
	defer l.c.book.mu.Unlock()
	for key, m := range l.c.book.marks {
		if m.Crawl == crawl && m.Due.Before(due) {
			delete(l.c.book.marks, key)
		}
	}
	return nil
}

// jobs is a registry in memory.
type jobs struct {
	mu sync.Mutex
	m  map[string]job.Job
}

func (r *jobs) Create(_ context.Context, j *job.Job) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.m == nil {
		r.m = map[string]job.Job{}
	}
	if _, ok := r.m[j.ID]; ok {
		return job.ErrExists
	}
	r.m[j.ID] = *j
	return nil
}

func (r *jobs) Get(_ context.Context, id string) (*job.Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, ok := r.m[id]
	if !ok {
		return nil, job.ErrUnknown
	}
	return &j, nil
}

func (r *jobs) all() []*job.Job {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*job.Job
	for _, id := range slices.Sorted(maps.Keys(r.m)) {
		j := r.m[id]
		out = append(out, &j)
	}
	return out
}

func (r *jobs) List(context.Context) ([]*job.Job, error) { return r.all(), nil }

func (r *jobs) Update(_ context.Context, id string, change func(*job.Job) error) (*job.Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, ok := r.m[id]
	if !ok {
		return nil, job.ErrUnknown
	}
	if err := change(&j); err != nil {
		return nil, err
	}
	j.Updated, j.Revision = time.Now(), j.Revision+1
	r.m[id] = j
	return &j, nil
}

// web is hosts of numbered pages. Page n links to the pages links names.
type web struct {
	pages int // on each host
	links func(host string, n int) []string
	takes time.Duration

	mu     sync.Mutex
	asked  map[string]int
	flying map[string]int
	last   map[string]time.Time // end of the last request, by host
	rude   int                  // requests that came too soon, or two at a time
	delay  time.Duration
	gone   bool // every page answers 503
	files  map[string][]byte
}

// Get implements seeding.Objects.
func (w *web) Get(_ context.Context, key string) ([]byte, error) {
	if b, ok := w.files[key]; ok {
		return b, nil
	}
	return nil, fault.New(fault.Permanent, "no_object", errors.New(key))
}

// Fetch implements fetch.Client.
func (w *web) Fetch(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	if strings.HasSuffix(r.URL, "/robots.txt") {
		return respond(r.URL, 404, ""), nil
	}
	host, path, _ := strings.Cut(strings.TrimPrefix(r.URL, "http://"), "/")
	w.mu.Lock()
	if w.asked == nil {
		w.asked, w.flying, w.last = map[string]int{}, map[string]int{}, map[string]time.Time{}
	}
	w.asked[r.URL]++
	w.flying[host]++
	if w.flying[host] > 1 || time.Since(w.last[host]) < w.delay {
		w.rude++
	}
	gone := w.gone
	w.mu.Unlock()
	if w.takes > 0 {
		time.Sleep(w.takes)
	}
	w.mu.Lock()
	w.flying[host]--
	w.last[host] = time.Now()
	w.mu.Unlock()
	var n int
	if read, _ := fmt.Sscanf(path, "p%d", &n); read != 1 || n >= w.pages {
		return respond(r.URL, 404, ""), nil
	}
	if gone {
		return respond(r.URL, 503, ""), nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>股市 银行 %s %d</title></head><body><p>%s 第%d页，股市上涨，银行走强，正文足够长，可以被当作正文提取出来。</p>", host, n, host, n)
	for _, l := range w.links(host, n) {
		fmt.Fprintf(&b, `<a href="%s">股市</a> `, l)
	}
	return respond(r.URL, 200, b.String()), nil
}

func respond(url string, status int, body string) *fetch.Response {
	now := time.Now()
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n", status, http.StatusText(status), len(body))
	return &fetch.Response{
		URL: url, Status: status, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: []byte(body), Raw: []byte(body), RequestHead: []byte("GET " + url + " HTTP/1.1\r\n\r\n"), ResponseHead: []byte(head),
		Start: now, End: now,
	}
}

// tree links each page to the next ones of its host, and the first page of each
// host to that of the next.
func tree(hosts, pages int) *web {
	w := &web{pages: pages, delay: time.Second}
	w.links = func(host string, n int) []string {
		var out []string
		for i := 3*n + 1; i <= 3*n+3 && i < pages; i++ {
			out = append(out, fmt.Sprintf("http://%s/p%d", host, i))
		}
		var k int
		if _, err := fmt.Sscanf(host, "h%d.", &k); err == nil && n == 0 && k+1 < hosts {
			out = append(out, fmt.Sprintf("http://h%d.demo.test/p0", k+1))
		}
		return out
	}
	return w
}
