//go:build linux

package lambdahost

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// maxExcess is how much of a response that is too large is read, so that the
// runtime can read the refusal, in bytes.
const maxExcess = 64 << 20

// runtimeAPI is the HTTP interface between Lambda and the runtime in one
// environment, version 2018-06-01.
type runtimeAPI struct {
	address string
	server  *http.Server
	ready   chan struct{}    // the runtime requests an event
	events  chan *invocation // the event it gets
	failed  chan struct{}    // closed: it could not initialise

	mu      sync.Mutex
	current *invocation // handed over and not answered
	initErr *FunctionError
}

// invocation is an event handled by a runtime.
type invocation struct {
	id, arn  string
	deadline time.Time
	payload  []byte

	// Of the answer; the runtimeAPI's lock guards them.
	answered bool
	response []byte
	err      *FunctionError
}

// serveRuntimeAPI listens on a free port of the loopback interface.
func serveRuntimeAPI(ctx context.Context) (*runtimeAPI, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for runtime: %w", err)
	}
	a := &runtimeAPI{
		address: listener.Addr().String(),
		ready:   make(chan struct{}),
		events:  make(chan *invocation, 1),
		failed:  make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", a.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", a.respond)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", a.fail)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", a.failInit)
	a.server = &http.Server{Handler: mux} // no timeouts: the next event may be hours away
	go a.server.Serve(listener)           //nolint:errcheck // it ends with close
	return a, nil
}

func (a *runtimeAPI) close() { _ = a.server.Close() }

// next ends the invocation before and waits for the one after.
func (a *runtimeAPI) next(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	unanswered := a.current != nil
	a.mu.Unlock()
	if unanswered {
		refuse(w, http.StatusForbidden, "InvalidStateTransition", "the invocation has no answer")
		return
	}
	select {
	case a.ready <- struct{}{}:
	case <-r.Context().Done():
		return
	}
	select {
	case inv := <-a.events:
		a.mu.Lock()
		a.current = inv
		a.mu.Unlock()
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Lambda-Runtime-Aws-Request-Id", inv.id)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(inv.deadline.UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", inv.arn)
		h.Set("Lambda-Runtime-Trace-Id", traceID(time.Now()))
		_, _ = w.Write(inv.payload) // if the process ended, its invocation does too
	case <-r.Context().Done():
	}
}

func (a *runtimeAPI) respond(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxResponse+1))
	if err != nil {
		return // the process ended
	}
	if len(body) > maxResponse {
		_, _ = io.CopyN(io.Discard, r.Body, maxExcess)
		const text = "payload size exceeded maximum allowed payload size (6291556 bytes)."
		a.settle(r.PathValue("id"), nil, &FunctionError{Type: "Function.ResponseSizeTooLarge", Message: "Response " + text})
		refuse(w, http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", "Response "+text)
		return
	}
	a.accept(w, a.settle(r.PathValue("id"), body, nil))
}

func (a *runtimeAPI) fail(w http.ResponseWriter, r *http.Request) {
	a.accept(w, a.settle(r.PathValue("id"), nil, readError(r)))
}

func (a *runtimeAPI) failInit(w http.ResponseWriter, r *http.Request) {
	report := readError(r)
	a.mu.Lock()
	first := a.initErr == nil
	if first {
		a.initErr = report
	}
	a.mu.Unlock()
	a.accept(w, true)
	if first {
		close(a.failed)
	}
}

// settle records the answer to the invocation in progress.
func (a *runtimeAPI) settle(id string, response []byte, report *FunctionError) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	inv := a.current
	if inv == nil || inv.id != id {
		return false
	}
	inv.answered, inv.response, inv.err = true, response, report
	a.current = nil
	return true
}

// answer returns the answer recorded by settle.
func (a *runtimeAPI) answer(inv *invocation) (response []byte, report *FunctionError, answered bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return inv.response, inv.err, inv.answered
}

// initError returns the error that the runtime reported for its initialisation,
// nil if none.
func (a *runtimeAPI) initError() *FunctionError {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.initErr
}

func (a *runtimeAPI) accept(w http.ResponseWriter, known bool) {
	if !known {
		refuse(w, http.StatusBadRequest, "InvalidRequestID", "no such invocation in progress")
		return
	}
	w.WriteHeader(http.StatusAccepted)
	fmt.Fprint(w, `{"status":"OK"}`)
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(&FunctionError{Type: kind, Message: message})
}

// readError reads a runtime's report of an error. One that cannot be read is
// an error still.
func readError(r *http.Request) *FunctionError {
	var report FunctionError
	err := json.NewDecoder(io.LimitReader(r.Body, maxResponse)).Decode(&report)
	if kind := r.Header.Get("Lambda-Runtime-Function-Error-Type"); report.Type == "" {
		report.Type = kind
	}
	if err != nil {
		report.Message = "unreadable error report: " + err.Error()
	}
	return &report
}

// traceID makes a trace that is not sampled.
func traceID(now time.Time) string {
	return fmt.Sprintf("Root=1-%08x-%08x%016x;Parent=%016x;Sampled=0",
		now.Unix(), rand.Uint32(), rand.Uint64(), rand.Uint64())
}
