package fetch

import (
	"bytes"
	"net/http"
	"strconv"
)

// requestHead writes the head of a request as net/http sends it, without fields
// for the proxy only, such as its password.
func requestHead(req *http.Request, absolute bool) []byte {
	var b bytes.Buffer
	b.Grow(512)
	uri := req.URL.RequestURI()
	if absolute && req.URL.Opaque == "" {
		uri = "http://" + req.URL.Host + uri
	}
	b.WriteString(req.Method + " " + uri + " HTTP/1.1\r\nHost: " + req.URL.Host + "\r\n")
	b.WriteString("User-Agent: " + req.Header.Get("User-Agent") + "\r\n")
	writeHeader(&b, req.Header, "User-Agent")
	b.WriteString("\r\n")
	return b.Bytes()
}

// responseHead writes the head of a response whose kept body has length bytes.
// The lines are those received but those named, in alphabetical order.
func responseHead(resp *http.Response, length int, but ...string) []byte {
	var b bytes.Buffer
	b.Grow(1024)
	b.WriteString(resp.Proto + " " + resp.Status + "\r\n")
	writeHeader(&b, resp.Header, append(but, "Content-Length", "Transfer-Encoding")...)
	b.WriteString("Content-Length: " + strconv.Itoa(length) + "\r\n\r\n")
	return b.Bytes()
}

// writeHeader writes the lines of h except those named. It drops invalid names
// and removes line breaks from values.
func writeHeader(b *bytes.Buffer, h http.Header, but ...string) {
	exclude := make(map[string]bool, len(but))
	for _, name := range but {
		exclude[name] = true
	}
	_ = h.WriteSubset(b, exclude) // a bytes.Buffer takes everything
}
