package console

import "time"

// Health is what is wrong with a stack itself.
type Health struct {
	Alarms []Alarm         `json:"alarms"` // that ring
	Errors []FunctionError `json:"errors"` // the last one of each function within a day
	Unread []string        `json:"unread,omitempty"`
}

// Alarm is one that rings.
type Alarm struct {
	Name  string    `json:"alarm"`
	Why   string    `json:"description"`
	Since time.Time `json:"since"`
}

// FunctionError is an error in the log of a function.
type FunctionError struct {
	Function string    `json:"function"` // seed … keeper
	At       time.Time `json:"at"`
	Message  string    `json:"message"`
}
