// Package job defines one crawl of a stack: its topic, scope and budgets, its
// state, the message that starts it, and the port of the registry shared by all
// functions and the command line.
package job

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"strings"
	"time"
	"unicode"

	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/state/limits"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

// version is the version of stored jobs and of start messages.
const version = 1

// Limits of a Job. A stored job is smaller than 400 KB, the maximum of a
// DynamoDB item.
const (
	MaxSeeds = 10_000
	MaxBytes = 320 << 10 // as JSON

	// MaxRefreshed is how far a refresh looks back: each crawl costs a read of
	// the URLs that no newer one has kept.
	MaxRefreshed = 100

	maxKey   = 1_024 // bytes of an object's key
	maxDelay = 24 * time.Hour
	maxCost  = 1e6
)

// topicFolder is the folder of a stack's topics.
const topicFolder = "topics/"

// Job is one crawl. Its JSON keys are stable; durations are whole milliseconds
// (delay_ms) and seconds (max_duration_s).
type Job struct {
	V     int           `json:"v"`
	ID    string        `json:"id"`
	Topic string        `json:"topic"`           // key in the stack's bucket: "topics/finance.topic"
	Seeds []string      `json:"seeds,omitempty"` // canonical; those it was started with, and of later ones the first of each new host: they define the scope; none: the topic's
	Scope *limits.Scope `json:"scope,omitempty"` // nil: the topic's

	limits.Limits           // the topic's if unset
	Deadline      time.Time `json:"deadline,omitzero"`  // zero: none
	MaxCost       float64   `json:"max_cost,omitempty"` // dollars; 0: no limit

	// Thresholds replace those of the topic while the crawl runs (METHOD B3);
	// nil: the topic's.
	Thresholds *Thresholds `json:"thresholds,omitempty"`

	Delay      time.Duration `json:"-"` // between two fetches on a host
	Contact    string        `json:"contact,omitempty"`
	UserAgent  string        `json:"user_agent,omitempty"`  // the operator's name for the crawler
	RandomSeed uint64        `json:"random_seed,omitempty"` // 0: not reproducible
	Archive    string        `json:"archive,omitempty"`     // what its archive holds; "": it was begun when that was corpus.ArchiveKept
	Strategy   string        `json:"strategy,omitempty"`    // that it was begun with; "": see topic.Compiled.As

	// RefreshOf are the crawls whose pages this one refreshes, newest first;
	// none: it is a crawl from scratch.
	RefreshOf []string `json:"refresh_of,omitempty"`
	limits.Revisits

	BadSeeds map[string]BadSeeds `json:"bad_seeds,omitempty"` // by the key of an object under seeds/

	Forgotten *forget.List `json:"forgotten,omitempty"` // never fetched again; nil: none

	Round  int      `json:"round,omitempty"` // see frontier.Backlog
	State  State    `json:"state"`
	Reason string   `json:"reason,omitempty"` // why it is stopped or done
	Quiet  int      `json:"quiet,omitempty"`  // consecutive looks at which nothing was outstanding
	Spent  *Budgets `json:"spent,omitempty"`  // the budgets with which it was done

	Order  *Order  `json:"order,omitempty"`  // nil: all links are equal, or the crawl goes in rounds
	Tuning *Tuning `json:"tuning,omitempty"` // nil: the strategy does not adapt, or the crawl goes in rounds

	Holds bool `json:"holds,omitempty"` // pages that their texts keep out are judged again at the end (set by package plan)
	Look  Look `json:"look,omitzero"`

	Structured bool    `json:"structured,omitempty"` // its topic is a site template
	Records    Records `json:"records,omitzero"`     // of a structured crawl that has ended; nil: they are not asked for yet

	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`  // by the registry
	Revision int64     `json:"revision"` // by the registry: 1 for a new one, then one more with each change
}

// BadSeeds are the lines of an object that are no seeds.
type BadSeeds struct {
	Lines int    `json:"lines"`
	First string `json:"first"` // which one, and what is wrong with it
}

// mostBadSeeds is how many objects a job notes.
const mostBadSeeds = 20

// NoteSeeds notes the lines of an object that are no seeds, or that there are
// none. Once many objects are noted, others are not.
func (j *Job) NoteSeeds(key string, bad BadSeeds) {
	noted := maps.Clone(j.BadSeeds)
	delete(noted, key)
	if bad.Lines > 0 && len(noted) < mostBadSeeds {
		if noted == nil {
			noted = map[string]BadSeeds{}
		}
		noted[key] = bad
	}
	j.BadSeeds = noted
}

// Thresholds are those of a topic.
type Thresholds struct {
	Description float64 `json:"description"`
	Priority    float64 `json:"priority"`
	Body        float64 `json:"body"`
	Anchor      float64 `json:"anchor"`
}

// check refuses thresholds that no topic can have.
func (t *Thresholds) check() error {
	if t == nil {
		return nil
	}
	return errors.Join(
		within("thresholds.description", t.Description, math.MaxFloat64),
		within("thresholds.priority", t.Priority, math.MaxFloat64),
		within("thresholds.body", t.Body, math.MaxFloat64),
		within("thresholds.anchor", t.Anchor, math.MaxFloat64))
}

// Budgets are those of a crawl that can be raised when they are spent.
type Budgets struct {
	MaxPages int       `json:"max_pages,omitempty"`
	Deadline time.Time `json:"deadline,omitzero"`
	MaxCost  float64   `json:"max_cost,omitempty"`
}

// CheckID refuses an invalid crawl id. A valid one has 1 to 63 lower-case
// letters, digits and hyphens, and does not begin with a hyphen. It is safe in
// keys, prefixes and file names.
func CheckID(id string) error {
	ok := 1 <= len(id) && len(id) <= 63 && id[0] != '-'
	for i := 0; ok && i < len(id); i++ {
		c := id[i]
		ok = 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-'
	}
	if !ok {
		return fmt.Errorf("crawl is %q: want 1 to 63 lower-case letters, digits and hyphens, no hyphen first", clip(id))
	}
	return nil
}

// Validate reports all that is wrong with j. A registry stores no other jobs.
func (j *Job) Validate() error {
	var problems []error
	if j.V != version {
		problems = append(problems, fmt.Errorf("version %d, want %d", j.V, version))
	}
	problems = append(problems, CheckID(j.ID), checkTopic(j.Topic), checkContact(j.Contact), checkUserAgent(j.UserAgent))
	problems = append(problems, checkSeeds(j.Seeds)...)
	problems = append(problems, j.checkRefreshed()...)
	if j.Scope != nil {
		problems = append(problems, j.Scope.Check())
	}
	problems = append(problems,
		j.CheckLimits(nil),
		j.checkArchive(),
		within("delay", j.Delay, maxDelay),
		within("max_cost", j.MaxCost, maxCost),
		j.Thresholds.check(),
		j.Order.check(),
		within("round", j.Round, math.MaxInt),
		within("quiet", j.Quiet, math.MaxInt),
		j.checkState())
	if err := errors.Join(problems...); err != nil {
		return err
	}
	given := *j // what a crawl notes of itself must not make it too large to be noted
	given.Tuning, given.Thresholds, given.Spent, given.Quiet, given.Reason, given.Records, given.BadSeeds, given.Look = nil, nil, nil, 0, "", nil, nil, Look{}
	b, err := given.MarshalJSON()
	if err != nil {
		return fmt.Errorf("encode crawl: %w", err)
	}
	if len(b) > MaxBytes {
		return fmt.Errorf("%d bytes as JSON, at most %d: start it with fewer seeds and put the others under seeds/%s/", len(b), MaxBytes, j.ID)
	}
	return nil
}

// Refreshed are the crawls that a refresh of j covers: j itself and those that
// it refreshes, newest first.
func (j *Job) Refreshed() []string {
	ids := append([]string{j.ID}, j.RefreshOf...)
	return ids[:min(len(ids), MaxRefreshed)]
}

// Age is how long ago pages were fetched that a refresh fetches again; 0: any time.
func (j *Job) Age() time.Duration {
	if j.Since.IsZero() {
		return 0
	}
	return j.Created.Sub(j.Since)
}

// checkRefreshed returns the problems of the crawls that j refreshes.
func (j *Job) checkRefreshed() []error {
	if len(j.RefreshOf) == 0 && j.Bounded() {
		return []error{errors.New("older_than and revisit are for a refresh: refresh_of names what it refreshes")}
	}
	if err := limits.CheckRevisits(j.Revisit, j.Age(), "older_than", "revisit"); err != nil {
		return []error{err}
	}
	if n := len(j.RefreshOf); n > MaxRefreshed {
		return []error{fmt.Errorf("refreshes %d crawls, at most %d", n, MaxRefreshed)}
	}
	var problems []error
	seen := map[string]bool{j.ID: true}
	for _, id := range j.RefreshOf {
		if seen[id] {
			problems = append(problems, fmt.Errorf("refresh_of: crawl %q is repeated, or refreshes itself", clip(id)))
		}
		seen[id] = true
		if err := CheckID(id); err != nil {
			problems = append(problems, fmt.Errorf("refresh_of: %w", err))
		}
	}
	return problems
}

// checkSeeds returns the problems of the seeds, up to one each.
func checkSeeds(seeds []string) []error {
	if len(seeds) > MaxSeeds {
		return []error{fmt.Errorf("%d seeds, at most %d", len(seeds), MaxSeeds)}
	}
	var problems []error
	for i, s := range seeds {
		u, err := urlnorm.Parse(s)
		if err == nil && u.String() != s {
			err = fmt.Errorf("%q is not in canonical form (%s)", clip(s), u)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("seeds[%d]: %w", i, err))
		}
	}
	return problems
}

func (j *Job) checkArchive() error {
	if j.Archive == "" {
		return nil
	}
	return checkArchive(j.Archive)
}

// checkArchive refuses invalid values of archive.
func checkArchive(archive string) error {
	if err := corpus.CheckArchive(archive); err != nil {
		return fmt.Errorf("archive is %q: %w", clip(archive), err)
	}
	return nil
}

// checkTopic refuses invalid keys of a topic.
func checkTopic(key string) error {
	name, ok := strings.CutPrefix(key, topicFolder)
	if !ok || !fs.ValidPath(name) || name == "." || len(key) > maxKey || strings.ContainsFunc(key, unicode.IsControl) {
		return fmt.Errorf("topic is %q: want the key of an object under %s, such as topics/finance.topic", clip(key), topicFolder)
	}
	return nil
}

// checkContact refuses contacts that a User-Agent cannot contain.
func checkContact(contact string) error {
	_, err := fetch.UserAgent("", "0", contact)
	return err
}

// checkUserAgent refuses names that a User-Agent cannot begin with.
func checkUserAgent(name string) error {
	if err := fetch.CheckName(name); err != nil {
		return fmt.Errorf("user_agent is %q: %w", clip(name), err)
	}
	return nil
}

// within refuses a number that is negative, too large, or NaN.
func within[N int | float64 | time.Duration](what string, n, most N) error {
	if n >= 0 && n <= most {
		return nil
	}
	return fmt.Errorf("%s is %v: want 0 to %v", what, n, most)
}

// clip shortens a quotation.
func clip(text string) string { return fault.Clip(text, 60) }
