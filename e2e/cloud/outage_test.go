//go:build linux

package cloud_test

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
)

// mortal is a proxy that can be killed and started again at its address.
type mortal struct {
	web http.Handler

	mu      sync.Mutex
	address string
	server  *http.Server
}

func newMortal(t *testing.T, web http.Handler) *mortal {
	t.Helper()
	m := &mortal{web: web, address: "127.0.0.1:0"}
	m.start(t)
	t.Cleanup(m.kill)
	return m
}

func (m *mortal) start(t *testing.T) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", m.address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: m.web, ReadHeaderTimeout: time.Minute}
	m.mu.Lock()
	m.address, m.server = listener.Addr().String(), server
	m.mu.Unlock()
	go func() { _ = server.Serve(listener) }()
}

func (m *mortal) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = m.server.Close()
}

// The proxy is down for a minute at the start of a crawl and in its middle. The crawl waits,
// and comes to the same as ever.
func TestOutage(t *testing.T) {
	t.Parallel()
	needEmulator(t)
	const outage = 61 * time.Second
	web := watch(t, plainWeb, 0)
	proxy := newMortal(t, web)
	proxy.kill()
	o := cloudOptions{proxy: "http://" + proxy.address, contact: "mailto:ops@example.com", delayMS: 200}
	c := newCloud(t, o)
	all := pages("host", 4, 60)
	c.begin(t, &job.Message{Crawl: "outage", Limits: limits.Limits{MaxPages: 2000}}, all)
	c.run(t, o, steps(
		after(outage),
		do(func() { proxy.start(t) }),
		func() bool { return web.asked(t, "host") > len(all)/3 },
		do(proxy.kill),
		after(outage),
		do(func() { proxy.start(t) }),
		c.ended(t, 8*time.Minute, "outage"),
	))
	c.wantWhole(t, "outage", all)
	totals, err := c.Store.Ledger().Totals(t.Context(), "outage")
	if err != nil {
		t.Fatal(err)
	}
	if totals.Verdicts[ledger.Dead] > 0 || int(totals.Fetched) != len(all) {
		t.Errorf("%d dead letters, %d pages fetched, want %d", totals.Verdicts[ledger.Dead], totals.Fetched, len(all))
	}
}
