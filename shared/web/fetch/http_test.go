package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/fault"
)

// page is an answer most tests are content with.
func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<p>股市</p>")
}

// serve starts a server and returns its URL and a client that may ask it.
func serve(t testing.TB, o Options, h http.HandlerFunc) (string, *HTTP) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	if o.Guard == nil {
		o.Guard = allow(t, s.URL)
	}
	c := client(t, o)
	return s.URL, c
}

func client(t testing.TB, o Options) *HTTP {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func allow(t testing.TB, authorities ...string) *Guard {
	t.Helper()
	g, err := NewGuard(authorities...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// raw starts a server that answers every connection with the same bytes, and
// passes on what it was sent if heard isn't nil.
func raw(t *testing.T, answer string, heard chan<- string) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			asked := make([]byte, 4096)
			n, _ := conn.Read(asked)
			if heard != nil {
				heard <- string(asked[:n])
			}
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

func wantFault(t *testing.T, err error, class fault.Class, rule string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %v %s", class, rule)
	}
	if f := fault.Of(err); f.Class != class || f.Rule != rule {
		t.Errorf("error is %v %q (%v), want %v %q", f.Class, f.Rule, err, class, rule)
	}
}

func TestFetch(t *testing.T) {
	var asked *http.Request
	base, c := serve(t, Options{UserAgent: "sluice/0.1 (+https://example.org/bot)"}, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		w.Header().Set("Set-Cookie", "a=b")
		page(w, r)
	})
	before := time.Now()
	res, err := c.Fetch(t.Context(), &Request{URL: base + "/a^b%2Fc|d?q=1|2", Header: http.Header{"If-None-Match": {`"x"`}}})
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(base, "http://")
	if asked.RequestURI != "/a^b%2Fc|d?q=1|2" {
		t.Errorf("asked for %q: the URL was rewritten", asked.RequestURI)
	}
	want := "GET /a^b%2Fc|d?q=1|2 HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: sluice/0.1 (+https://example.org/bot)\r\n" +
		"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1\r\n" +
		"Accept-Encoding: gzip, br, zstd\r\nIf-None-Match: \"x\"\r\n\r\n"
	if d := cmp.Diff(want, string(res.RequestHead)); d != "" {
		t.Error("request head", d)
	}
	head := string(res.ResponseHead)
	if !strings.HasPrefix(head, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n") ||
		!strings.HasSuffix(head, "\r\nContent-Length: 13\r\n\r\n") {
		t.Errorf("response head %q", head)
	}
	if string(res.Body) != "<p>股市</p>" || &res.Body[0] != &res.Raw[0] {
		t.Errorf("body %q; does it share memory with Raw?", res.Body)
	}
	if res.RemoteAddr != "127.0.0.1" || res.Status != 200 || res.Proto != "HTTP/1.1" {
		t.Errorf("got address %s, status %d, protocol %s", res.RemoteAddr, res.Status, res.Proto)
	}
	if res.Start.Before(before) || res.End.Before(res.Start) {
		t.Errorf("times %v, %v", res.Start, res.End)
	}
	if _, err := c.Fetch(t.Context(), &Request{URL: base + "//double/slash"}); err != nil || asked.RequestURI != "//double/slash" {
		t.Errorf("asked for %q, %v", asked.RequestURI, err)
	}
	if asked.Header.Get("Cookie") != "" {
		t.Error("a cookie was sent back")
	}
}

// TestFetchHeadAsSent compares with the wire, on a path net/http's server
// wouldn't take.
func TestFetchHeadAsSent(t *testing.T) {
	heard := make(chan string, 1)
	base := raw(t, "HTTP/1.1 204 No Content\r\n\r\n", heard)
	res, err := client(t, Options{Guard: allow(t, base)}).Fetch(t.Context(), &Request{URL: base + "/100%/a%zz?"})
	if err != nil {
		t.Fatal(err)
	}
	asked := <-heard
	if !strings.HasPrefix(asked, "GET /100%/a%zz? HTTP/1.1\r\n") {
		t.Error("the URL was rewritten")
	}
	if d := cmp.Diff(asked, string(res.RequestHead)); d != "" {
		t.Error(d)
	}
}

func TestFetchKeepsConnection(t *testing.T) {
	peers := map[string]bool{}
	base, c := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		peers[r.RemoteAddr] = true
		if r.URL.Path == "/missing" {
			http.Error(w, strings.Repeat("gone ", 1000), http.StatusNotFound)
			return
		}
		page(w, r)
	})
	for _, path := range []string{"/", "/missing", "/a", "/missing", "/b"} {
		if _, err := c.Fetch(t.Context(), &Request{URL: base + path}); err != nil {
			t.Fatal(err)
		}
	}
	if len(peers) != 1 {
		t.Errorf("%d connections for five requests in a row", len(peers))
	}
}

func TestFetchDoesNotFollow(t *testing.T) {
	hits := 0
	base, c := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		hits++
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Location", "/\xd6\xd0?a b")
		w.WriteHeader(299 + hits)
		_, _ = io.WriteString(w, "moved")
	})
	for _, status := range []int{300, 301, 302} {
		res, err := c.Fetch(t.Context(), &Request{URL: base})
		if err != nil || res.Status != status || res.Location != "/\xd6\xd0?a b" {
			t.Errorf("got %+v, %v; want status %d", res, err, status)
		}
		if res.Body != nil || string(res.Raw) != "moved" {
			t.Errorf("status %d: body %q, raw %q", status, res.Body, res.Raw)
		}
	}
	if hits != 3 {
		t.Errorf("%d requests for three URLs", hits)
	}
}

func TestFetchRefusals(t *testing.T) {
	o := Options{MaxRaw: 100 << 10, MaxDecoded: 200 << 10, MaxSitemap: 300 << 10}
	sized := func(kind string, size int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(make([]byte, size))
		}
	}
	tests := []struct {
		name string
		h    http.HandlerFunc
		path string
		rule string
	}{
		{"at the limit", sized("text/html", 100<<10), "/", ""},
		{"at the limit, announced", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(100<<10))
			sized("text/html", 100<<10)(w, r)
		}, "/", ""},
		{"over the limit, announced", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(100<<10+1))
			sized("text/html", 100<<10+1)(w, r)
		}, "/", "too_large"},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			for r.Context().Err() == nil {
				_, _ = w.Write(make([]byte, 32<<10))
			}
		}, "/", "too_large"},
		{"head of 50 KB", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 50_000))
			page(w, r)
		}, "/", ""},
		{"head of 300 KB", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 300<<10))
			page(w, r)
		}, "/", "too_large"},
		{"image", sized("image/png", 10), "/", "content_type"},
		{"sitemap file", sized("application/x-gzip", 250<<10), "/sitemap.xml.gz", ""},
		{"sitemap file over its limit", sized("application/x-gzip", 301<<10), "/sitemap.xml.gz", "too_large"},
		{"archive", sized("application/gzip", 10), "/data", "content_type"},
		{"page under a .gz name keeps the page limit", sized("text/html", 101<<10), "/a.gz", "too_large"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, c := serve(t, o, tt.h)
			res, err := c.Fetch(t.Context(), &Request{URL: base + tt.path})
			if tt.rule == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			wantFault(t, err, fault.Permanent, tt.rule)
			if res != nil && (res.Body != nil || res.Raw != nil || !bytes.Contains(res.ResponseHead, []byte("Content-Length: 0\r\n"))) {
				t.Errorf("refused, but got %d bytes under head %q", len(res.Raw), res.ResponseHead)
			}
		})
	}
}

func TestFetchMaxBody(t *testing.T) {
	base, c := serve(t, Options{MaxRaw: 1000}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		body := strings.Repeat("abcdefgh", 64<<10)
		if coding := r.URL.Query().Get("coding"); coding != "" {
			w.Header().Set("Content-Encoding", coding)
			body = string(encode(t, coding, []byte(body)))
		}
		_, _ = io.WriteString(w, body)
	})
	for _, query := range []string{"", "?coding=gzip", "?coding=br"} {
		res, err := c.Fetch(t.Context(), &Request{URL: base + "/" + query, MaxBody: 20, AnyType: true})
		if err != nil || string(res.Body) != "abcdefghabcdefghabcd" {
			t.Errorf("%s: got %v, %v", query, res, err)
		}
	}
}

func TestFetchErrorStatusKeepsLittle(t *testing.T) {
	base, c := serve(t, Options{BodyTimeout: 100 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip") // it isn't
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, strings.Repeat("x", 70<<10))
		if r.URL.Path == "/slow" {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
	for _, path := range []string{"/", "/slow"} {
		res, err := c.Fetch(t.Context(), &Request{URL: base + path})
		if err != nil || res.Status != 404 || res.Body != nil || len(res.Raw) != maxErrorBody {
			t.Errorf("%s: got %+v, %v", path, res, err)
		}
	}
}

func TestFetchTimeouts(t *testing.T) {
	tests := []struct {
		name  string
		path  string
		class fault.Class
		rule  string
	}{
		{"no head", "/head", fault.Retryable, "timeout"},
		{"a byte now and then", "/body", fault.Permanent, "slow_body"},
	}
	base, c := serve(t, Options{HeaderTimeout: 100 * time.Millisecond, BodyTimeout: 100 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.Header().Set("Content-Type", "text/html")
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte("."))
				_ = http.NewResponseController(w).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		}
		<-r.Context().Done()
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := c.Fetch(t.Context(), &Request{URL: base + tt.path})
			wantFault(t, err, tt.class, tt.rule)
		})
	}
	t.Run("caller gives up", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("enough"))
		_, err := c.Fetch(ctx, &Request{URL: base + "/body"})
		wantFault(t, err, fault.Retryable, "canceled")
	})
	t.Run("caller's deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := c.Fetch(ctx, &Request{URL: base + "/head"})
		wantFault(t, err, fault.Retryable, "timeout")
	})
}

// slowWeb answers after a while, and with the body after another.
type slowWeb struct{ head, body time.Duration }

func (w slowWeb) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := wait(r.Context(), w.head); err != nil {
		return nil, err
	}
	body, end := io.Pipe()
	go func() { end.CloseWithError(wait(r.Context(), w.body)) }()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, ContentLength: -1, Body: body}, nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// By default, connecting may take 20 s (TCP and TLS), the head 20 s more, and the
// body 30 s.
func TestFetchPatience(t *testing.T) {
	for _, tt := range []struct {
		name  string
		web   slowWeb
		class fault.Class
		rule  string
	}{
		{"just in time", slowWeb{39 * time.Second, 29 * time.Second}, 0, ""},
		{"late head", slowWeb{41 * time.Second, 0}, fault.Retryable, "timeout"},
		{"late body", slowWeb{0, 31 * time.Second}, fault.Permanent, "slow_body"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				_, err := client(t, Options{Transport: tt.web}).Fetch(t.Context(), &Request{URL: "http://www.portal.test/"})
				if tt.rule == "" && err == nil {
					return
				}
				wantFault(t, err, tt.class, tt.rule)
			})
		})
	}
}

func TestFetchBrokenServers(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	tests := []struct {
		name   string
		answer string
		class  fault.Class
		rule   string
	}{
		{"nothing", "", fault.Retryable, "truncated"},
		{"head breaks off", "HTTP/1.1 200 OK\r\nContent-Type: x\r\n", fault.Retryable, "truncated"},
		{"body shorter than announced", head + "Content-Length: 999999\r\n\r\n<html>", fault.Retryable, "truncated"},
		{"chunks break off", head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", fault.Retryable, "truncated"},
		{"chunk size is no number", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", fault.Permanent, "protocol"},
		{"no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", fault.Permanent, "protocol"},
		{"two lengths", head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", fault.Permanent, "protocol"},
		{"header without colon", head + "oops\r\n\r\n", fault.Permanent, "protocol"},
		{"endless 1xx", strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 20_000), fault.Permanent, "too_large"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base := raw(t, tt.answer, nil)
			c := client(t, Options{Guard: allow(t, base)})
			_, err := c.Fetch(t.Context(), &Request{URL: base})
			wantFault(t, err, tt.class, tt.rule)
		})
	}
	t.Run("upgrade", func(t *testing.T) {
		base := raw(t, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", nil)
		res, err := client(t, Options{Guard: allow(t, base)}).Fetch(t.Context(), &Request{URL: base})
		if err != nil || res.Status != 101 {
			t.Errorf("got %+v, %v", res, err)
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		base := "http://" + l.Addr().String()
		_ = l.Close()
		_, err = client(t, Options{Guard: allow(t, base)}).Fetch(t.Context(), &Request{URL: base})
		wantFault(t, err, fault.Retryable, "connect")
	})
}

func TestFetchTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(page))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	c := client(t, Options{Guard: allow(t, s.URL)})
	_, err := c.Fetch(t.Context(), &Request{URL: s.URL})
	wantFault(t, err, fault.Permanent, "tls")

	trusting := client(t, Options{Guard: allow(t, s.URL)})
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	transport, ok := trusting.transport.(*http.Transport)
	if !ok {
		t.Fatal("the client has another transport")
	}
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	res, err := trusting.Fetch(t.Context(), &Request{URL: s.URL + "/a?b"})
	if err != nil || res.Proto != "HTTP/1.1" || !bytes.HasPrefix(res.ResponseHead, []byte("HTTP/1.1 200 OK\r\n")) {
		t.Errorf("got %+v, %v", res, err)
	}

	plain, _ := serve(t, Options{}, page)
	https := "https" + strings.TrimPrefix(plain, "http")
	_, err = client(t, Options{Guard: allow(t, https)}).Fetch(t.Context(), &Request{URL: https})
	wantFault(t, err, fault.Permanent, "tls")
}

func TestFetchBadURL(t *testing.T) {
	c := client(t, Options{})
	for _, u := range []string{"", "/a", "ftp://example.org/", "file:///etc/passwd", "http://", "http:///a", "http://exa mple.org/",
		"http://example.org/中", "http://example.org/a b", "http://example.org/\x7f", "http://example.org:99999/", "http://example.org:x/", "http://[::1/", "http://a\r\nb/"} {
		res, err := c.Fetch(t.Context(), &Request{URL: u})
		if res != nil {
			t.Errorf("%q: got a response", u)
		}
		wantFault(t, err, fault.Permanent, "bad_url")
	}
}

func TestProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.RequestURI)
		if r.Method == http.MethodConnect {
			http.Error(w, "no tunnels today", http.StatusBadGateway)
			return
		}
		page(w, r)
	}))
	t.Cleanup(proxy.Close)
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("me", "secret")
	c := client(t, Options{Proxies: Proxies{u}})

	for _, path := range []string{"/a^b%2Fc?b|c", "//d"} {
		res, err := c.Fetch(t.Context(), &Request{URL: "http://www.portal.test" + path})
		if err != nil {
			t.Fatal(err)
		}
		if res.RemoteAddr != "" {
			t.Errorf("claims to have talked to %s", res.RemoteAddr)
		}
		if head := string(res.RequestHead); !strings.HasPrefix(head, "GET http://www.portal.test"+path+" HTTP/1.1\r\nHost: www.portal.test\r\n") ||
			strings.Contains(head, "Proxy") {
			t.Errorf("request head %q", head)
		}
	}
	_, err = c.Fetch(t.Context(), &Request{URL: "https://www.portal.test/"})
	wantFault(t, err, fault.Retryable, "connect")
	for _, inside := range []string{"http://169.254.169.254/latest/", "http://127.0.0.1:22/", "https://[::1]/"} {
		_, err = c.Fetch(t.Context(), &Request{URL: inside})
		wantFault(t, err, fault.Permanent, "address")
	}
	want := []string{"GET http://www.portal.test/a^b%2Fc?b|c", "GET http://www.portal.test//d", "CONNECT www.portal.test:443"}
	if d := cmp.Diff(want, asked); d != "" {
		t.Error(d)
	}
	if _, err := New(Options{Proxies: Proxies{{Scheme: "ftp", Host: "x"}}}); err == nil {
		t.Error("took an ftp proxy")
	}
}

func BenchmarkFetch(b *testing.B) {
	body := bytes.Repeat([]byte("<p>股市今日上涨，银行板块领涨。</p>"), 1000)
	for _, coding := range []string{"identity", "gzip", "br", "zstd"} {
		b.Run(coding, func(b *testing.B) {
			sent := encode(b, coding, body)
			base, c := serve(b, Options{}, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Content-Encoding", coding)
				_, _ = w.Write(sent)
			})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Fetch(b.Context(), &Request{URL: base}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
