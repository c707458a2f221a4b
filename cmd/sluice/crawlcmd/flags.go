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
	"sluice/shared/local"
	"sluice/shared/topic"
)

// crawlFlags are the flags of crawl, as given.
type crawlFlags struct {
	topic, out, contact string
	proxies             cli.ProxyFlag
	auth                string
	browser             string
	sites               string
	site                cli.SiteFlags
	from                cli.ListFlag
	limits              cli.LimitFlags
	seeds               []string
	workers, lanes      int
	delay, outage       time.Duration
	randomSeed          uint64
	archive, userAgent  string
	resume, refresh     bool
	revisits            cli.RevisitFlags
	json                bool
}

func (f *crawlFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.topic, "topic", "", "topic `FILE`, YAML or compiled; required, except with --site, and with --resume or --refresh of the crawl in --out")
	f.site.Register(fl)
	cli.RegisterSites(fl, &f.sites)
	fl.StringArrayVar(&f.seeds, "seed", nil, "`URL` to start from, in place of the topic's seeds; repeatable")
	f.from.Register(fl, "seeds, in place of the topic's, beside those of --seed")
	fl.StringVar(&f.out, "out", "", "folder of the crawl, `DIR` (default out/TOPIC)")
	fl.StringVar(&f.contact, "contact", "", "how to reach you, for the User-Agent: `C` is a URL or an e-mail address (default $SLUICE_CONTACT)")
	cli.RegisterUserAgent(fl, &f.userAgent)
	f.proxies.Register(fl)
	fl.StringVar(&f.auth, "auth", "", "`FILE` of headers and passwords by host; only its path is kept")
	fl.StringVar(&f.browser, "browser", "", "`PATH` of the browser that renders pages (with --site, or render in the topic file), or none (default the first that is found, such as chromium)")
	f.limits.Register(fl, func(string) string { return "the topic's, or that of the crawl in the folder" })
	fl.DurationVar(&f.delay, "delay", local.DefaultDelay, "pause `D` between two fetches on a host; robots.txt may ask for more")
	fl.DurationVar(&f.outage, "max-outage", local.DefaultOutage, "stop when nothing at all has answered for `D`; until then the crawl waits")
	fl.IntVar(&f.workers, "workers", local.DefaultWorkers, "fetch from `N` hosts at a time")
	fl.IntVar(&f.lanes, "lanes", 0, "order links in `N` lanes, as coarsely as a cloud queue; 0: in exact order")
	fl.Uint64Var(&f.randomSeed, "random-seed", 0, "make the outcome reproducible with the seed `N`; 0: not reproducible")
	cli.RegisterArchive(fl, &f.archive, "the topic's, else all, or that of the crawl in the folder")
	fl.BoolVar(&f.resume, "resume", false, "continue the crawl in the folder, with its settings unless a flag changes them; ask hosts again that were down")
	fl.BoolVar(&f.refresh, "refresh", false, "check the pages of the crawl in the folder again for new, changed and gone ones")
	f.revisits.Register(fl)
	fl.BoolVar(&f.json, "json", false, "print the summary as JSON")
}

// spec checks the flags and the topic file, all problems at once.
func (f *crawlFlags) spec(s cli.Streams, fl *pflag.FlagSet, getenv func(string) string) (local.Spec, error) {
	spec := local.Spec{
		Seeds: f.seeds, Contact: cmp.Or(f.contact, getenv("SLUICE_CONTACT")), Version: cli.Version, Browser: f.browser,
		Delay: f.delay, MaxOutage: f.outage, Workers: f.workers, Lanes: f.lanes, Limits: f.limits.Limits, Scope: f.limits.Scope(),
		RandomSeed: f.randomSeed, Archive: f.archive, UserAgent: f.userAgent, Resume: f.resume, Refresh: f.refresh,
		Revisit: f.revisits.Revisit, OlderThan: f.revisits.OlderThan,
	}
	held := f.resume || f.refresh // there is a crawl
	if held && !fl.Changed("delay") {
		spec.Delay = -1 // as the crawl was started
	}
	problems := []error{f.limits.Check(fl), cli.CheckArchive(f.archive), cli.CheckUserAgent(f.userAgent)}
	if !held || fl.Changed("sites") {
		var err error
		spec.Sites, err = filepath.Abs(f.sites)
		problems = append(problems, err)
	}
	if f.auth != "" {
		var err error
		spec.Auth, err = filepath.Abs(f.auth)
		problems = append(problems, err)
	}
	if f.outage <= 0 {
		problems = append(problems, cli.Usage(fmt.Errorf("--max-outage is %s: more than 0 is needed", f.outage)))
	}
	if f.workers < 1 {
		problems = append(problems, cli.Usage(fmt.Errorf("--workers is %d: at least 1 is needed", f.workers)))
	}
	problems = append(problems, cli.CheckFolder(f.out), f.readSeeds(s, &spec), f.revisits.Check("--refresh", f.refresh))
	if f.resume && f.refresh {
		problems = append(problems, cli.Usage(errors.New("--resume and --refresh exclude each other: --refresh begins a refresh, --resume continues the crawl or refresh that was begun last")))
	}
	var err error
	spec.Proxies, err = f.proxies.Parse()
	problems = append(problems, err)
	switch {
	case f.site.Given():
		source, err := f.site.Topic(f.topic)
		spec.BrowserIfAny = true
		if err == nil {
			err = parseTopic(&spec, "site "+f.site.Site, topic.Rendered(source))
		}
		problems = append(problems, err)
	case f.topic != "":
		problems = append(problems, readTopic(&spec, f.topic))
	case !held || f.out == "":
		problems = append(problems, cli.Usage(errors.New("--topic is missing: name a topic file or a compiled topic (or a --site with its --template, or, with --resume or --refresh, the crawl's --out)")))
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
	list, err := f.from.Read(s)
	if list == nil {
		return err
	}
	urls, err := list.URLs()
	if err == nil && len(urls) == 0 {
		err = cli.Usage(fmt.Errorf("--from %s: there is no URL in it", list.Name))
	}
	spec.Seeds = append(slices.Clone(spec.Seeds), urls...)
	return err
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
