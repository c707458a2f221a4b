package corpus

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
)

func TestRecordHTTP(t *testing.T) {
	for _, tt := range []struct {
		name, block string
		want        HTTPResponse
	}{
		{"simple", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", HTTPResponse{200, http.Header{"A": {"b"}}, []byte("body")}},
		{"version 2, no reason", "HTTP/2 404\r\n\r\n", HTTPResponse{404, http.Header{}, []byte{}}},
		{"bare line feeds", "HTTP/1.0 200 OK\nA: b\n\nbody\r\n\r\n", HTTPResponse{200, http.Header{"A": {"b"}}, []byte("body\r\n\r\n")}},
		{"folded header", "HTTP/1.1 200 OK\r\nA: b\r\n  c\r\nnonsense\r\n d\r\na: e\r\n\r\n", HTTPResponse{200, http.Header{"A": {"b c", "e"}}, []byte{}}},
		{"head only", "HTTP/1.1 200 OK\r\nA: b", HTTPResponse{200, http.Header{"A": {"b"}}, nil}},
		{"content length that lies", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nbody", HTTPResponse{200, http.Header{"Content-Length": {"2"}}, []byte("body")}},
		{"content encoding stays", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b", HTTPResponse{200, http.Header{"Content-Encoding": {"gzip"}}, []byte("\x1f\x8b")}},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\nT: x\r\n\r\n", HTTPResponse{200, http.Header{}, []byte("body")}},
		{"chunked and cut off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n9\r\ndy", HTTPResponse{200, http.Header{}, []byte("body")}},
		{"chunked and empty", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", HTTPResponse{200, http.Header{}, []byte{}}},
		{"chunked no more", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>", HTTPResponse{200, http.Header{}, []byte("<html>")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := &Record{Type: "response", ContentType: "application/http; msgtype=response", Block: []byte(tt.block)}
			got, err := rec.HTTP()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("response (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecordHTTPRefuses(t *testing.T) {
	for _, tt := range []struct{ name, kind, contentType, block string }{
		{"request", "request", "application/http;msgtype=request", "GET / HTTP/1.1\r\n\r\n"},
		{"resource", "response", "text/html", "<html>"},
		{"DNS response", "response", "text/dns", "20200101"},
		{"nothing", "response", "application/http", ""},
		{"no status", "response", "application/http", "HTTP/1.1\r\n\r\n"},
		{"status that is no number", "response", "application/http", "HTTP/1.1 OK 200\r\n\r\n"},
		{"status out of range", "response", "application/http", "HTTP/1.1 20000 OK\r\n\r\n"},
		{"another protocol", "response", "application/http", "ICY 200 OK\r\n\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, err := (&Record{Type: tt.kind, ContentType: tt.contentType, Block: []byte(tt.block)}).HTTP()
			if f := fault.Of(err); resp != nil || f == nil || f.Class != fault.Permanent || f.Rule != RuleDamaged {
				t.Errorf("got %+v, error %v", resp, err)
			}
		})
	}
}

// A head made to keep its reader busy costs no more than its length.
func TestEndlessHead(t *testing.T) {
	folded := "HTTP/1.1 200 OK\r\nA: 1\r\n" + strings.Repeat(" b\n", 300_000) + "\r\nbody"
	for _, tt := range []struct {
		name, block string
		bad         bool
	}{
		{"one endless field", folded, false},
		{"no end", "HTTP/1.1 200 OK\r\n" + strings.Repeat("a: b\n", 1<<18), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &Record{Type: "response", ContentType: "application/http", Block: []byte(tt.block)}
			resp, err := r.HTTP()
			if (err != nil) != tt.bad {
				t.Fatalf("HTTP() error = %v", err)
			}
			if err == nil && (string(resp.Body) != "body" || len(resp.Header.Get("A")) != 1+300_000*2) {
				t.Errorf("body %q, a field of %d bytes", resp.Body, len(resp.Header.Get("A")))
			}
		})
	}
}
