package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sluice/shared/local"
	"sluice/shared/local/engine"
	"sluice/shared/topic"
)

// crawlFlags are the flags of crawl, as given.
type crawlFlags struct {
	topic, out, proxy, contact string
	seeds                      []string
	maxPages, workers, lanes   int
	maxDuration, delay         time.Duration
	randomSeed                 uint64
	resume, json, delaySet     bool
}

func newCrawl(s streams, getenv func(string) string) *cobra.Command {
	f := &crawlFlags{}
	cmd := &cobra.Command{
		Use:   "crawl --topic FILE",
		Short: "Crawl for a topic into a folder, on this machine",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.delaySet = cmd.Flags().Changed("delay")
			spec, err := f.spec(getenv)
			if err != nil {
				return usage(err)
			}
			return runCrawl(cmd.Context(), s, spec, f.json)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.topic, "topic", "", "topic file (YAML)")
	fl.StringArrayVar(&f.seeds, "seed", nil, "URL to start from, in place of the topic's seeds; repeatable")
	fl.StringVar(&f.out, "out", "", "folder of the crawl (default out/TOPIC)")
	fl.StringVar(&f.proxy, "proxy", "", "HTTP proxy for all requests; it resolves the names")
	fl.IntVar(&f.maxPages, "max-pages", 0, "budget of pages (default: the topic's)")
	fl.DurationVar(&f.maxDuration, "max-duration", 0, "budget of time (default: the topic's)")
	fl.DurationVar(&f.delay, "delay", local.DefaultDelay, "pause between two fetches on a host; robots.txt may ask for more")
	fl.IntVar(&f.workers, "workers", local.DefaultWorkers, "hosts fetched from at a time")
	fl.IntVar(&f.lanes, "lanes", 0, "priority lanes, as coarse as a cloud queue's; 0 is exact order")
	fl.Uint64Var(&f.randomSeed, "random-seed", 0, "make the outcome reproducible; 0 does not")
	fl.StringVar(&f.contact, "contact", "", "URL or e-mail for the User-Agent (default $SLUICE_CONTACT)")
	fl.BoolVar(&f.resume, "resume", false, "go on with the crawl in the folder")
	fl.BoolVar(&f.json, "json", false, "print the summary as JSON")
	return cmd
}

// spec checks the flags, all problems at once.
func (f *crawlFlags) spec(getenv func(string) string) (local.Spec, error) {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if f.topic == "" && (!f.resume || f.out == "") {
		bad("--topic is missing: name a topic file (or, with --resume, the crawl's --out)")
	}
	for name, n := range map[string]int64{
		"max-pages": int64(f.maxPages), "max-duration": int64(f.maxDuration), "delay": int64(f.delay), "lanes": int64(f.lanes),
	} {
		if n < 0 {
			bad("--%s is negative", name)
		}
	}
	if f.workers < 1 {
		bad("--workers is %d, want at least 1", f.workers)
	}
	spec := local.Spec{
		Seeds: f.seeds, Contact: cmp.Or(f.contact, getenv("SLUICE_CONTACT")), Version: version,
		Delay: f.delay, Workers: f.workers, Lanes: f.lanes, MaxPages: f.maxPages, MaxDuration: f.maxDuration,
		RandomSeed: f.randomSeed, Resume: f.resume,
	}
	if f.resume && !f.delaySet {
		spec.Delay = -1 // as the crawl was started
	}
	if f.proxy != "" {
		u, err := url.Parse(f.proxy)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			bad("--proxy %q is not http://HOST:PORT", f.proxy)
		}
		spec.Proxy = u
	}
	if f.topic != "" {
		if err := readTopic(&spec, f.topic); err != nil {
			problems = append(problems, err)
		}
	}
	if len(problems) > 0 {
		return spec, errors.Join(problems...)
	}
	if spec.Dir = f.out; spec.Dir == "" {
		spec.Dir = filepath.Join("out", spec.Topic.Name)
	}
	return spec, nil
}

// readTopic reads the topic file into the spec.
func readTopic(spec *local.Spec, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read topic: %w", err)
	}
	return parseTopic(spec, path, b)
}

func parseTopic(spec *local.Spec, name string, b []byte) (err error) {
	spec.Source = b
	spec.Topic, err = topic.Parse(name, b)
	return err
}

// runCrawl runs a crawl to its end, shows how it goes, and prints what came of
// it. The first interrupt lets the pages at hand finish, the second does not.
func runCrawl(ctx context.Context, s streams, spec local.Spec, asJSON bool) error {
	spec.Log = newLog(s.err)
	c, err := local.Open(ctx, spec)
	if err != nil {
		return err
	}
	hard, kill := context.WithCancelCause(ctx)
	defer kill(nil)
	stop, halt := context.WithCancelCause(ctx)
	defer halt(nil)
	defer onInterrupt(
		func() { halt(engine.ErrInterrupted) },
		func() { kill(engine.ErrInterrupted) },
	)()
	show := showProgress(ctx, s.err, c)
	sum, err := c.Run(hard, stop)
	show.end()
	if cerr := c.Close(); err == nil {
		err = cerr
	}
	if errors.Is(err, engine.ErrInterrupted) {
		return errStopped
	}
	if err != nil {
		return err
	}
	if asJSON {
		err = printJSON(s.out, sum)
	} else {
		printSummary(s.out, sum)
	}
	if err == nil && sum.StopReason == string(engine.Interrupted) {
		err = errStopped
	}
	return err
}

// onInterrupt calls first and then second as interrupts come in, until the
// returned function is called.
func onInterrupt(first, second func()) (stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		for _, f := range []func(){first, second} {
			select {
			case <-signals:
				f()
			case <-over:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(over)
	}
}
