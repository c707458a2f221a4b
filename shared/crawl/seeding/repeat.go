package seeding

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/shared/state/job"
)

// Repeats compares a start message with the crawl of its name. It returns nil
// if they agree, as for a second delivery, and else the differences. Settings
// that the message does not have, and seeds, which are added, do not differ.
func Repeats(m *job.Message, j *job.Job) error {
	var d differences
	add(&d, "topic", m.Topic, j.Topic)
	if m.Scope != nil && !m.Scope.Equal(j.Scope) {
		d = append(d, "another scope")
	}
	given(&d, "max_pages", m.MaxPages, j.MaxPages)
	given(&d, "max_pages_per_host", m.MaxPagesPerHost, j.MaxPagesPerHost)
	given(&d, "max_depth", m.MaxDepth, j.MaxDepth)
	given(&d, "max_duration", up(m.MaxDuration, time.Second), up(j.MaxDuration, time.Second))
	given(&d, "overrides", strings.Join(m.Overrides, ", "), strings.Join(j.Overrides, ", "))
	given(&d, "max_cost", m.MaxCost, j.MaxCost)
	if m.Delay != nil {
		add(&d, "delay", up(*m.Delay, time.Millisecond), up(j.Delay, time.Millisecond))
	}
	given(&d, "contact", m.Contact, j.Contact)
	given(&d, "user_agent", m.UserAgent, j.UserAgent)
	given(&d, "random_seed", m.RandomSeed, j.RandomSeed)
	given(&d, "archive", m.Archive, j.Archive)
	if of := m.RefreshOf; of != "" && !slices.Contains(j.RefreshOf, of) {
		d = append(d, "no refresh of "+of)
	}
	given(&d, "revisit", m.Revisit, j.Revisit)
	given(&d, "older_than", m.OlderThan, j.Age())
	if len(d) == 0 {
		return nil
	}
	return fmt.Errorf("crawl %q is there already, with %s: leave the topic out to add seeds, or change it with sluice resume", j.ID, strings.Join(d, ", "))
}

// differences are the settings of a crawl that a message contradicts.
type differences []string

// given compares a setting of a message; its zero value is not set.
func given[V comparable](d *differences, key string, asked, has V) {
	var open V
	if asked != open {
		add(d, key, asked, has)
	}
}

func add[V comparable](d *differences, key string, asked, has V) {
	if asked != has {
		*d = append(*d, fmt.Sprintf("%s %v, not %v", key, has, asked))
	}
}

// up rounds a time up, as a registry does that stores it.
func up(d, unit time.Duration) time.Duration { return (d + unit - 1) / unit * unit }
