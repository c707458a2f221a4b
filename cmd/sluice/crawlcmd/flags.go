package crawlcmd

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/local"
	"sluice/shared/topic"
)

// crawlFlags are the flags of crawl, as given.
type crawlFlags struct {
	topic, out, proxy, contact string
	from                       string
	scope                      cli.ScopeFlags
	maxPerHost, maxDepth       int
	seeds                      []string
	maxPages, workers, lanes   int
	maxDuration, delay         time.Duration
	randomSeed                 uint64
	resume, refresh            bool
	json, delayGiven           bool
}

func (f *crawlFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.topic, "topic", "", "topic `FILE`, YAML or compiled; required, unless --resume or --refresh, and --out, name a crawl")
	fl.StringArrayVar(&f.seeds, "seed", nil, "`URL` to start from, in place of the topic's seeds; repeatable")
	fl.StringVar(&f.from, "from", "", "`FILE` of seeds, in place of the topic's, beside those of --seed: a URL a line, a sitemap or a feed; - is standard input")
	fl.StringVar(&f.out, "out", "", "folder of the crawl, `DIR` (default out/TOPIC)")
	fl.StringVar(&f.contact, "contact", "", "how to reach you, for the User-Agent: `C` is a URL or an e-mail address (default $SLUICE_CONTACT)")
	fl.StringVar(&f.proxy, "proxy", "", "HTTP proxy for all requests, as a `URL`; it resolves the names")
	fl.IntVar(&f.maxPages, "max-pages", 0, "budget of `N` pages (default the topic's)")
	fl.IntVar(&f.maxPerHost, "max-pages-per-host", 0, "budget of `N` pages for each host (default the topic's)")
	fl.IntVar(&f.maxDepth, "max-depth", 0, "follow `N` links from a seed at most (default the topic's)")
	fl.DurationVar(&f.maxDuration, "max-duration", 0, "budget of time `D`, as in 2h30m (default the topic's)")
	f.scope.Register(fl, "stay within the seeds' `MODE`: any, domain, host or prefix (default the topic's scope, or domain beside --allow and --deny; of a crawl that is there, its own)",
		"(default the topic's scope; of a crawl that is there, its own)")
	fl.DurationVar(&f.delay, "delay", local.DefaultDelay, "pause `D` between two fetches on a host; robots.txt may ask for more")
	fl.IntVar(&f.workers, "workers", local.DefaultWorkers, "fetch from `N` hosts at a time")
	fl.IntVar(&f.lanes, "lanes", 0, "order links by `N` lanes, as coarse as a cloud queue; 0 is exact order")
	fl.Uint64Var(&f.randomSeed, "random-seed", 0, "make the outcome reproducible by `N`; 0 does not")
	fl.BoolVar(&f.resume, "resume", false, "go on with the crawl in the folder, as it was started where no flag says else")
	fl.BoolVar(&f.refresh, "refresh", false, "look at the pages of the crawl in the folder again, for what is new, changed or gone")
	fl.BoolVar(&f.json, "json", false, "print the summary as JSON")
}

// spec checks the flags and the topic file, all problems at once.
func (f *crawlFlags) spec(s cli.Streams, getenv func(string) string) (local.Spec, error) {
	spec := local.Spec{
		Seeds: f.seeds, Contact: cmp.Or(f.contact, getenv("SLUICE_CONTACT")), Version: cli.Version,
		Delay: f.delay, Workers: f.workers, Lanes: f.lanes, MaxPages: f.maxPages, MaxDuration: f.maxDuration,
		RandomSeed: f.randomSeed, Resume: f.resume, Refresh: f.refresh, MaxPerHost: f.maxPerHost, MaxDepth: f.maxDepth,
	}
	if scope := f.scope.Given(); scope != nil {
		spec.Scope = &topic.Scope{Mode: topic.ScopeMode(scope.Mode), Allow: scope.Allow, Deny: scope.Deny}
	}
	held := f.resume || f.refresh // there is a crawl
	if held && !f.delayGiven {
		spec.Delay = -1 // as the crawl was started
	}
	problems := []error{f.checkNumbers(), cli.CheckFolder(f.out), f.scope.Check(false), f.readSeeds(s, &spec)}
	if f.resume && f.refresh {
		problems = append(problems, cli.Usage(errors.New("--resume and --refresh exclude each other: --refresh begins a refresh, --resume continues the crawl or refresh that was begun last")))
	}
	var err error
	spec.Proxy, err = cli.ParseProxy(f.proxy)
	problems = append(problems, err)
	switch {
	case f.topic != "":
		problems = append(problems, readTopic(&spec, f.topic))
	case !held || f.out == "":
		problems = append(problems, cli.Usage(errors.New("--topic is missing: name a topic file or a compiled topic (or, with --resume or --refresh, the crawl's --out)")))
	}
	if err := errors.Join(problems...); err != nil {
		return spec, err
	}
	if spec.Dir = f.out; spec.Dir == "" {
		spec.Dir = filepath.Join("out", spec.Topic.File.Name)
	}
	return spec, nil
}

// readSeeds adds the seeds of --from to those of --seed.
func (f *crawlFlags) readSeeds(s cli.Streams, spec *local.Spec) error {
	if f.from == "" {
		return nil
	}
	data, err := cli.ReadList(s, f.from)
	if err != nil {
		return err
	}
	urls, err := (&operator.List{Name: f.from, Data: data}).URLs()
	if err == nil && len(urls) == 0 {
		err = cli.Usage(fmt.Errorf("--from %s: there is no URL in it", f.from))
	}
	spec.Seeds = append(slices.Clone(spec.Seeds), urls...)
	return err
}

func (f *crawlFlags) checkNumbers() error {
	var problems []error
	for _, flag := range []struct {
		name     string
		negative bool
		given    any
	}{
		{"max-pages", f.maxPages < 0, f.maxPages},
		{"max-pages-per-host", f.maxPerHost < 0, f.maxPerHost},
		{"max-depth", f.maxDepth < 0, f.maxDepth},
		{"max-duration", f.maxDuration < 0, f.maxDuration},
		{"delay", f.delay < 0, f.delay},
		{"lanes", f.lanes < 0, f.lanes},
	} {
		if flag.negative {
			problems = append(problems, fmt.Errorf("--%s is %v: it must not be negative", flag.name, flag.given))
		}
	}
	if f.workers < 1 {
		problems = append(problems, fmt.Errorf("--workers is %d: at least 1 is needed", f.workers))
	}
	return cli.Usage(errors.Join(problems...))
}

// readTopic reads a topic file or a compiled topic into the spec.
func readTopic(spec *local.Spec, path string) error {
	source, err := topic.ReadSource(path)
	if err != nil {
		return cli.Usage(err)
	}
	return parseTopic(spec, path, source)
}

func parseTopic(spec *local.Spec, name string, source []byte) (err error) {
	spec.Source = source
	if spec.Topic, err = topic.Read(name, source); topic.IsArtifact(source) {
		return cli.Usage(err) // it can be mended by compiling the topic again
	}
	return err
}
