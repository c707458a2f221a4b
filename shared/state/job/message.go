package job

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"sluice/shared/fault"
	"sluice/shared/state/limits"
)

// Message asks a stack to start a crawl, or to add seeds to an existing one.
// ParseMessage reads it, Encode writes it.
type Message struct {
	Crawl string   // "" for a bare URL, whose crawl the stack may know
	Topic string   // key of the topic's object; "" adds Seeds to a crawl that exists
	Seeds []string // canonical, distinct, in their order; a start without any takes the topic's

	// The other fields are only for a start. 0 means the default.
	Scope *limits.Scope
	limits.Limits
	MaxCost    float64        // dollars
	Delay      *time.Duration // nil: the stack's
	Contact    string
	UserAgent  string
	RandomSeed uint64
	Archive    string        // "": the topic's, or corpus.ArchiveAll
	RefreshOf  string        // crawl whose pages are refreshed
	Revisit    string        // see limits.Revisits
	OlderThan  time.Duration // pages fetched later are left as they are; 0: none is
}

// Defaults are the stack's values for a crawl whose message has none.
type Defaults struct {
	MaxPages int // 0: the topic's
	Delay    time.Duration
	Contact  string
	Now      time.Time // when the crawl is created
}

// Job returns the crawl that the message starts, running. The error wraps
// ErrBadMessage: the message starts no crawl, or one that is too large.
func (m *Message) Job(d Defaults) (*Job, error) {
	if m.Topic == "" {
		return nil, bad(errors.New("it names no topic, so it starts no crawl"))
	}
	j := &Job{
		V: version, ID: m.Crawl, Topic: m.Topic, Seeds: slices.Clone(m.Seeds),
		Limits: m.Or(limits.Limits{MaxPages: d.MaxPages}), MaxCost: m.MaxCost,
		Delay: d.Delay, Contact: cmp.Or(m.Contact, d.Contact), UserAgent: m.UserAgent, RandomSeed: m.RandomSeed, Archive: m.Archive,
		State: Running, Created: d.Now, Updated: d.Now,
	}
	if m.Scope != nil {
		j.Scope = &limits.Scope{Mode: m.Scope.Mode, Allow: slices.Clone(m.Scope.Allow), Deny: slices.Clone(m.Scope.Deny)}
	}
	if m.MaxDuration > 0 {
		j.Deadline = d.Now.Add(m.MaxDuration)
	}
	if m.Delay != nil {
		j.Delay = *m.Delay
	}
	if m.RefreshOf != "" {
		j.RefreshOf = []string{m.RefreshOf}
	}
	j.Revisits = limits.RevisitsFrom(m.Revisit, m.OlderThan, d.Now)
	if err := j.Validate(); err != nil {
		return nil, bad(err)
	}
	return j, nil
}

// bad classifies the error of a message: no retry helps.
func bad(err error) error {
	return fault.New(fault.Poison, "bad_message", fmt.Errorf("%w: %w", ErrBadMessage, err))
}

// wire is the JSON of a Message.
type wire struct {
	V     int           `json:"v"`
	Crawl string        `json:"crawl"`
	Topic string        `json:"topic,omitempty"`
	Seeds []string      `json:"seeds,omitempty"`
	Scope *limits.Scope `json:"scope,omitempty"`
	limits.Limits
	MaxDuration string  `json:"max_duration,omitempty"`
	MaxCost     float64 `json:"max_cost,omitempty"`
	Delay       string  `json:"delay,omitempty"`
	Contact     string  `json:"contact,omitempty"`
	UserAgent   string  `json:"user_agent,omitempty"`
	RandomSeed  uint64  `json:"random_seed,omitempty"`
	Archive     string  `json:"archive,omitempty"`
	RefreshOf   string  `json:"refresh_of,omitempty"`
	Revisit     string  `json:"revisit,omitempty"`
	OlderThan   string  `json:"older_than,omitempty"`
}

// Encode returns the body to send, or the error with which ParseMessage would
// refuse it.
func (m *Message) Encode() ([]byte, error) {
	w := wire{
		V: version, Crawl: m.Crawl, Topic: m.Topic, Seeds: m.Seeds, Scope: m.Scope,
		Limits: m.Limits, MaxCost: m.MaxCost, Contact: m.Contact, UserAgent: m.UserAgent, RandomSeed: m.RandomSeed, Archive: m.Archive, RefreshOf: m.RefreshOf, Revisit: m.Revisit,
	}
	if m.MaxDuration != 0 {
		w.MaxDuration = m.MaxDuration.String()
	}
	if m.OlderThan != 0 {
		w.OlderThan = m.OlderThan.String()
	}
	if m.Delay != nil {
		w.Delay = m.Delay.String()
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(w); err != nil {
		return nil, bad(err) // a cost that is not a number
	}
	body := bytes.TrimSpace(b.Bytes())
	if _, err := ParseMessage(body); err != nil {
		return nil, err
	}
	return body, nil
}
