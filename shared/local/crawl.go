package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"sluice/shared/crawl/browse"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/seeding"
	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/local/engine"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
	"sluice/shared/web/hosts"
	"sluice/shared/web/outage"
	"sluice/shared/web/urlnorm"
)

// StateFile is the store in a crawl's folder. TopicFile is its copy of the
// topic file, ArtifactFile that of a compiled topic: it has one of them.
const (
	StateFile    = "state.db"
	TopicFile    = "topic.yaml"
	ArtifactFile = "compiled.topic"
)

// Defaults of a Spec.
const (
	DefaultWorkers = 64
	DefaultDelay   = time.Second
	DefaultOutage  = time.Hour
)

// learnedLinks is how many links a task has if the crawl learns from each page which
// are the best.
const learnedLinks = 4

// Keys of what the store keeps for the folder.
const (
	settingsKey = "settings"
	reasonKey   = "stop_reason"
)

// Crawl is an open crawl. Close it.
type Crawl struct {
	spec         Spec
	id           string
	store        *sqlitestore.Store
	corpus       *filecorpus.Corpus
	visitor      *plan.Visitor
	browser      step.Browser // nil: no page is rendered
	browserFiles io.Closer    // nil without a browser
	plan         *step.Plan
	learned      lessons
	outage       *outage.Watch
	since        time.Time // older robots.txt rules are fetched again
	giveUp       func()    // ends the run: nothing answers
	engine       *engine.Engine
	totals       *ledger.Totals // when it was opened
	begun        time.Time
}

// Open starts a crawl in a folder or, with Resume, takes up the one in it.
func Open(ctx context.Context, spec Spec) (_ *Crawl, err error) {
	if spec.Log == nil {
		spec.Log = slog.New(slog.DiscardHandler)
	}
	if err := spec.complete(ctx); err != nil {
		return nil, err
	}
	seeds, err := spec.seeds()
	if err != nil {
		return nil, err
	}
	if err := checkSites(ctx, &spec, seeds); err != nil {
		return nil, err
	}
	planned, visitor, err := spec.params(seeds).Begin(spec.manners(seeds))
	if err != nil {
		return nil, err
	}
	c := &Crawl{spec: spec, visitor: visitor, begun: time.Now()}
	c.outage = outage.New(visitor.Client, outage.Options{Most: spec.MaxOutage, Over: func() { c.giveUp() }, Log: spec.Log})
	visitor.Client = c.outage
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	if err := c.openBrowser(ctx, planned); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(spec.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make crawl folder: %w", err)
	}
	// The corpus holds the folder's lock, which one process can have.
	if c.corpus, err = filecorpus.Open(spec.Dir, filecorpus.Options{Start: spec.turn.Start}); err != nil {
		return nil, err
	}
	// From here on others may take the crawl for running, and want something of it.
	if err := c.forgetWish(); err != nil {
		return nil, err
	}
	if err := c.begin(); err != nil {
		return nil, err
	}
	if err := c.openStore(ctx, seeds); err != nil {
		return nil, err
	}
	if planned.Forgotten, err = readForgotten(ctx, c.store); err != nil {
		return nil, err
	}
	planned.Revisits = c.spec.turn.Revisits
	if err := c.readExperience(ctx, planned); err != nil {
		return nil, err
	}
	tune, err := c.newTuner(ctx, planned)
	if err != nil {
		return nil, err
	}
	if tune != nil {
		planned = tune.plan
	}
	c.wire(planned, tune)
	return c, nil
}

// openStore opens the state, notes the settings of a new crawl, and puts in
// the seeds that are not there yet.
func (c *Crawl) openStore(ctx context.Context, seeds []urlnorm.URL) (err error) {
	c.store, err = sqlitestore.Open(filepath.Join(c.spec.Dir, StateFile), sqlitestore.Options{
		Lanes: c.spec.Lanes, LaneBase: c.spec.Topic.File.Thresholds.Priority, Poll: 100 * time.Millisecond,
	})
	if err != nil {
		return err
	}
	if err := c.checkTurn(ctx); err != nil {
		return err
	}
	if err := errors.Join(c.note(ctx, pausedKey, ""), c.note(ctx, stopWhyKey, "")); err != nil {
		return err
	}
	if err := c.keepSettings(ctx); err != nil {
		return err
	}
	if err := c.recover(ctx); err != nil {
		return err
	}
	if c.spec.Resume {
		if err := c.takeUp(ctx, seeds); err != nil {
			return fmt.Errorf("take up what was down: %w", err)
		}
	}
	if c.totals, err = c.store.Ledger().Totals(ctx, c.id); err != nil {
		return fmt.Errorf("read totals: %w", err)
	}
	if c.spec.turn.Revisit != limits.RevisitSources {
		if err := c.plant(ctx, seeding.Links(plan.Names(seeds))); err != nil {
			return fmt.Errorf("plant seeds: %w", err)
		}
	}
	return c.inherit(ctx)
}

// recover frees the tasks and hosts of pages that were broken off. None may be at
// hand.
func (c *Crawl) recover(ctx context.Context) error {
	if err := c.store.Recover(ctx, c.spec.Delay); err != nil {
		return fmt.Errorf("recover state: %w", err)
	}
	return nil
}

// plant puts the links into the frontier that have not been there.
func (c *Crawl) plant(ctx context.Context, links []frontier.Link) error {
	round := 0
	if c.spec.RandomSeed != 0 {
		round = 1
	}
	to := seeding.Frontier{Ledger: c.store.Ledger(), Backlog: c.store.Backlog()}
	_, err := to.Plant(ctx, c.id, links, round)
	return err
}

func (c *Crawl) maxPages() int { return c.spec.params(nil).Pages() }

// wire connects step and engine with the stores.
func (c *Crawl) wire(planned *step.Plan, tune *tuner) {
	st := c.store
	c.plan, c.learned = planned, lessons{st.Boilerplate(), c.spec.Topic.File.Name}
	coverages := st.Coverages()
	runner := step.New(planned, step.Ports{
		Fetch: c.visitor, Guard: c.visitor.Guard,
		Robots: &hosts.Robots{Client: c.visitor, Cache: st.Robots(), Now: time.Now, Since: c.since},
		Leases: st.Leases(), Ledger: st.Ledger(), History: st.Ledger(), Decisions: st.Ledger(),
		Backlog: st.Backlog(), Raiser: st.Backlog(), Dead: st.Queue(), Corpus: c.corpus,
		Prior: c.prior(), Archive: archive{c.spec.Dir, planned.Reader}, Boilerplate: c.learned,
		Browser: c.browser, Coverages: coverages,
	}, step.Options{
		Log: c.spec.Log, Parsers: max(2, runtime.GOMAXPROCS(0)), // more would take memory and gain no time
	})
	ports := engine.Ports{
		Step: runner, Queue: st.Queue(), Gauge: st.Queue(), Dead: st.Queue(),
		Feeder: &frontier.Feeder{
			Crawl: c.id, Backlog: st.Backlog(), Hosts: st.Backlog(), Queue: st.Queue(), Gauge: st.Queue(),
			Now: time.Now, Line: planned.Strategy.Line(), Below: c.spec.Workers,
		},
	}
	if planned.Cover {
		ports.Coverages = coverages
	}
	switch judge := planned.Judge(); {
	case planned.Seed != 0:
		ports.Rounds, ports.Feeder.Line = st, 0 // the rounds are the order
	case judge != nil:
		ports.Feeder.Judge, ports.Feeder.Orders = judge, st.Backlog()
		ports.Feeder.Wave, ports.Feeder.TaskLinks = max(c.spec.Workers, 2*learnedLinks), learnedLinks
	}
	if tune != nil {
		tune.step, ports.Tuner = runner, tune
	}
	c.engine = engine.New(ports, engine.Options{
		Crawl: c.id, Workers: c.spec.Workers, MaxPages: int64(c.maxPages()), Fetched: c.totals.Fetched, Kept: c.totals.Verdicts[ledger.Kept], Log: c.spec.Log,
	})
}

// Run crawls until the crawl ends by itself or stop does (see engine.Run).
func (c *Crawl) Run(ctx, stop context.Context) (*Summary, error) {
	user := stop
	if d := c.MaxDuration(); d > 0 {
		var cancel context.CancelFunc
		stop, cancel = context.WithTimeoutCause(stop, d, engine.ErrMaxDuration)
		defer cancel()
	}
	stop, giveUp := context.WithCancelCause(stop)
	defer giveUp(nil)
	c.giveUp = func() { giveUp(engine.ErrOutage) }
	if err := errors.Join(c.store.SetMeta(ctx, reasonKey, ""), c.store.SetMeta(ctx, barrenKey, ""), c.store.SetMeta(ctx, saturatedKey, "")); err != nil {
		return nil, fmt.Errorf("clear stop reason: %w", err)
	}
	var reason engine.StopReason
	_, err := c.obey(ctx, stop, func(ctx, stop context.Context) (done bool, err error) {
		reason, err = c.engine.Run(ctx, stop)
		return ends(reason), err
	})
	if err != nil {
		return nil, fmt.Errorf("crawl: %w", err)
	}
	if reason == engine.Interrupted && errors.Is(context.Cause(stop), engine.ErrMaxDuration) { // in a pause
		reason = engine.MaxDuration
	}
	if ends(reason) { // else the run that ends the crawl does it
		done, err := c.obey(ctx, user, c.finish)
		if err != nil {
			return nil, err
		}
		if !done {
			c.spec.Log.WarnContext(ctx, "corpus is not finished; the next run of the crawl does it")
			reason = engine.Interrupted
		}
	}
	ctx = context.WithoutCancel(ctx)
	if reason == engine.FrontierEmpty {
		if reason, err = c.emptied(ctx); err != nil {
			return nil, err
		}
	}
	switch reason {
	case engine.Outage:
		err = c.note(ctx, stopWhyKey, fault.Clip(c.outage.State().Cause.Error(), maxWhy))
	case engine.Unreachable:
		err = c.note(ctx, stopWhyKey, fault.Clip(c.outage.Unreached().Error(), maxWhy))
	}
	switch reason {
	case job.ReasonHarvestRate:
		err = keepJSON(ctx, c.store, barrenKey, c.engine.Barren())
	case job.ReasonCoverage:
		err = keepJSON(ctx, c.store, saturatedKey, c.engine.Saturated())
	}
	if err := errors.Join(err, c.store.SetMeta(ctx, reasonKey, string(reason)), c.keepExperience(ctx)); err != nil {
		return nil, fmt.Errorf("keep stop reason: %w", err)
	}
	s, err := summarise(ctx, c.store, c.spec.Dir, &c.spec.turn, c.spec.Topic.File.Name)
	if err != nil {
		return nil, err
	}
	s.StopReason, s.DurationS = string(reason), time.Since(c.begun).Seconds()
	why, _, err := c.store.Meta(ctx, stopWhyKey)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", stopWhyKey, err)
	}
	setState(s, why)
	s.MaxPages = c.maxPages()
	if d := c.MaxDuration(); d > 0 {
		s.Deadline = new(c.begun.Add(d).UTC())
	}
	return s, nil
}

// maxWhy is how many characters of a cause are kept.
const maxWhy = 300

// ends reports whether a reason ends a crawl for good, as far as its budgets go.
func ends(r engine.StopReason) bool { return r != engine.Interrupted && r != engine.Outage }

// Progress is a snapshot of a running crawl.
type Progress struct {
	At            time.Time
	Fetched, Kept int64 // in all runs
	MaxPages      int64
	Queue         int // links queued
	Hosts         int // hosts being fetched from
	Outage        outage.State
	Pause         engine.Pause // of the host that is asked next, if none is being asked
}

// Progress may be called while Run is running.
func (c *Crawl) Progress(ctx context.Context) Progress {
	e := c.engine.Progress()
	queued, err := c.store.Queue().Queued(ctx, c.id, "")
	waiting, werr := c.store.Backlog().Len(ctx, c.id)
	if err = errors.Join(err, werr); err != nil {
		c.spec.Log.WarnContext(ctx, "progress is incomplete", "err", err)
	}
	return Progress{
		At: time.Now(), Fetched: e.Fetched, Kept: c.totals.Verdicts[ledger.Kept] + e.Kept, MaxPages: int64(c.maxPages()),
		Queue: queued + waiting, Hosts: int(e.InFlight), Outage: c.outage.State(), Pause: e.Pause,
	}
}

// MaxDuration is the budget of time of a run, by the Spec or else by the topic;
// 0 is none.
func (c *Crawl) MaxDuration() time.Duration {
	if c.spec.MaxDuration > 0 {
		return c.spec.MaxDuration
	}
	return c.spec.Topic.File.Budgets.MaxDuration
}

// Close ends the crawl's use of its folder.
func (c *Crawl) Close() error {
	var errs []error
	if b, ok := c.browser.(browse.Browser); ok {
		b.Close()
	}
	if c.browserFiles != nil {
		_ = c.browserFiles.Close() // else the next start removes them
	}
	if c.visitor != nil {
		c.visitor.Close()
	}
	if c.store != nil {
		errs = append(errs, c.store.Close())
	}
	if c.corpus != nil {
		errs = append(errs, c.corpus.Close())
	}
	return errors.Join(errs...)
}
