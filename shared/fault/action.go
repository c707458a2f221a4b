package fault

import "time"

// Action says how to handle a message whose work failed.
type Action int

// The actions.
const (
	Again Action = iota // it is visible again after a delay
	Bury                // it goes to the dead letters and is acknowledged
	Leave               // leave it in the queue: our own store must be repaired first
)

// Action says what to do with a message whose work ended in e, and returns the
// delay with Again. backoff is the delay for a fault without one.
func (e *Error) Action(backoff time.Duration) (Action, time.Duration) {
	switch e.Class {
	case Permanent, Poison:
		return Bury, 0
	case Broken:
		return Leave, 0
	case After:
		return Again, max(e.Delay, 0)
	}
	return Again, backoff
}
