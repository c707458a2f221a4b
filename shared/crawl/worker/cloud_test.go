package worker_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sluice/shared/crawl/keeper"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/seeding"
	"sluice/shared/crawl/step"
	"sluice/shared/crawl/worker"
	"sluice/shared/fault"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

// cloud is a stack on one machine: the services of the functions over local
// stores, and a pump that plays the part of the queue's event source.
type cloud struct {
	dir     string // of the corpus
	store   *sqlitestore.Store
	corpus  *filecorpus.Corpus
	tracker *tracker
	jobs    *jobtest.Memory

	coverages *sqlitestore.Coverages

	topics  *topics
	web     *web
	trouble trouble
	keeper  *keeper.Keeper
	seeder  *seeding.Seeder
	forgets bool // each batch is another process's

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
	c := &cloud{
		dir: dir, store: st, corpus: files, web: w, coverages: st.Coverages(), jobs: jobtest.NewMemory(time.Now), dead: map[string]string{},
		topics: &topics{m: map[string]*topic.Compiled{"topics/finance.topic": file.Compiled()}},
	}
	c.tracker = &tracker{trouble: &c.trouble, store: st, marks: map[string]frontier.Mark{}}
	registry := registry{c.jobs, &c.trouble}
	c.keeper = keeper.New(keeper.Ports{
		Jobs: registry, Totals: st.Ledger(), Coverages: coverages{c.coverages, &c.trouble}, Spend: c, Hosts: hostList{c},
		Backlog: c.backlog(), Queue: c.queue(), Gauge: c.tracker, Queues: c, Switch: c, Structure: unstructured{c},
	}, keeper.Options{})
	c.seeder = seeding.New(seeding.Ports{
		Jobs: registry, Topics: c.topics, Objects: w, Ledger: c.ledger(), Backlog: c.backlog(),
		Queue: c.queue(), Gauge: c.tracker, Switch: c,
	}, seeding.Options{MaxPages: 10_000, Delay: time.Second, Manners: plan.Manners{Version: "1"}})
	return c
}

// newWorker returns what a new process of the crawl function has.
func (c *cloud) newWorker() *worker.Worker {
	return worker.New(worker.Ports{
		Jobs: c.jobs, Topics: c.topics, Queue: c.queue(), Tracker: c.tracker, Gauge: c.tracker, Dead: dead{c.store.Queue(), &c.trouble},
		Backlog: c.backlog(), Raiser: c.store.Backlog(), Orders: c.store.Backlog(), Leases: leases{c.store.Leases(), &c.trouble}, Robots: c.store.Robots(),
		Ledger: c.ledger(), History: c.store.Ledger(), Entries: c.store.Ledger(), Totals: c.store.Ledger(), Coverages: coverages{c.coverages, &c.trouble}, Spend: c, Outputs: outputs{c}, Web: c.web,
	}, worker.Options{Manners: plan.Manners{Version: "1"}, Step: step.Options{CommitEvery: frontier.MaxLinks}})
}

// unstructured implements keeper.Structure for topical crawls, whose second look is over
// as soon as it is asked for.
type unstructured struct{ *cloud }

func (unstructured) On(context.Context) error  { return nil }
func (unstructured) Off(context.Context) error { return nil }
func (u unstructured) Send(ctx context.Context, messages []job.SiteMessage) error {
	for _, m := range messages {
		if m.Look == 0 {
			return errors.New("a topical crawl has no records")
		}
		_, err := u.jobs.Update(ctx, m.Crawl, func(j *job.Job) error {
			j.Look.Made = m.Look
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *cloud) queue() booked    { return booked{c.store.Queue(), c.tracker} }
func (c *cloud) backlog() backlog { return backlog{c.store.Backlog(), &c.trouble} }
func (c *cloud) ledger() states   { return states{c.store.Ledger(), &c.trouble} }

// Dollars implements the services' Spend: a cent for each request to the web.
func (c *cloud) Dollars(context.Context, string) (float64, error) {
	return float64(c.web.requests()) / 100, nil
}

// On and Off implement the switch.
func (c *cloud) On(ctx context.Context) error  { return c.turn(ctx, true) }
func (c *cloud) Off(ctx context.Context) error { return c.turn(ctx, false) }

func (c *cloud) turn(ctx context.Context, on bool) error {
	return c.trouble.do(ctx, func() error { c.set(on); return nil })
}

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

// Empty implements keeper.Queues.
func (c *cloud) Empty(ctx context.Context) (bool, error) {
	all, err := c.jobs.List(ctx)
	if err != nil {
		return false, err
	}
	for _, j := range all {
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
			w := c.newWorker()
			for c.isOn() {
				if !c.pump(ctx, t, w) || c.forgets {
					w = c.newWorker() // in another process
				}
			}
		})
	}
	for minutes := 0; c.isOn(); minutes++ {
		if minutes == maxMinutes {
			t.Errorf("the stack is still on after %d minutes", minutes)
			break
		}
		time.Sleep(time.Minute)
		if err := c.keeper.Look(c.trouble.invoke(ctx)); err != nil && !errors.Is(err, errTrouble) {
			t.Error(err)
		}
	}
	c.set(false)
	wg.Wait()
}

// maxMinutes is longer than any crawl here takes.
const maxMinutes = 3000

// pump takes one batch through a worker, and reports whether that survived.
func (c *cloud) pump(ctx context.Context, t *testing.T, w *worker.Worker) (alive bool) {
	batch, err := c.store.Queue().Receive(ctx, 10)
	if err != nil {
		t.Error(err)
	}
	if len(batch) == 0 {
		return true
	}
	tasks := make([]*frontier.Task, len(batch))
	for i, d := range batch {
		tasks[i] = d.Task
	}
	c.mu.Lock()
	c.deliveries += len(batch)
	c.mu.Unlock()
	ctx = c.trouble.invoke(ctx)
	for i, err := range w.Handle(ctx, nil, tasks) {
		if !isAlive(ctx) {
			return false // what it had comes again when it is visible
		}
		if err := c.answer(ctx, batch[i], err); err != nil && !errors.Is(err, errTrouble) {
			t.Error(err)
		}
	}
	return isAlive(ctx)
}

// answer does what the edge does for a task that ended in err.
func (c *cloud) answer(ctx context.Context, d frontier.Delivery, err error) error {
	if f := fault.Of(err); f != nil {
		action, delay := f.Action(time.Second)
		if action != fault.Bury {
			return c.trouble.do(ctx, func() error { return c.store.Queue().Delay(ctx, d.Receipt, max(delay, time.Second)) })
		}
		c.mu.Lock()
		c.dead[d.Task.ID] = f.Error()
		c.mu.Unlock()
	}
	return c.trouble.do(ctx, func() error { return c.store.Queue().Delete(ctx, []string{d.Receipt}) })
}

// message sends a message to the seeds, which comes again until it is done.
func (c *cloud) message(t *testing.T, body string) {
	t.Helper()
	for range 50 {
		err := c.seeder.Message(c.trouble.invoke(t.Context()), []byte(body))
		if err == nil {
			return
		}
		if !errors.Is(err, errTrouble) {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
	}
	t.Fatal("the message has no end")
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
