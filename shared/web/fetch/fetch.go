// Package fetch gets one URL over HTTP, within bounds of time and memory.
//
// The port is Client, one method, so that policy (delays, counting, recording)
// is a decorator around it. HTTP is the client that talks to the network: it
// follows no redirects, keeps no cookies (see Jars) and refuses private addresses. Errors
// carry a class of package fault; Status turns the status of a response into
// such an error.
package fetch

import (
	"context"
	"net/http"
	"time"
)

// Client fetches one URL. Implementations are safe for concurrent use and do
// not retry. An error is classified (fault.Of); it comes with a Response as
// soon as the head of an answer has arrived, then without a body. An HTTP
// status is never an error here: see Status.
type Client interface {
	Fetch(ctx context.Context, r *Request) (*Response, error)
}

// Request is a GET request.
type Request struct {
	URL    string      // absolute http or https, in WHATWG form: ASCII, escaped
	Header http.Header // extra, such as If-None-Match; not modified

	// Secret has further headers, for this host alone. The heads of the Response are
	// without them, and without cookies that the answer gives.
	Secret http.Header

	// MaxBody, if positive, limits the decoded body to that many bytes. A
	// longer body is cut there without an error. If zero, a body over the
	// client's limits is an error.
	MaxBody int64
	// AnyType accepts a body of any Content-Type.
	AnyType bool
}

// Response is one answer. Its slices belong to the caller; Raw and Body share
// memory when no Content-Encoding was applied.
type Response struct {
	URL    string      // as requested
	Status int         // three digits, as received
	Proto  string      // as received, such as "HTTP/1.1"
	Header http.Header // as received

	// Body is the decoded body of a 2xx answer, nil for any other.
	Body []byte
	// Raw is the body as transferred, without the chunks but content-encoded.
	// Of an answer other than 2xx it is the first 64 KiB.
	Raw []byte

	// RequestHead is the head as sent, including the empty line, for a WARC
	// record. ResponseHead has its lines in alphabetical order, without
	// Transfer-Encoding, and with the length of Raw as Content-Length. See
	// Request.Secret.
	RequestHead, ResponseHead []byte

	RemoteAddr string    // IP of the server; empty when a proxy chose it
	Start, End time.Time // before connecting, after the last byte of the body
	Location   string    // of a 3xx, as sent: to be resolved against URL

	Cookies CookieChange // set by Jars
}
