//go:build linux

package lambdahost

import (
	"time"
)

// Result is the outcome of an invocation.
type Result struct {
	RequestID string
	Payload   []byte         // the function's answer; nil with Error
	Error     *FunctionError // nil: the function succeeded

	Cold     bool
	Init     time.Duration // from the start of the process to its first request for an event; zero if not Cold
	Duration time.Duration // from the event to the request for the next one, or to the end
	Billed   time.Duration // Init and Duration, rounded up to a millisecond

	// PeakRSS is the largest memory the process has had resident since it
	// started, in bytes; zero if it had ended before it could be read.
	PeakRSS int64

	// Processor is the time that the process has had on processors since the last
	// invocation; zero as above.
	Processor time.Duration
}

// bill sets Billed. Lambda bills the initialisation of custom runtimes.
func (r *Result) bill() {
	sum := r.Init + r.Duration
	r.Billed = sum.Truncate(time.Millisecond)
	if r.Billed < sum {
		r.Billed += time.Millisecond
	}
}

// FunctionError is an error that a function reported, or that Lambda reports
// of it: Runtime.ExitError when its process ended, Sandbox.Timedout at the
// timeout, Function.ResponseSizeTooLarge above maxResponse.
type FunctionError struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
}

// Error implements error.
func (e *FunctionError) Error() string { return e.Type + ": " + e.Message }

// Usage is the usage of a function.
type Usage struct {
	Invocations    int // also those that failed; without Throttles
	Errors         int // invocations with a FunctionError or without a result
	ColdStarts     int
	Throttles      int
	Billed         time.Duration
	GBSeconds      float64 // Billed × memory
	MaxConcurrency int     // invocations at a time
	PeakRSS        int64   // of any of its processes, in bytes
	Processor      time.Duration
}

func (u *Usage) add(res *Result, err error, memoryMB int) {
	if err != nil || res.Error != nil {
		u.Errors++
	}
	if res.Cold {
		u.ColdStarts++
	}
	u.Billed += res.Billed
	u.GBSeconds = gbSeconds(u.Billed, memoryMB)
	u.PeakRSS = max(u.PeakRSS, res.PeakRSS)
	u.Processor += res.Processor
}

func gbSeconds(d time.Duration, memoryMB int) float64 {
	return d.Seconds() * float64(memoryMB) / 1024
}
