// Package limits defines the limits of a crawl: its budgets and its scope.
// Topic files, start messages, flags, plans and stored crawls share these
// types.
package limits

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The greatest values.
const (
	MaxPages    = 1_000_000_000
	MaxDepth    = 1_000
	MaxDuration = 10 * 365 * 24 * time.Hour
	MaxEntries  = 1_000 // of each list of a scope
)

// Limits are the budgets of a crawl. 0 means unset: flags override the start
// message, and that the topic file.
type Limits struct {
	MaxPages        int           `json:"max_pages,omitempty"`          // pages fetched
	MaxPagesPerHost int           `json:"max_pages_per_host,omitempty"` // pages fetched of one host
	MaxDepth        int           `json:"max_depth,omitempty"`          // links from a seed
	MaxDuration     time.Duration `json:"max_duration,omitempty"`       // nanoseconds in JSON, unless it is shadowed
	Overrides       []string      `json:"overrides,omitempty"`          // for some URLs, the first that fits; see ParseOverride
}

// Default returns the budgets of a topic file that names none.
func Default() Limits { return Limits{MaxPages: 10_000, MaxDepth: 50} }

// Or returns l with unset values taken from other.
func (l Limits) Or(other Limits) Limits {
	overrides := l.Overrides
	if len(overrides) == 0 {
		overrides = other.Overrides
	}
	return Limits{
		MaxPages:        cmp.Or(l.MaxPages, other.MaxPages),
		MaxPagesPerHost: cmp.Or(l.MaxPagesPerHost, other.MaxPagesPerHost),
		MaxDepth:        cmp.Or(l.MaxDepth, other.MaxDepth),
		MaxDuration:     cmp.Or(l.MaxDuration, other.MaxDuration),
		Overrides:       overrides,
	}
}

// Setting is a limit and its value.
type Setting struct {
	Key   string
	Value fmt.Stringer
}

// Given returns the limits that are not left open.
func (l Limits) Given() []Setting {
	var given []Setting
	for _, n := range l.numbers() {
		if n.value != 0 {
			given = append(given, Setting{n.key, n})
		}
	}
	if len(l.Overrides) > 0 {
		given = append(given, Setting{"overrides", list(l.Overrides)})
	}
	return given
}

// list is entries as one text.
type list []string

func (l list) String() string { return strings.Join(l, ", ") }

// CheckLimits reports the limits that are out of range. name makes the name of
// one from its key; nil takes the key.
func (l Limits) CheckLimits(name func(key string) string) error {
	var problems []error
	for _, n := range l.numbers() {
		key := n.key
		if name != nil {
			key = name(key)
		}
		switch {
		case n.value < 0:
			problems = append(problems, fmt.Errorf("%s is %v: it must not be negative", key, n))
		case n.value > n.most:
			problems = append(problems, fmt.Errorf("%s is %v: it must be at most %v", key, n, number{value: n.most, isTime: n.isTime}))
		}
	}
	if n := len(l.Overrides); n > MaxEntries {
		return errors.Join(append(problems, fmt.Errorf("%d overrides: at most %d", n, MaxEntries))...)
	}
	_, err := ParseOverrides(l.Overrides)
	return errors.Join(append(problems, err)...)
}

// number is one of the limits.
type number struct {
	key         string
	value, most int64
	isTime      bool
}

// String returns the value; of a duration with its unit.
func (n number) String() string {
	if n.isTime {
		return time.Duration(n.value).String()
	}
	return fmt.Sprint(n.value)
}

func (l Limits) numbers() []number {
	return []number{
		{"max_pages", int64(l.MaxPages), MaxPages, false},
		{"max_pages_per_host", int64(l.MaxPagesPerHost), MaxPages, false},
		{"max_depth", int64(l.MaxDepth), MaxDepth, false},
		{"max_duration", int64(l.MaxDuration), int64(MaxDuration), true},
	}
}
