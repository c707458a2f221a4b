//go:build linux

package cloud_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// mischief is what the proxy does to a request.
type mischief string

const (
	none      mischief = "none"
	refused   mischief = "refused"   // not applied, an error of the server
	throttled mischief = "throttled" // not applied, the service asks to slow down
	lost      mischief = "lost"      // applied, reported as an error of the server
	cut       mischief = "cut"       // applied, the connection ends without an answer
	partial   mischief = "partial"   // of a batch, half is left undone
	slow      mischief = "slow"      // applied late
)

// shares of the requests for each mischief; partial applies only to batches.
var shares = []struct {
	kind  mischief
	share float64
}{{refused, 0.03}, {throttled, 0.04}, {lost, 0.03}, {cut, 0.02}, {slow, 0.05}, {partial, 0.15}}

// stubborn is the share of calls whose every attempt fails, so that the error
// reaches the adapter: half of them are applied each time. It is small, since
// each costs a record at least half a minute.
const (
	stubborn     = 0.002
	mostStubborn = 3
)

// faultProxy is a proxy between the functions and the emulator that behaves
// like AWS on a bad day.
type faultProxy struct {
	*httptest.Server
	emulator *url.URL

	mu     sync.Mutex
	rng    *rand.Rand
	doomed map[string]mischief         // calls, by the id that the SDK gives all attempts
	first  map[string]bool             // resources that have been throttled once
	done   map[string]map[mischief]int // by service, and by resource
}

// newFaultProxy starts a proxy whose choices depend on seed and the order of
// the requests.
func newFaultProxy(t *testing.T, seed uint64) *faultProxy {
	t.Helper()
	emulator, err := url.Parse(os.Getenv("AWS_ENDPOINT_URL"))
	if err != nil {
		t.Fatal(err)
	}
	p := &faultProxy{
		emulator: emulator, rng: rand.New(rand.NewPCG(seed, 1)),
		doomed: map[string]mischief{}, first: map[string]bool{}, done: map[string]map[mischief]int{},
	}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

// ServeHTTP applies the mischief drawn for a request.
func (p *faultProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the function was killed
	}
	c := callOf(r, body)
	switch kind := p.draw(c); kind {
	case refused:
		c.refuse(w)
	case throttled:
		c.throttle(w)
	case lost:
		_, _, _ = p.forward(r, body)
		c.refuse(w)
	case cut:
		_, _, _ = p.forward(r, body)
		panic(http.ErrAbortHandler)
	case partial:
		p.halve(w, r, c)
	case slow:
		time.Sleep(p.delay())
		p.pass(w, r, body)
	default:
		p.pass(w, r, body)
	}
}

// draw chooses the mischief for a call. It throttles the first call of every
// table, queue and bucket, so that none is left out.
func (p *faultProxy) draw(c *call) mischief {
	p.mu.Lock()
	defer p.mu.Unlock()
	kind, ok := p.doomed[c.id]
	if !ok {
		kind = p.chance(c)
	}
	for _, key := range []string{c.service, c.resource} {
		if p.done[key] == nil {
			p.done[key] = map[mischief]int{}
		}
		p.done[key][kind]++
	}
	return kind
}

func (p *faultProxy) chance(c *call) mischief {
	if !p.first[c.resource] {
		p.first[c.resource] = true
		return throttled
	}
	if c.id != "" && len(p.doomed) < mostStubborn && p.rng.Float64() < stubborn {
		p.doomed[c.id] = []mischief{refused, lost}[p.rng.IntN(2)]
		return p.doomed[c.id]
	}
	at := p.rng.Float64()
	for _, s := range shares {
		if at -= s.share; at < 0 {
			if s.kind == partial && !c.batch() {
				return none
			}
			return s.kind
		}
	}
	return none
}

func (p *faultProxy) delay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Duration(p.rng.Int64N(int64(500 * time.Millisecond)))
}

// forward has the emulator answer, even if the function has gone away.
func (p *faultProxy) forward(r *http.Request, body []byte) (status int, header http.Header, answer []byte) {
	out, err := http.NewRequest(r.Method, r.URL.String(), bytes.NewReader(body)) //nolint:noctx // it is applied, even when who asked is gone
	if err != nil {
		return http.StatusBadGateway, nil, nil
	}
	out.URL.Scheme, out.URL.Host, out.Host = p.emulator.Scheme, p.emulator.Host, r.Host
	out.Header = r.Header.Clone()
	out.Header.Del("Expect")
	out.Header.Del("Accept-Encoding")
	resp, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		return http.StatusBadGateway, nil, nil
	}
	defer func() { _ = resp.Body.Close() }()
	if answer, err = io.ReadAll(resp.Body); err != nil {
		return http.StatusBadGateway, nil, nil
	}
	return resp.StatusCode, resp.Header, answer
}

func (p *faultProxy) pass(w http.ResponseWriter, r *http.Request, body []byte) {
	status, header, answer := p.forward(r, body)
	reply(w, status, header, answer)
}

func reply(w http.ResponseWriter, status int, header http.Header, answer []byte) {
	maps.Copy(w.Header(), header)
	if len(answer) > 0 { // an answer to HEAD names a length and has no body
		w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
	}
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// account logs the mischief, and fails the test if a used table or queue was
// spared.
func (p *faultProxy) account(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(p.done)) {
		done := p.done[key]
		t.Logf("%-24s %v", key, done)
		if done[throttled] == 0 {
			t.Errorf("no request was throttled at %s", key)
		}
	}
	kinds := map[mischief]int{}
	for _, service := range []string{serviceDynamo, serviceSQS, serviceS3} {
		for kind, n := range p.done[service] {
			kinds[kind] += n
		}
	}
	for _, s := range shares {
		if kinds[s.kind] == 0 {
			t.Errorf("no request was %s", s.kind)
		}
	}
	t.Logf("%d calls failed to their last attempt", len(p.doomed))
	for _, table := range []string{"urls", "backlog", "hosts", "crawls"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(p.done)), func(key string) bool { return strings.HasSuffix(key, "-"+table) }) {
			t.Errorf("nothing was asked of table %s", table)
		}
	}
}
