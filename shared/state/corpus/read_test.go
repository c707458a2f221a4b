package corpus

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
)

// plainRecord is a record as other writers make it.
func plainRecord(version, uri, block string) string {
	return fmt.Sprintf("WARC/%s\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-03-30T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:%s>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		version, uri, uri, len(block), block)
}

func zipped(t testing.TB, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	zip, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if _, err := zip.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// outline is what a file was read as: each record as "URI offset+length
// block", each damage as "! offset".
func outline(t *testing.T, r io.Reader) []string {
	t.Helper()
	var out []string
	for rec, err := range ReadWARC(r) {
		var damage *Damage
		switch {
		case errors.As(err, &damage):
			if f := fault.Of(err); f.Class != fault.Permanent || f.Rule != RuleDamaged {
				t.Errorf("damage is a %v fault of rule %s", f.Class, f.Rule)
			}
			out = append(out, fmt.Sprintf("! %d", damage.Offset))
		case err != nil:
			out = append(out, err.Error())
		default:
			out = append(out, fmt.Sprintf("%s %d+%d %.8s", rec.TargetURI, rec.Offset, rec.Length, rec.Block))
		}
	}
	return out
}

func TestReadWARC(t *testing.T) {
	a, b, c := plainRecord("1.0", "a", "first"), plainRecord("1.1", "b", "second"), plainRecord("1.0", "c", "third")
	za, zb, zc := zipped(t, a), zipped(t, b), zipped(t, c)
	flip := func(s string, at int) string { return s[:at] + string([]byte{s[at] ^ 0xff}) + s[at+1:] }
	huge := fmt.Sprintf("WARC/1.0\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", maxBlock+1, strings.Repeat("x", maxBlock+1))
	zhuge := zipped(t, huge)
	at := func(name string, offset, length int, block string) string {
		return fmt.Sprintf("%s %d+%d %s", name, offset, length, block)
	}
	bad := func(offset int) string { return fmt.Sprintf("! %d", offset) }
	for _, tt := range []struct {
		name, file string
		want       []string
	}{
		{"empty", "", nil},
		{"line ends only", "\r\n\r\n\n", nil},
		{"plain", a + b, []string{at("a", 0, len(a), "first"), at("b", len(a), len(b), "second")}},
		{"gzip", za + zb + zc, []string{
			at("a", 0, len(za), "first"), at("b", len(za), len(zb), "second"), at("c", len(za+zb), len(zc), "third"),
		}},
		{"empty members between", za + zipped(t) + zb, []string{at("a", 0, len(za), "first"), at("b", len(za+zipped(t)), len(zb), "second")}},
		{"line ends between members", za + "\r\n\r\n" + zb, []string{at("a", 0, len(za), "first"), at("b", len(za)+4, len(zb), "second")}},
		{"one member for all", zipped(t, a, b), []string{at("a", 0, 0, "first"), at("b", 0, 0, "second")}},
		{"old writer", strings.ReplaceAll(plainRecord("0.18", "<a>", "x"), "\r\n", "\n"), []string{"a 0+185 x"}},
		{"no empty lines at the end", strings.TrimRight(a, "\r\n"), []string{at("a", 0, len(a)-4, "first")}},
		{"folded and odd header lines", "WARC/1.0\r\nnonsense\r\n and more\r\nWARC-Target-URI:\r\n a\r\nContent-Length: 1\r\n\r\nx", []string{"a 0+75 x"}},

		{"not a WARC file", "<html>\n<p>no", []string{bad(0)}},
		{"garbage between plain records", a + "garbage\r\n" + b, []string{at("a", 0, len(a), "first"), bad(len(a)), at("b", len(a)+9, len(b), "second")}},
		{"garbage between members", za + "garbage" + zb, []string{at("a", 0, len(za), "first"), bad(len(za)), at("b", len(za)+7, len(zb), "second")}},
		{"damaged member", za + flip(zb, len(zb)/2) + zc, []string{at("a", 0, len(za), "first"), bad(len(za)), at("c", len(za+zb), len(zc), "third")}},
		{"wrong checksum", flip(za, len(za)-6) + zb, []string{bad(0), at("b", len(za), len(zb), "second")}},
		{"torn member, then others", za[:len(za)/2] + zb + zc, []string{bad(0), at("b", len(za)/2, len(zb), "second"), at("c", len(za)/2+len(zb), len(zc), "third")}},
		{"torn at the end", za + zb[:len(zb)-3], []string{at("a", 0, len(za), "first"), bad(len(za))}},
		{"plain torn at the end", a + b[:len(b)-7], []string{at("a", 0, len(a), "first"), bad(len(a))}},
		{"torn head", "WARC/1.0\r\nContent-Le", []string{bad(0)}},
		{"member that is no record", zipped(t, "hello") + zb, []string{bad(0), at("b", len(zipped(t, "hello")), len(zb), "second")}},
		{"no length", zipped(t, "WARC/1.0\r\nWARC-Type: x\r\n\r\n") + zb, []string{bad(0), at("b", len(zipped(t, "WARC/1.0\r\nWARC-Type: x\r\n\r\n")), len(zb), "second")}},
		{"negative length", "WARC/1.0\r\nContent-Length: -5\r\n\r\n" + a, []string{bad(0), at("a", 32, len(a), "first")}},
		{"length beyond the member", zipped(t, a[:len(a)-6]) + zb, []string{bad(0), at("b", len(zipped(t, a[:len(a)-6])), len(zb), "second")}},
		{"length beyond all numbers", "WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n" + a, []string{bad(0), at("a", 50, len(a), "first")}},
		{"more than the length", zipped(t, a, "more") + zb, []string{at("a", 0, 0, "first"), bad(0), at("b", len(zipped(t, a, "more")), len(zb), "second")}},
		{"endless head", "WARC/1.0\r\n" + strings.Repeat("X: y\r\n", maxRecordHead/6+1) + "\r\n" + a, []string{bad(0), at("a", 12+6*(maxRecordHead/6+1), len(a), "first")}},
		{"huge block", huge + b, []string{bad(0), at("b", len(huge), len(b), "second")}},
		{"huge block in a member", zhuge + zb, []string{bad(0), at("b", len(zhuge), len(zb), "second")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(t, strings.NewReader(tt.file))); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
			if len(tt.file) > 1<<20 {
				return
			}
			if diff := cmp.Diff(tt.want, outline(t, iotest.OneByteReader(strings.NewReader(tt.file)))); diff != "" {
				t.Errorf("read byte by byte (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadWARCFields(t *testing.T) {
	file := "WARC/1.0\r\nwarc-type: response\r\nWARC-Target-URI: <http://a.test/上>\r\nWARC-DATE: 2020-03-30T12:00:00.5+02:00\r\n" +
		"WARC-Record-ID: <urn:uuid:1>\r\nWARC-Concurrent-To: <urn:uuid:2>\r\nWARC-Refers-To: <urn:uuid:3>\r\n" +
		"Content-Type: application/http\r\nWARC-Truncated: length\r\nX-Own: a\r\nX-Own: b\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n"
	for rec, err := range ReadWARC(strings.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a", "b"}, rec.Header["X-Own"]); diff != "" {
			t.Errorf("header (-want +got):\n%s", diff)
		}
		rec.Header = nil
		want := &Record{
			Type: "response", TargetURI: "http://a.test/上", Date: time.Date(2020, 3, 30, 10, 0, 0, 5e8, time.UTC),
			ID: "<urn:uuid:1>", ConcurrentTo: "<urn:uuid:2>", RefersTo: "<urn:uuid:3>",
			ContentType: "application/http", Truncated: "length", Block: []byte("hi"), Length: int64(len(file)),
		}
		if diff := cmp.Diff(want, rec); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
	}
}

func TestReadDate(t *testing.T) {
	for in, want := range map[string]time.Time{
		"2020-03-30T12:00:00Z":        time.Date(2020, 3, 30, 12, 0, 0, 0, time.UTC),
		"2020-03-30T12:00:00.123456Z": time.Date(2020, 3, 30, 12, 0, 0, 123456000, time.UTC),
		"2020-03-30T12:01Z":           time.Date(2020, 3, 30, 12, 1, 0, 0, time.UTC),
		"2020-03":                     time.Date(2020, 3, 1, 0, 0, 0, 0, time.UTC),
		"yesterday":                   {},
		"":                            {},
	} {
		if got := readDate(in); !got.Equal(want) {
			t.Errorf("date %q is %v, want %v", in, got, want)
		}
	}
}

// An error of the network or disk is not damage, and earlier records count.
func TestReadWARCReaderFails(t *testing.T) {
	broken := errors.New("connection reset")
	file := zipped(t, plainRecord("1.0", "a", "first"))
	torn := file + file[:len(file)/2]
	for _, tail := range []string{file, torn} {
		var records int
		var last error
		for rec, err := range ReadWARC(io.MultiReader(strings.NewReader(tail), iotest.ErrReader(broken))) {
			if last != nil {
				t.Fatalf("continues after %v", last)
			}
			if rec != nil {
				records++
			}
			last = err
		}
		var damage *Damage
		if records != 1 || !errors.Is(last, broken) || errors.As(last, &damage) {
			t.Errorf("%d records, then %v", records, last)
		}
	}
}

func TestReadWARCStops(t *testing.T) {
	a := plainRecord("1.0", "a", "first")
	n := 0
	for _, err := range ReadWARC(strings.NewReader(a + a)) {
		if n++; err != nil {
			t.Error(err)
		}
		break
	}
	if n != 1 {
		t.Errorf("got %d records", n)
	}
}

// What this package writes it reads, record by record at its place.
func TestReadWARCOfSegment(t *testing.T) {
	enc := new(Encoder)
	x := testExchange()
	date := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	file := AppendInfo(nil, &Info{Filename: "a.warc.gz", Date: date}, enc)
	infoLength := int64(len(file))
	file, span := AppendExchange(file, x, enc)
	reject := &Reject{URL: "http://a.test/上\r\n", Rule: "http_404", Date: Date{date}, OffTopic: &OffTopic{Text: "正文"}}
	rejectAt := int64(len(file))
	file, rejectSpan, err := AppendReject(file, reject, enc)
	if err != nil {
		t.Fatal(err)
	}
	file, _ = AppendDecisions(file, [][]byte{[]byte(`{"a":1}`), []byte("{\"b\":2}\n")}, date, enc)

	var types []string
	var all []*Record
	for rec, err := range ReadWARC(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, rec.Type)
		all = append(all, rec)
	}
	if diff := cmp.Diff([]string{"warcinfo", "response", "request", "metadata", "metadata", "metadata"}, types); diff != "" {
		t.Fatalf("records (-want +got):\n%s", diff)
	}
	response, trace := all[1], all[3]
	if response.Offset != infoLength || response.Length != span.Length {
		t.Errorf("response is at %d+%d, was written to %d+%d", response.Offset, response.Length, infoLength, span.Length)
	}
	if trace.ConcurrentTo != response.ID || !bytes.Equal(trace.Block, x.Metadata) {
		t.Errorf("metadata of %s is %q", trace.ConcurrentTo, trace.Block)
	}
	resp, err := response.HTTP()
	if err != nil || resp.Status != 200 || !bytes.Equal(resp.Body, x.Body) {
		t.Errorf("response is %+v, error %v", resp, err)
	}

	if all[4].Offset != rejectAt || all[4].Length != rejectSpan.Length || all[4].TargetURI != "http://a.test/%E4%B8%8A%0D%0A" {
		t.Errorf("reject of %s is at %d+%d", all[4].TargetURI, all[4].Offset, all[4].Length)
	}
	for i, rec := range all {
		got, err := rec.Reject()
		if err != nil || (got != nil) != (i == 4) {
			t.Errorf("record %d: reject %+v, error %v", i, got, err)
		}
		lines := rec.Decisions()
		if (lines != nil) != (i == 5) {
			t.Errorf("record %d: decisions %q", i, lines)
		}
	}
	got, _ := all[4].Reject()
	want := *reject
	want.V, want.URL = 1, reject.Key()
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("reject (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`{"a":1}`, `{"b":2}`}, texts(all[5].Decisions())); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}

func texts(lines [][]byte) []string {
	var out []string
	for _, l := range lines {
		out = append(out, string(l))
	}
	return out
}

func TestRejectRecordThatIsNone(t *testing.T) {
	_, err := (&Record{Type: "metadata", ContentType: rejectType, Block: []byte("{"), Offset: 7}).Reject()
	if f := fault.Of(err); f == nil || f.Class != fault.Poison || !strings.Contains(err.Error(), "byte 7") {
		t.Errorf("error is %v", err)
	}
}

func TestAppendRejectKeepsDst(t *testing.T) {
	before := []byte("what stood there")
	dst, span, err := AppendReject(before, &Reject{URL: "http://a.test/", Rule: "x"}, new(Encoder))
	if err != nil || !bytes.HasPrefix(dst, before) || int64(len(dst)-len(before)) != span.Length || span.Offset != 0 {
		t.Errorf("%d bytes, span %+v, error %v", len(dst), span, err)
	}
}

// FuzzReadWARC: for any file, reading ends, in order of the offsets, and
// records are inside of it.
func FuzzReadWARC(f *testing.F) {
	a := plainRecord("1.0", "a", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
	za := zipped(f, a)
	for _, seed := range []string{
		"", a, a + a[10:] + a, za, za + za[5:] + za, za + "\x1f\x8b\x08" + za, zipped(f, a, a), za[:40] + za,
		"WARC/1.0\r\nContent-Length: 5\r\n\r\nWARC/", "WARC/1.0\r\n :\r\n:\r\n \r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		last := int64(-1)
		damages := 0
		for rec, err := range ReadWARC(bytes.NewReader(file)) {
			var damage *Damage
			at := int64(0)
			switch {
			case errors.As(err, &damage):
				damages++
				at = damage.Offset
			case err != nil:
				t.Fatalf("error is no damage: %v", err)
			default:
				at = rec.Offset
				if rec.Length < 0 || rec.Offset+rec.Length > int64(len(file)) {
					t.Fatalf("record at %d+%d of %d bytes", rec.Offset, rec.Length, len(file))
				}
				_, _ = rec.HTTP()
				_, _ = rec.Reject()
			}
			if at < last {
				t.Fatalf("goes back from %d to %d", last, at)
			}
			last = at
		}
		if damages > len(file) {
			t.Fatalf("%d damages in %d bytes", damages, len(file))
		}
	})
}

func BenchmarkReadWARC(b *testing.B) {
	x := testExchange()
	x.Body = bytes.Repeat([]byte("<p>上海证券交易所今日公布了新的规则。</p>\n"), 800)
	var file []byte
	enc := new(Encoder)
	for range 50 {
		file, _ = AppendExchange(file, x, enc)
	}
	b.SetBytes(int64(50 * len(x.Body)))
	for b.Loop() {
		n := 0
		for _, err := range ReadWARC(bytes.NewReader(file)) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 150 {
			b.Fatalf("%d records", n)
		}
	}
}
