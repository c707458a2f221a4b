package corpus

import (
	"crypto/sha1" // #nosec G505: the digest WARC readers know; nothing rests on its strength
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"net/netip"
	"time"
)

// Exchange is one request and its response as they went over the wire, less
// the transfer encoding.
type Exchange struct {
	URL  string
	Date time.Time // when the request was sent
	IP   string    // of the server; left out of the record unless it is an address

	// The heads end with an empty line. The response head states the true
	// length of Body and no Transfer-Encoding; its status line says HTTP/1.x,
	// as readers require.
	RequestHead  []byte
	ResponseHead []byte

	Body      []byte // as transferred, so perhaps content-encoded
	Truncated string // why Body is not complete: length, time or disconnect; else empty
	Shown     []byte // mark-up that a browser showed in place of Body, UTF-8; no record without any
	Metadata  []byte // a JSON document about the fetch; no record without one

	// Outlinks are the links of the page, if a strategy orders by the graph of
	// links (METHOD B5); without any there is no record.
	Outlinks []string
}

// Span is a piece of a byte slice or file.
type Span struct{ Offset, Length int64 }

// AppendExchange appends x to dst as WARC 1.1 records, response, request, conversion (what
// was shown), metadata and outlinks, a gzip member each, and returns the extended slice and
// the span of the response record counted from the old end of dst. The response comes
// first since the others refer to it: if a kill cuts an exchange, no record is
// left that refers to a missing one.
//
// Neither the URL nor a head can forge a header: bytes that a URI cannot have
// are percent-encoded, line ends inside a line become spaces, and only its last
// line ends a head.
func AppendExchange(dst []byte, x *Exchange, enc *Encoder) ([]byte, Span) {
	dst, span, _ := appendExchange(dst, x, enc)
	return dst, span
}

// appendExchange also returns the header of the response.
func appendExchange(dst []byte, x *Exchange, enc *Encoder) ([]byte, Span, header) {
	start := len(dst)
	target, date := escapeURI(x.URL), warcDate(x.Date)

	enc.block = appendHead(enc.block[:0], x.ResponseHead)
	payload := digest(x.Body)
	block := digest(enc.block, x.Body)
	id := recordID("response", target, date, block)
	response := header{
		{"WARC-Type", "response"},
		{"WARC-Record-ID", id},
		{"WARC-Date", date},
		{"WARC-Target-URI", target},
		{"WARC-IP-Address", address(x.IP)},
		{"WARC-Payload-Digest", payload},
		{"WARC-Block-Digest", block},
		{"WARC-Truncated", truncated(x.Truncated)},
		{"Content-Type", "application/http;msgtype=response"},
	}

	dst = enc.append(dst, response, enc.block, x.Body)
	span := Span{Length: int64(len(dst) - start)}

	enc.block = appendHead(enc.block[:0], x.RequestHead)
	dst = enc.append(dst, attached("request", "application/http;msgtype=request", response, enc.block), enc.block)
	if len(x.Shown) > 0 {
		dst = enc.append(dst, converted(response, x.Shown), x.Shown)
	}
	if len(x.Metadata) > 0 {
		dst = enc.append(dst, attached("metadata", "application/json", response, x.Metadata), x.Metadata)
	}
	if len(x.Outlinks) > 0 {
		enc.block = appendOutlinks(enc.block[:0], x.Outlinks)
		dst = enc.append(dst, attached("metadata", fieldsType, response, enc.block), enc.block)
	}
	return dst, span, response
}

// attached is the header of a record that was captured with a response.
func attached(kind, contentType string, response header, block []byte) header {
	return about("WARC-Concurrent-To", kind, contentType, response, block)
}

// converted is the header of what a browser made of a response.
func converted(response header, shown []byte) header {
	return about("WARC-Refers-To", "conversion", shownType, response, shown)
}

// about is the header of a record that names a response in a field.
func about(field, kind, contentType string, response header, block []byte) header {
	target, date, sum := response.get("WARC-Target-URI"), response.get("WARC-Date"), digest(block)
	return header{
		{"WARC-Type", kind},
		{"WARC-Record-ID", recordID(kind, target, date, sum+response.get("WARC-Record-ID"))},
		{"WARC-Date", date},
		{"WARC-Target-URI", target},
		{field, response.get("WARC-Record-ID")},
		{"WARC-Block-Digest", sum},
		{"Content-Type", contentType},
	}
}

// Info describes a WARC file.
type Info struct {
	Filename string
	Date     time.Time
	Fields   []Field // software, operator, robots …, in this order
}

// AppendInfo appends the warcinfo record that a WARC file begins with.
func AppendInfo(dst []byte, info *Info, enc *Encoder) []byte {
	enc.block = Field{"format", "WARC File Format 1.1"}.append(enc.block[:0])
	enc.block = Field{"conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"}.append(enc.block)
	for _, f := range info.Fields {
		enc.block = f.append(enc.block)
	}
	date, sum := warcDate(info.Date), digest(enc.block)
	return enc.append(dst, header{
		{"WARC-Type", "warcinfo"},
		{"WARC-Record-ID", recordID("warcinfo", info.Filename, date, sum)},
		{"WARC-Date", date},
		{"WARC-Filename", info.Filename},
		{"WARC-Block-Digest", sum},
		{"Content-Type", fieldsType},
	}, enc.block)
}

func warcDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// recordID is a UUID of version 8 (RFC 9562) derived from the record, so that
// the same exchange always has the same id.
func recordID(kind, target, date, digest string) string {
	sum := sha256.Sum256([]byte(kind + "\n" + target + "\n" + date + "\n" + digest))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

func digest(parts ...[]byte) string {
	h := sha1.New() // #nosec G401
	for _, p := range parts {
		h.Write(p)
	}
	return "sha1:" + base32.StdEncoding.EncodeToString(h.Sum(nil))
}

func address(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ""
	}
	return a.Unmap().WithZone("").String()
}

func truncated(why string) string {
	switch why {
	case "", "length", "time", "disconnect":
		return why
	}
	return "unspecified"
}

func lengthOf(block [][]byte) (n int) {
	for _, b := range block {
		n += len(b)
	}
	return n
}
