package demo

import (
	"hash/maphash"
	"maps"
	"sync"
)

// Account is the server's own record of what a crawler did. All counts are
// since New.
type Account struct {
	Requests int                    `json:"requests"`               // for pages and files of the demo hosts
	Robots   int                    `json:"robots_requests"`        // for robots.txt, in no other count
	Files    int                    `json:"site_file_requests"`     // for tdmrep.json and ai.txt, in no other count
	Distinct int                    `json:"distinct_urls"`          // of Requests, as requested: not canonicalised
	Repeated int                    `json:"repeated_requests"`      // Requests − Distinct
	Denied   int                    `json:"robots_denied_requests"` // of Requests, those that robots.txt forbids
	Outside  int                    `json:"outside_requests"`       // for hosts that the demo does not have: refused
	Status   map[int]int            `json:"status"`                 // Requests by status
	Hosts    map[string]HostAccount `json:"hosts"`                  // Requests by host
}

// HostAccount is the part of an Account that concerns one host.
type HostAccount struct {
	Requests int `json:"requests"`
	Denied   int `json:"robots_denied_requests"`
	Peak     int `json:"peak_in_flight"` // most requests that were being served at once, those of Files too
}

// ledger collects an Account. URLs are kept as hashes, so that a crawler lost
// in an endless hazard costs eight bytes a page.
type ledger struct {
	mu       sync.Mutex
	account  Account
	seed     maphash.Seed
	seen     map[uint64]struct{}
	inFlight map[string]int
}

func newLedger() *ledger {
	return &ledger{
		account:  Account{Status: map[int]int{}, Hosts: map[string]HostAccount{}},
		seed:     maphash.MakeSeed(),
		seen:     map[uint64]struct{}{},
		inFlight: map[string]int{},
	}
}

func (l *ledger) robots() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.account.Robots++
}

func (l *ledger) outside() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.account.Outside++
}

// begin records a request of a demo host; end must follow with its status.
func (l *ledger) begin(host, url string, denied bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, h := &l.account, l.account.Hosts[host]
	a.Requests++
	h.Requests++
	if denied {
		a.Denied++
		h.Denied++
	}
	l.seen[maphash.String(l.seed, url)] = struct{}{}
	a.Hosts[host] = h
	l.enter(host)
}

func (l *ledger) end(host string, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.account.Status[status]++
	l.inFlight[host]--
}

// beginFile records a request for a host's robots.txt or the like; endFile must
// follow.
func (l *ledger) beginFile(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.account.Files++
	l.enter(host)
}

func (l *ledger) endFile(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight[host]--
}

// enter counts one more request in flight. The caller has the lock.
func (l *ledger) enter(host string) {
	h := l.account.Hosts[host]
	l.inFlight[host]++
	h.Peak = max(h.Peak, l.inFlight[host])
	l.account.Hosts[host] = h
}

// snapshot returns a copy that the caller owns.
func (l *ledger) snapshot() Account {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.account
	a.Distinct = len(l.seen)
	a.Repeated = a.Requests - a.Distinct
	a.Status = maps.Clone(a.Status)
	a.Hosts = maps.Clone(a.Hosts)
	return a
}
