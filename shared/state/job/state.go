package job

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// State is the state of a crawl.
type State string

// The states. Only a running crawl fetches.
const (
	Running State = "running"
	Paused  State = "paused"  // by the user, for a while
	Stopped State = "stopped" // by the user, before its end
	Done    State = "done"    // ended by itself; Job.Reason says why
)

// The reasons for which a crawl has ended. Those in max_… are budgets: raise the
// budget to resume.
const (
	ReasonFrontierEmpty = "frontier_empty"
	ReasonHostsDown     = "hosts_down"   // likewise, but for links on hosts that were down
	ReasonHarvestRate   = "harvest_rate" // the last pages brought too few documents (see Watch)
	ReasonCoverage      = "coverage"     // the last pages brought nearly nothing new (see GrowthWatch)
	ReasonMaxPages      = "max_pages"
	ReasonMaxDuration   = "max_duration" // its deadline has passed
	ReasonMaxCost       = "max_cost"
	ReasonStopped       = "stopped"
)

// endings are the reasons that Finish takes.
var endings = [...]string{ReasonFrontierEmpty, ReasonHostsDown, ReasonHarvestRate, ReasonCoverage, ReasonMaxPages, ReasonMaxDuration, ReasonMaxCost}

// maxReason limits the user's reason, in bytes.
const maxReason = 200

// StateError says that the state of a crawl does not allow an operation.
type StateError struct {
	ID     string
	Verb   string // "pause", "resume", "stop", "finish"
	State  State  // the one it is in
	Reason string // why, if it has ended
}

// Error implements error.
func (e *StateError) Error() string {
	s := fmt.Sprintf("%s crawl %s: it is %s", e.Verb, e.ID, e.State)
	if e.Reason != "" && e.Reason != string(e.State) {
		s += " (" + e.Reason + ")"
	}
	if e.Verb == "resume" && isBudget(e.Reason) {
		s += "; raise its " + e.Reason + " first"
	}
	return s
}

// isBudget reports whether a reason is a budget that was spent.
func isBudget(reason string) bool {
	return reason == ReasonMaxPages || reason == ReasonMaxDuration || reason == ReasonMaxCost
}

// Pause makes a running crawl wait.
func (j *Job) Pause() error {
	if j.State != Running {
		return j.refuse("pause")
	}
	j.enter(Paused, "")
	return nil
}

// Resume resumes a crawl that is paused or stopped, or that ended by a budget
// that has been raised since. To raise max_duration, set a later Deadline.
func (j *Job) Resume() error {
	if j.State == Paused || j.State == Stopped || j.State == Done && j.raised() {
		j.enter(Running, "")
		return nil
	}
	return j.refuse("resume")
}

// Stop ends a running or paused crawl before its end; without a reason, for
// ReasonStopped.
func (j *Job) Stop(reason string) error {
	if j.State != Running && j.State != Paused {
		return j.refuse("stop")
	}
	if len(reason) > maxReason {
		return fmt.Errorf("stop crawl %s: the reason has %d bytes, at most %d", j.ID, len(reason), maxReason)
	}
	j.enter(Stopped, cmp.Or(strings.TrimSpace(reason), ReasonStopped))
	return nil
}

// Finish ends a running or paused crawl because its frontier is empty or a
// budget is spent.
func (j *Job) Finish(reason string) error {
	if j.State != Running && j.State != Paused {
		return j.refuse("finish")
	}
	if !slices.Contains(endings[:], reason) {
		return fmt.Errorf("finish crawl %s: unknown reason %q", j.ID, clip(reason))
	}
	j.enter(Done, reason)
	j.Spent = &Budgets{MaxPages: j.MaxPages, Deadline: j.Deadline, MaxCost: j.MaxCost}
	return nil
}

// enter changes the state, and resets the data of the old one.
func (j *Job) enter(s State, reason string) {
	if j.State == Done && j.Order != nil {
		order := *j.Order
		order.Watch, order.Growth, j.Order = nil, nil, &order
	}
	j.State, j.Reason, j.Quiet, j.Spent, j.Records, j.Look.Asked = s, reason, 0, nil, nil, 0
}

func (j *Job) refuse(verb string) error {
	return &StateError{ID: j.ID, Verb: verb, State: j.State, Reason: j.Reason}
}

// raised reports whether the budget that ended the crawl is larger now. For
// pages, the topic's own budget (0) counts as larger than any number; if it is
// not, the crawl soon ends again.
func (j *Job) raised() bool {
	was := j.Spent
	if was == nil {
		return false
	}
	switch j.Reason {
	case ReasonMaxPages:
		return j.MaxPages != was.MaxPages && (j.MaxPages == 0 || was.MaxPages == 0 || j.MaxPages > was.MaxPages)
	case ReasonMaxDuration:
		return j.Deadline.IsZero() || j.Deadline.After(was.Deadline)
	case ReasonMaxCost:
		return j.MaxCost == 0 || j.MaxCost > was.MaxCost
	}
	return false
}

// checkState refuses a state that no transition leads to.
func (j *Job) checkState() error {
	known := j.Reason == ""
	switch j.State {
	case Running, Paused:
	case Stopped:
		known = j.Reason != "" && len(j.Reason) <= maxReason
	case Done:
		known = slices.Contains(endings[:], j.Reason)
	default:
		return fmt.Errorf("unknown state %q", clip(string(j.State)))
	}
	if !known {
		return fmt.Errorf("state %s has the reason %q", j.State, clip(j.Reason))
	}
	return nil
}
