package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// record is a gzip member as an independent reader sees it: the standard
// library's gzip and header parser.
type record struct {
	header textproto.MIMEHeader
	block  []byte
}

func readRecord(t *testing.T, member []byte) record {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(member))
	if err != nil {
		t.Fatalf("open member: %v", err)
	}
	plain, err := io.ReadAll(zip)
	if err != nil {
		t.Fatalf("read member: %v", err)
	}
	br := bufio.NewReader(bytes.NewReader(plain))
	tp := textproto.NewReader(br)
	version, err := tp.ReadLine()
	if err != nil || version != "WARC/1.1" {
		t.Fatalf("version line is %q, error %v", version, err)
	}
	header, err := tp.ReadMIMEHeader()
	if err != nil {
		t.Fatalf("read header: %v", err)
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		t.Fatalf("read Content-Length: %v", err)
	}
	rest, _ := io.ReadAll(br)
	if len(rest) != n+4 || !bytes.HasSuffix(rest, []byte("\r\n\r\n")) {
		t.Fatalf("Content-Length is %d, but %d bytes follow", n, len(rest))
	}
	return record{header: header, block: rest[:n]}
}

// members cuts concatenated gzip members apart.
func members(t *testing.T, b []byte) [][]byte {
	t.Helper()
	var all [][]byte
	for len(b) > 0 {
		r := bytes.NewReader(b)
		zip, err := gzip.NewReader(r)
		if err != nil {
			t.Fatalf("member %d: %v", len(all), err)
		}
		zip.Multistream(false)
		if _, err := io.Copy(io.Discard, zip); err != nil {
			t.Fatalf("member %d: %v", len(all), err)
		}
		n := len(b) - r.Len()
		all = append(all, b[:n])
		b = b[n:]
	}
	return all
}

func testExchange() *Exchange {
	return &Exchange{
		URL:          "http://www.news.test/2020/a.html?x=1",
		Date:         time.Date(2026, 11, 21, 8, 0, 0, 123456789, time.FixedZone("CST", 8*3600)),
		IP:           "192.0.2.7",
		RequestHead:  []byte("GET /2020/a.html?x=1 HTTP/1.1\r\nHost: www.news.test\r\n\r\n"),
		ResponseHead: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n"),
		Body:         []byte("<p>上海</p>\n")[:12],
		Metadata:     []byte(`{"parent":"http://www.news.test/"}`),
	}
}

func TestAppendExchange(t *testing.T) {
	x := testExchange()
	before := []byte("what stood there")
	dst, span := AppendExchange(before, x, new(Encoder))
	if !bytes.HasPrefix(dst, before) {
		t.Fatal("dst was overwritten")
	}
	added := dst[len(before):]
	all := members(t, added)
	if len(all) != 3 {
		t.Fatalf("got %d records, want 3", len(all))
	}
	if got := added[span.Offset : span.Offset+span.Length]; !bytes.Equal(got, all[0]) {
		t.Error("span is not that of the response record")
	}

	response, request, metadata := readRecord(t, all[0]), readRecord(t, all[1]), readRecord(t, all[2])
	id := response.header.Get("WARC-Record-ID")
	want := textproto.MIMEHeader{
		"Warc-Type":           {"response"},
		"Warc-Record-Id":      {id},
		"Warc-Date":           {"2026-11-21T00:00:00.123456Z"},
		"Warc-Target-Uri":     {"http://www.news.test/2020/a.html?x=1"},
		"Warc-Ip-Address":     {"192.0.2.7"},
		"Warc-Payload-Digest": {digest(x.Body)},
		"Warc-Block-Digest":   {digest(x.ResponseHead, x.Body)},
		"Content-Type":        {"application/http;msgtype=response"},
		"Content-Length":      {strconv.Itoa(len(x.ResponseHead) + len(x.Body))},
	}
	if diff := cmp.Diff(want, response.header); diff != "" {
		t.Errorf("response header (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(string(x.ResponseHead)+string(x.Body), string(response.block)); diff != "" {
		t.Errorf("response block (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		name  string
		rec   record
		block []byte
	}{
		{"request", request, x.RequestHead},
		{"metadata", metadata, x.Metadata},
	} {
		if got := tt.rec.header.Get("WARC-Type"); got != tt.name {
			t.Errorf("%s: WARC-Type is %q", tt.name, got)
		}
		if got := tt.rec.header.Get("WARC-Concurrent-To"); got != id {
			t.Errorf("%s: WARC-Concurrent-To is %q, want %q", tt.name, got, id)
		}
		if got := tt.rec.header.Get("WARC-Record-ID"); got == id || got == "" {
			t.Errorf("%s: WARC-Record-ID is %q", tt.name, got)
		}
		if got, want := tt.rec.header.Get("WARC-Block-Digest"), digest(tt.block); got != want {
			t.Errorf("%s: WARC-Block-Digest is %q, want %q", tt.name, got, want)
		}
		if !bytes.Equal(tt.rec.block, tt.block) {
			t.Errorf("%s: block is %q", tt.name, tt.rec.block)
		}
	}

	again, _ := AppendExchange(nil, x, new(Encoder))
	if !bytes.Equal(again, added) {
		t.Error("the same exchange gives other bytes")
	}
}

// The digest of nothing is in every reader's test suite.

// What a browser showed is a record about the response, behind the request.
func TestShown(t *testing.T) {
	x := testExchange()
	x.Shown = []byte("<html><body><p>上海</p></body></html>")
	data, _ := AppendExchange(nil, x, new(Encoder))
	var types []string
	var id string
	for rec, err := range ReadWARC(bytes.NewReader(data)) {
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, rec.Type)
		switch {
		case rec.Type == "response":
			id = rec.ID
		case rec.Type != "conversion":
			if rec.Shows() != "" {
				t.Errorf("a %s record shows a page", rec.Type)
			}
		case rec.Shows() != id || !bytes.Equal(rec.Block, x.Shown) || rec.ConcurrentTo != "" || rec.TargetURI != x.URL || rec.Header.Get("WARC-Block-Digest") != digest(x.Shown):
			t.Errorf("conversion of %q is %+v", id, rec)
		}
	}
	if diff := cmp.Diff([]string{"response", "request", "conversion", "metadata"}, types); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestDigestIsBase32SHA1(t *testing.T) {
	if got, want := digest(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"; got != want {
		t.Errorf("digest of nothing is %s, want %s", got, want)
	}
}

func TestExchangeOptionalFields(t *testing.T) {
	for _, tt := range []struct {
		name    string
		edit    func(*Exchange)
		field   string
		want    string
		records int
	}{
		{"no address", func(x *Exchange) { x.IP = "" }, "WARC-IP-Address", "", 3},
		{"no address but a name", func(x *Exchange) { x.IP = "proxy.test" }, "WARC-IP-Address", "", 3},
		{"address with zone", func(x *Exchange) { x.IP = "fe80::1%eth0" }, "WARC-IP-Address", "fe80::1", 3},
		{"mapped address", func(x *Exchange) { x.IP = "::ffff:192.0.2.1" }, "WARC-IP-Address", "192.0.2.1", 3},
		{"complete", func(*Exchange) {}, "WARC-Truncated", "", 3},
		{"truncated", func(x *Exchange) { x.Truncated = "length" }, "WARC-Truncated", "length", 3},
		{"truncated for a reason of its own", func(x *Exchange) { x.Truncated = "why\r\nnot" }, "WARC-Truncated", "unspecified", 3},
		{"no metadata", func(x *Exchange) { x.Metadata = nil }, "WARC-Type", "response", 2},
		{"no body", func(x *Exchange) { x.Body = nil }, "WARC-Payload-Digest", digest(), 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := testExchange()
			tt.edit(x)
			dst, span := AppendExchange(nil, x, new(Encoder))
			if got := len(members(t, dst)); got != tt.records {
				t.Errorf("got %d records, want %d", got, tt.records)
			}
			rec := readRecord(t, dst[span.Offset:span.Offset+span.Length])
			if got := rec.header.Get(tt.field); got != tt.want {
				t.Errorf("%s is %q, want %q", tt.field, got, tt.want)
			}
		})
	}
}

func TestAppendHeadEndsOnce(t *testing.T) {
	for _, tt := range []struct{ name, head, want string }{
		{"as it should be", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"},
		{"without end", "HTTP/1.1 200 OK\r\nA: b", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"},
		{"empty line inside", "HTTP/1.1 200 OK\r\n\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"},
		{"empty line first", "\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"},
		{"bare line feeds", "HTTP/1.1 200 OK\r\nA: b\n\nC: d\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b  C: d\r\n\r\n"},
		{"bare carriage return", "HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b C: d\r\n\r\n"},
		{"blank line of another kind", "HTTP/1.1 200 OK\r\n \n\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"},
		{"nothing", "", "\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(appendHead(nil, []byte(tt.head)))); diff != "" {
				t.Errorf("head (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendInfo(t *testing.T) {
	info := &Info{
		Filename: "00001.warc.gz",
		Date:     time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		Fields:   []Field{{"software", "sluice/1.0"}, {"operator", "a@b.test\r\nWARC-Evil: 1"}},
	}
	all := members(t, AppendInfo(nil, info, new(Encoder)))
	if len(all) != 1 {
		t.Fatalf("got %d records, want 1", len(all))
	}
	rec := readRecord(t, all[0])
	if got := rec.header.Get("WARC-Filename"); got != info.Filename {
		t.Errorf("WARC-Filename is %q", got)
	}
	want := "format: WARC File Format 1.1\r\n" +
		"conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n" +
		"software: sluice/1.0\r\n" +
		"operator: a@b.test  WARC-Evil: 1\r\n"
	if diff := cmp.Diff(want, string(rec.block)); diff != "" {
		t.Errorf("block (-want +got):\n%s", diff)
	}
}

// FuzzAppendExchange: for anything a server sends, each record has exactly the
// right headers, and the payload is found after the first empty line.
func FuzzAppendExchange(f *testing.F) {
	f.Add("http://a.test/", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", []byte("body"), "1.2.3.4", "")
	f.Add("http://a.test/\r\nWARC-Type: evil", "HTTP/1.1 200 OK\r\n\r\nA: b\n\n", []byte("\r\n\r\n"), "::1%\r\nX: y", "x\r\ny")
	f.Add("http://a.test/上海?q= \x00", "\n\r\n \r\r", []byte{}, "", "length")
	f.Fuzz(func(t *testing.T, url, head string, body []byte, ip, why string) {
		x := &Exchange{
			URL: url, Date: time.Unix(1, 0), IP: ip, Truncated: why, Body: body,
			RequestHead: []byte(head), ResponseHead: []byte(head),
		}
		dst, span := AppendExchange(nil, x, new(Encoder))
		rec := readRecord(t, dst[span.Offset:span.Offset+span.Length])
		for name, values := range rec.header {
			if !strings.HasPrefix(name, "Warc-") && !strings.HasPrefix(name, "Content-") || len(values) != 1 {
				t.Errorf("header %q: %q", name, values)
			}
		}
		if got := rec.header.Get("WARC-Type"); got != "response" {
			t.Errorf("WARC-Type is %q", got)
		}
		_, payload, ok := bytes.Cut(append([]byte("\r\n"), rec.block...), []byte("\r\n\r\n"))
		if !ok || !bytes.Equal(payload, body) {
			t.Errorf("payload is %q, want %q", payload, body)
		}
	})
}

func TestResponseBlockReadsAsHTTP(t *testing.T) {
	dst, span := AppendExchange(nil, testExchange(), new(Encoder))
	rec := readRecord(t, dst[span.Offset:span.Offset+span.Length])
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rec.block)), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Equal(body, testExchange().Body) {
		t.Errorf("body is %q, error %v", body, err)
	}
}

func BenchmarkAppendExchange(b *testing.B) {
	x := testExchange()
	x.Body = bytes.Repeat([]byte("<p>上海证券交易所今日公布了新的规则。</p>\n"), 800)
	b.SetBytes(int64(len(x.Body)))
	var dst []byte
	enc := new(Encoder)
	for b.Loop() {
		dst, _ = AppendExchange(dst[:0], x, enc)
	}
}
