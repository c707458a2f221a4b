// Package fault classifies the errors of a crawl by whether, and when, to try
// again.
//
// Adapters classify foreign errors when they translate them; the edges (the
// local engine, the Lambda handlers) act only on the class.
package fault

import (
	"context"
	"errors"
	"time"
)

// Class says how to handle an error.
type Class int

// The classes, from the most to the least hopeful. The zero value is Retryable:
// an unclassified error is retried, up to its task's attempts.
const (
	Retryable Class = iota // may pass by itself: retry with backoff
	After                  // will pass after a known delay
	Permanent              // a retry would give the same answer: record it and continue
	Poison                 // the input breaks the code: set it aside
	Broken                 // our own store or disk fails: stop, no task is to blame
)

// String returns the class as logs and records spell it.
func (c Class) String() string {
	switch c {
	case Retryable:
		return "retryable"
	case After:
		return "retry_after"
	case Permanent:
		return "permanent"
	case Poison:
		return "poison"
	case Broken:
		return "broken"
	}
	return "unknown"
}

// Error is a classified error. Rule is the short stable name that rejects,
// dead letters and reports carry ("timeout", "robots", "http_404").
type Error struct {
	Class Class
	Rule  string
	Delay time.Duration // with After: how long to wait
	Err   error
}

// Error returns the rule and the cause.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Rule
	}
	return e.Rule + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New classifies err under a rule.
func New(class Class, rule string, err error) *Error {
	return &Error{Class: class, Rule: rule, Err: err}
}

// NewAfter classifies err as passing after d.
func NewAfter(d time.Duration, rule string, err error) *Error {
	return &Error{Class: After, Rule: rule, Delay: d, Err: err}
}

// Of returns the classification of err: the outermost Error in its chain,
// else Retryable with the rule "error" ("canceled" when the context ended).
// Of(nil) is nil.
func Of(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) {
		return &Error{Class: Retryable, Rule: "canceled", Err: err}
	}
	return &Error{Class: Retryable, Rule: "error", Err: err}
}
