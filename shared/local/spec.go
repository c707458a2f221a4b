// Package local runs a crawl in a folder of one machine: the step and the
// engine on an embedded store and plain files. It is the composition root
// that the command line, the demo and the benchmarks share.
package local

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
	"sluice/shared/web/credentials"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

// Spec says what to crawl, how and where to. With Resume or Refresh, what is
// left open is as the crawl was started.
type Spec struct {
	Dir       string
	Topic     *topic.Compiled
	Source    []byte   // the bytes of the topic file or artifact that Topic was read from; they are kept with the crawl
	Seeds     []string // in place of the topic's; nil keeps those
	Contact   string   // URL or e-mail for the User-Agent
	UserAgent string   // your name for the crawler, in front of the User-Agent
	Version   string   // of sluice, for the User-Agent
	Proxies   fetch.Proxies
	Auth      string            // path of a file of credentials; the folder keeps the path alone; "": none
	Sites     string            // folder of what is known of sites, for a structured crawl; "": sitefolder.Default
	Transport http.RoundTripper // answers in place of the network; nil: the network does

	Browser      string // that renders pages, where the topic has some rendered: a path, "" for the first found, or NoBrowser
	BrowserIfAny bool   // where none is installed, the crawl goes without

	Delay         time.Duration // between fetches on one host; below 0 it is left open: DefaultDelay
	MaxOutage     time.Duration // the run ends when nothing has answered for so long; 0: DefaultOutage
	Workers       int           // hosts at a time; 0: DefaultWorkers
	Lanes         int           // 0: exact priority order
	Scope         *limits.Scope // nil: the topic's; what else is left open is as the crawl was started, in a new one the mode is domain
	limits.Limits               // what is open is the topic's
	RandomSeed    uint64        // 0: not reproducible
	Archive       string        // what the archive holds, corpus.ArchiveKept and its kin; "": as the topic says, or all
	Resume        bool          // continue the crawl in Dir, or start it if there is none
	Refresh       bool          // look at the pages of the crawl in Dir again
	Revisit       string        // of a refresh: see limits.Revisits
	OlderThan     time.Duration // of a refresh: leave pages that were fetched later; 0: none
	Log           *slog.Logger

	turn    turn
	secrets *credentials.Set
}

// Errors of a Spec. They are the caller's mistake, not a failure.
var (
	ErrNoContact = plan.ErrNoContact
	ErrExists    = errors.New("the folder holds a crawl already")
	ErrNoCrawl   = errors.New("the folder holds no crawl")
	ErrOther     = errors.New("the folder holds another crawl")
	ErrForeign   = errors.New("the folder holds a file that the crawl would replace with its topic")
	ErrBrowser   = errors.New("no browser")
	ErrSeeds     = plan.ErrSeeds
	ErrBadURL    = errors.New("bad URL")
	ErrAuth      = errors.New("bad credentials")
	ErrProxy     = errors.New("the proxy is missing")
)

// version names the topic by its content.
func (s *Spec) version() string { return plan.TopicVersion(s.Topic) }

// seeds parses the seeds, all problems at once.
func (s *Spec) seeds() ([]urlnorm.URL, error) { return plan.Seeds(s.Seeds, s.Topic) }

// params is the crawl as both places to run plan it.
func (s *Spec) params(seeds []urlnorm.URL) *plan.Params {
	return &plan.Params{
		Topic: s.Topic, Seeds: seeds,
		Scope: s.Scope, Limits: s.Limits, Delay: s.Delay, RandomSeed: s.RandomSeed, Archive: s.Archive, Contact: s.Contact, UserAgent: s.UserAgent,
		Hold: s.RandomSeed == 0,
	}
}

// manners say who asks. Inside addresses are asked only where the user names
// them as seeds.
func (s *Spec) manners(seeds []urlnorm.URL) plan.Manners {
	return plan.Manners{Contact: s.Contact, Name: s.UserAgent, Version: s.Version, Proxies: s.Proxies, Transport: s.Transport, Secrets: s.secrets, Inside: plan.Inside(seeds)}
}
