package corpus

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"

	"sluice/shared/fault"
)

// maxHTTPHead bounds the head of a response, in bytes; browsers take a quarter
// of it.
const maxHTTPHead = 1 << 20

// resourceType is the type of a record that has a file, without what a server said.
const resourceType = "resource"

// HTTPResponse is the content of a response record, without transfer encoding.
type HTTPResponse struct {
	Status int
	Header http.Header
	Body   []byte // still in its content encoding; may share memory with the record
}

// HasHTTP reports whether the record is one that HTTP reads: the response of a web server,
// or a resource that is HTML.
func (r *Record) HasHTTP() bool {
	media := strings.ToLower(r.ContentType)
	switch r.Type {
	case "response":
		return strings.HasPrefix(media, "application/http")
	case resourceType:
		return strings.HasPrefix(media, "text/html")
	}
	return false
}

// HTTP reads the block of a record. It is as lax as servers and archives are: the
// body is everything after the head, regardless of Content-Length. A body that
// claims to be chunked but is not, since the archive has decoded it, is returned
// unchanged. A resource is a body without a head. A record without an HTTP response
// is a Permanent fault.
func (r *Record) HTTP() (*HTTPResponse, error) {
	switch {
	case !r.HasHTTP():
		return nil, notHTTP(fmt.Errorf("%s record of type %q", r.Type, r.ContentType))
	case r.Type == resourceType:
		return &HTTPResponse{Status: http.StatusOK, Header: http.Header{"Content-Type": {r.ContentType}}, Body: r.Block}, nil
	}
	head, body := cutHead(r.Block)
	if len(head) > maxHTTPHead {
		return nil, notHTTP(fmt.Errorf("its head has %d bytes, at most %d", len(head), maxHTTPHead))
	}
	first, rest, _ := strings.Cut(string(head), "\n")
	status, err := readStatus(first)
	if err != nil {
		return nil, notHTTP(err)
	}
	var header fields
	for line := range strings.SplitSeq(rest, "\n") {
		header.add(strings.TrimSuffix(line, "\r"))
	}
	resp := &HTTPResponse{Status: status, Header: http.Header(header.done()), Body: body}
	if isChunked(resp.Header) {
		resp.Body = dechunk(body)
		resp.Header.Del("Transfer-Encoding")
	}
	return resp, nil
}

func notHTTP(err error) error {
	return fault.New(fault.Permanent, RuleDamaged, fmt.Errorf("read response: %w", err))
}

// cutHead splits a message at its first empty line. A message without one is
// all head.
func cutHead(block []byte) (head, body []byte) {
	for at := 0; at < len(block); {
		end := bytes.IndexByte(block[at:], '\n')
		if end < 0 {
			break
		}
		if len(bytes.TrimSuffix(block[at:at+end], []byte("\r"))) == 0 {
			return block[:at], block[at+end+1:]
		}
		at += end + 1
	}
	return block, nil
}

// readStatus reads "HTTP/1.1 200 OK", of any version and with any reason.
func readStatus(line string) (int, error) {
	fields := strings.Fields(line)
	if len(fields) < 2 || !strings.HasPrefix(fields[0], "HTTP/") {
		return 0, fmt.Errorf("%.40q is not a status line", line)
	}
	status, err := strconv.Atoi(fields[1])
	if err != nil || status < 100 || status > 999 {
		return 0, fmt.Errorf("%.40q is not a status", fields[1])
	}
	return status, nil
}

func isChunked(h http.Header) bool {
	return slices.ContainsFunc(h["Transfer-Encoding"], func(value string) bool { return strings.Contains(strings.ToLower(value), "chunked") })
}

// dechunk decodes the chunked encoding. It returns the complete part of a
// truncated body, and all of a body that is not chunked.
func dechunk(body []byte) []byte {
	plain, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body)))
	if err != nil && len(plain) == 0 {
		return body
	}
	return plain
}
