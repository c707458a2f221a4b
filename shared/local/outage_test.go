package local_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/local"
	"sluice/shared/state/job"
	"sluice/shared/web/fetch"
)

// gate is a port before a proxy that can be closed: then connections are refused.
type gate struct {
	net.Listener
	to string
}

func openGate(t *testing.T, address, to string) *gate {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{l, to}
	go g.accept()
	t.Cleanup(func() { _ = l.Close() }) // perhaps again
	return g
}

func (g *gate) accept() {
	for {
		client, err := g.Accept()
		if err != nil {
			return // it is closed
		}
		go func() {
			defer func() { _ = client.Close() }()
			server, err := new(net.Dialer).DialContext(context.Background(), "tcp", g.to)
			if err != nil {
				return
			}
			defer func() { _ = server.Close() }()
			go func() { _, _ = io.Copy(server, client) }()
			_, _ = io.Copy(client, server)
		}()
	}
}

// When nothing answers for too long the crawl stops and keeps everything: resumed, it ends
// with what it would have had.
func TestOutage(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	for _, host := range []string{"a", "b"} {
		links := ""
		for n := range 6 {
			pages[fmt.Sprintf("http://%s.demo.test/%d", host, n)] = "<title>股市 银行</title>$TEXT"
			links += fmt.Sprintf("<a href=/%d>股市 %d</a> ", n, n)
		}
		pages["http://"+host+".demo.test/"] = "<title>股市 银行</title>" + links + "$TEXT"
	}
	seeds := []string{"http://a.demo.test/", "http://b.demo.test/"}
	web := serve(t, pages)
	undisturbed := spec(t, seeds...)
	undisturbed.Proxies, undisturbed.Delay = web.proxy(t), time.Millisecond
	want := run(t, undisturbed)
	if want.Kept != int64(len(pages)) {
		t.Fatalf("undisturbed it keeps %d of %d pages", want.Kept, len(pages))
	}

	for _, from := range []int{0, 3, 16} {
		t.Run(fmt.Sprint("after ", from, " requests"), func(t *testing.T) {
			t.Parallel()
			web := serve(t, pages)
			web.Config.SetKeepAlivesEnabled(false)
			down := openGate(t, "127.0.0.1:0", web.Listener.Addr().String())
			address := down.Addr().String()
			requests := 0
			var mu sync.Mutex
			web.on = func(string) {
				mu.Lock()
				defer mu.Unlock()
				if requests++; requests == from {
					_ = down.Close()
				}
			}
			if from == 0 {
				_ = down.Close()
			}
			s := spec(t, seeds...)
			s.Proxies, s.Delay, s.MaxOutage = fetch.Proxies{{Scheme: "http", Host: address}}, time.Millisecond, 200*time.Millisecond
			stopped := run(t, s)
			if stopped.StopReason != "outage" || stopped.State != job.Stopped || stopped.DeadLetters != 0 {
				t.Errorf("stopped by %q, state %s, %d dead letters; want an outage", stopped.StopReason, stopped.State, stopped.DeadLetters)
			}
			if !strings.Contains(stopped.Reason, "refused") {
				t.Errorf("reason %q, want the cause", stopped.Reason)
			}
			openGate(t, address, web.Listener.Addr().String())
			s.Resume = true
			got := run(t, s)
			if got.StopReason != job.ReasonFrontierEmpty || got.DeadLetters != 0 {
				t.Errorf("resumed, it ended by %s with %d dead letters", got.StopReason, got.DeadLetters)
			}
			if diff := cmp.Diff([]int64{want.Kept, want.Rejected, want.Fetched}, []int64{got.Kept, got.Rejected, got.Fetched}); diff != "" {
				t.Errorf("kept, rejected and fetched (-undisturbed +resumed)\n%s", diff)
			}
		})
	}
}

// unreached is a web of which nothing answers.
type unreached struct{}

func (unreached) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// While a crawl waits in an outage, its status says so to other processes.
func TestStatusInOutage(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		s := spec(t, "http://a.test/")
		s.Transport, s.Contact, s.MaxOutage = unreached{}, "https://me.test/", time.Minute
		began := time.Now().UTC()
		done := begin(t, opened(t, s))
		time.Sleep(30 * time.Second)
		st, err := local.NewConsole(s.Dir).Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if st.State != job.Running || !st.OutageSince.Equal(began.Truncate(time.Second)) {
			t.Errorf("state %s, outage since %s; want running, %s", st.State, st.OutageSince, began)
		}
		end := <-done
		if end.err != nil || end.sum.StopReason != "outage" {
			t.Fatalf("ended by %+v", end)
		}
		if lasted := time.Since(began); lasted > 70*time.Second {
			t.Errorf("the crawl ended after %s, want a minute", lasted)
		}
	})
}
