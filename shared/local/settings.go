package local

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/state/corpus"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
	"sluice/shared/web/credentials"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

// settings is what a folder remembers of the Spec its crawl was last run with.
type settings struct {
	Crawl        string        `json:"crawl"`
	Topic        string        `json:"topic"`
	TopicVersion string        `json:"topic_version"`
	Strategy     string        `json:"strategy,omitempty"` // "": see topic.Compiled.As
	Seeds        []string      `json:"seeds"`
	RandomSeed   uint64        `json:"random_seed"`
	Archive      string        `json:"archive,omitempty"` // "": corpus.ArchiveKept, which an older program wrote
	Contact      string        `json:"contact"`
	UserAgent    string        `json:"user_agent,omitempty"`
	Proxy        string        `json:"proxy"`                  // URLs, with a space between them
	SecretProxy  bool          `json:"secret_proxy,omitempty"` // there were proxies, of which one has a password
	Auth         string        `json:"auth,omitempty"`         // path of the file
	Browser      string        `json:"browser,omitempty"`
	Sites        string        `json:"sites,omitempty"`
	Delay        time.Duration `json:"delay"`
	limits.Limits
	Scope *limits.Scope `json:"scope,omitempty"`

	// Budgets of the last run, those of the topic included.
	Pages    int       `json:"pages,omitempty"`   // 0: an older program wrote the folder
	Deadline time.Time `json:"deadline,omitzero"` // zero: none
	turn
}

// archive is Archive, said.
func (s *settings) archive() string { return cmp.Or(s.Archive, corpus.ArchiveKept) }

// complete completes the Spec: from the folder's settings where there is a
// crawl to continue, else by the defaults.
func (s *Spec) complete(ctx context.Context) error {
	f, err := OpenFolder(ctx, s.Dir)
	switch {
	case errors.Is(err, ErrNoCrawl):
		// A crawl that was killed before it began is started like a new one.
		if s.Refresh {
			return fmt.Errorf("%w: %s, so there is nothing to refresh", ErrNoCrawl, s.Dir)
		}
		if s.Topic == nil {
			return fmt.Errorf("%w: %s, so a topic is needed to start one", ErrNoCrawl, s.Dir)
		}
		if err := s.checkRoom(); err != nil {
			return err
		}
		s.Scope = over(s.Scope, limits.Scope{Mode: urlnorm.ModeDomain})
		s.Archive = cmp.Or(s.Archive, s.Topic.File.Archive, corpus.ArchiveAll)
	case err != nil:
		return err
	case !s.Resume && !s.Refresh:
		return errors.Join(fmt.Errorf("%w: %s (continue with --resume, look for changes with --refresh, or name another --out)", ErrExists, s.Dir), f.Close())
	default:
		if err := errors.Join(s.adopt(&f.set), f.Close()); err != nil {
			return err
		}
	}
	if s.Delay < 0 {
		s.Delay = DefaultDelay
	}
	s.Workers, s.MaxOutage = cmp.Or(s.Workers, DefaultWorkers), cmp.Or(s.MaxOutage, DefaultOutage)
	return s.readAuth()
}

// readAuth reads the file of credentials.
func (s *Spec) readAuth() error {
	if s.Auth == "" {
		return nil
	}
	data, err := os.ReadFile(s.Auth)
	if err == nil {
		s.secrets, err = credentials.Parse(s.Auth, data)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAuth, err)
	}
	return nil
}

// adopt takes over what the Spec leaves open, and refuses what would make
// another crawl of it: its pages would not belong together.
func (s *Spec) adopt(set *settings) error {
	if s.Topic == nil {
		if err := s.adoptTopic(); err != nil {
			return err
		}
	}
	s.Topic = s.Topic.As(set.Strategy)
	if len(s.Seeds) == 0 {
		s.Seeds = set.Seeds
	}
	s.RandomSeed = cmp.Or(s.RandomSeed, set.RandomSeed)
	s.Archive = cmp.Or(s.Archive, set.archive())
	s.Contact = cmp.Or(s.Contact, set.Contact)
	s.UserAgent = cmp.Or(s.UserAgent, set.UserAgent)
	s.Auth = cmp.Or(s.Auth, set.Auth)
	s.Browser = cmp.Or(s.Browser, set.Browser)
	s.Sites = cmp.Or(s.Sites, set.Sites)
	s.Limits = s.Or(set.Limits)
	if s.Scope == nil {
		s.Scope = set.Scope
	} else {
		s.Scope = over(s.Scope, *cmp.Or(set.Scope, &s.Topic.File.Scope.Scope))
	}
	if s.Proxies == nil {
		if set.SecretProxy {
			return fmt.Errorf("%w: %s was crawled through one with a password, which the folder does not keep: name it again with --proxy", ErrProxy, s.Dir)
		}
		var err error
		if s.Proxies, err = fetch.ParseProxies(strings.Fields(set.Proxy)...); err != nil {
			return fmt.Errorf("read settings: proxy %w", err)
		}
	}
	if s.Delay < 0 {
		s.Delay = set.Delay
	}
	s.turn = set.turn
	seeds, err := s.seeds()
	if err != nil {
		return err
	}
	differs := func(what string, have, want any) error {
		return fmt.Errorf("%w: %s was started with %s %v, not %v", ErrOther, s.Dir, what, have, want)
	}
	names := plan.Names(seeds)
	switch {
	case set.TopicVersion != s.version():
		return differs("topic", set.Topic+" "+set.TopicVersion, s.Topic.File.Name+" "+s.version())
	case !slices.Equal(set.Seeds, names):
		return differs("seeds", set.Seeds, names)
	case set.RandomSeed != s.RandomSeed:
		return differs("random seed", set.RandomSeed, s.RandomSeed)
	}
	return nil
}

// over returns a scope with the parts that are open as they are in another; nil
// stays nil.
func over(s *limits.Scope, other limits.Scope) *limits.Scope {
	if s == nil {
		return nil
	}
	return new(s.Or(other))
}

// adoptTopic reads the topic that the folder keeps.
func (s *Spec) adoptTopic() (err error) {
	path := TopicPath(s.Dir)
	if s.Source, err = topic.ReadSource(path); err == nil {
		s.Topic, err = topic.Read(path, s.Source)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, topic.ErrSegmenter), errors.Is(err, topic.ErrVersion):
		return fmt.Errorf("read the crawl's topic: continue with the sluice that began the crawl, or begin a crawl in another --out: %w", err)
	}
	return fmt.Errorf("read the crawl's topic: name the one it was started with by --topic: %w", err)
}

// checkRoom refuses to start a crawl where its copy of the topic would replace
// a file that no crawl put there.
func (s *Spec) checkRoom() error {
	if _, err := os.Stat(filepath.Join(s.Dir, StateFile)); err == nil {
		return nil // a crawl that never began left what is there
	}
	for _, name := range []string{TopicFile, ArtifactFile} {
		path := filepath.Join(s.Dir, name)
		held, err := topic.ReadSource(path)
		same := err == nil && name == s.topicName() && bytes.Equal(held, s.Source)
		if !same && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%w: %s (move it, or name another --out)", ErrForeign, path)
		}
	}
	return nil
}

// topicName is the name of the copy of the topic.
func (s *Spec) topicName() string {
	if topic.IsArtifact(s.Source) {
		return ArtifactFile
	}
	return TopicFile
}

// TopicPath returns where the crawl in a folder keeps its topic, a topic file or
// an artifact.
func TopicPath(dir string) string {
	path := filepath.Join(dir, ArtifactFile)
	if _, err := os.Stat(path); err != nil {
		return filepath.Join(dir, TopicFile)
	}
	return path
}

// keepTopic copies the topic into the folder, in place of one that a crawl left
// there which never began.
func (s *Spec) keepTopic() error {
	name, other := s.topicName(), ArtifactFile
	if name == other {
		other = TopicFile
	}
	if err := os.WriteFile(filepath.Join(s.Dir, name), s.Source, 0o644); err != nil {
		return fmt.Errorf("keep topic: %w", err)
	}
	if err := os.Remove(filepath.Join(s.Dir, other)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove old topic: %w", err)
	}
	return nil
}

// keepSettings notes how the crawl is run, for the next run to continue, and
// after the topic: settings mean that the folder is complete.
func (c *Crawl) keepSettings(ctx context.Context) error {
	seeds, err := c.spec.seeds()
	if err != nil {
		return err
	}
	set := settings{
		Crawl: c.id, Topic: c.spec.Topic.File.Name, TopicVersion: c.spec.version(), Strategy: c.spec.Topic.File.Strategy, Seeds: plan.Names(seeds),
		RandomSeed: c.spec.RandomSeed, Archive: c.spec.Archive, Contact: c.spec.Contact, UserAgent: c.spec.UserAgent, Auth: c.spec.Auth, Browser: c.spec.Browser, Delay: c.spec.Delay, Sites: c.spec.Sites,
		Limits: c.spec.Limits, Scope: c.spec.Scope, turn: c.spec.turn,
	}
	set.Pages = c.maxPages()
	if d := c.MaxDuration(); d > 0 {
		set.Deadline = c.begun.Add(d).UTC()
	}
	set.Proxy = c.spec.Proxies.Open()
	set.SecretProxy = len(c.spec.Proxies) > 0 && set.Proxy == ""
	b, err := json.Marshal(set)
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}
	if _, ok, err := c.store.Meta(ctx, settingsKey); err != nil {
		return fmt.Errorf("read settings: %w", err)
	} else if !ok {
		if err := c.spec.keepTopic(); err != nil {
			return err
		}
	}
	if err := c.store.SetMeta(ctx, settingsKey, string(b)); err != nil {
		return fmt.Errorf("keep settings: %w", err)
	}
	return nil
}
