package fetch

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"sluice/shared/fault"
)

// encode applies a content coding; "raw-deflate" is deflate without zlib.
func encode(t testing.TB, coding string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, err = zstd.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "raw-deflate":
		w, err = flate.NewWriter(&b, 6)
	default:
		return data
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// answer serves bytes under a Content-Encoding.
func answer(coding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", coding)
		_, _ = w.Write(body)
	}
}

func TestContentEncoding(t *testing.T) {
	text := []byte(strings.Repeat("股市今日上涨。", 20_000))
	gz := encode(t, "gzip", text)
	tests := []struct {
		name   string
		header string
		body   []byte
		rule   string // of a Permanent error
	}{
		{"identity", "identity", text, ""},
		{"gzip", "gzip", gz, ""},
		{"old name, upper case", "X-GZIP", gz, ""},
		{"brotli", "br", encode(t, "br", text), ""},
		{"zstd", "zstd", encode(t, "zstd", text), ""},
		{"deflate", "deflate", encode(t, "deflate", text), ""},
		{"deflate without zlib", "deflate", encode(t, "raw-deflate", text), ""},
		{"two layers", "br, gzip", encode(t, "gzip", encode(t, "br", text)), ""},
		{"a charset in its place", "utf-8", text, ""},
		{"gzip in two members", "gzip", append(encode(t, "gzip", text[:30]), encode(t, "gzip", text[30:])...), ""},
		{"gzip and rubbish", "gzip", append(bytes.Clone(gz), "\r\n<!-- served by -->"...), ""},
		{"three layers", "gzip, gzip, gzip", encode(t, "gzip", encode(t, "gzip", gz)), "bad_encoding"},
		{"unknown", "compress", text, "bad_encoding"},
		{"not gzip", "gzip", text, "bad_encoding"},
		{"gzip cut short", "gzip", gz[:len(gz)/2], "bad_encoding"},
		{"gzip and a member cut short", "gzip", append(bytes.Clone(gz), gz[:5]...), "bad_encoding"},
		{"gzip and a member of other data", "gzip", append(bytes.Clone(gz), "\x1f\x8b\x08 and no gzip"...), "bad_encoding"},
		{"gzip of one byte", "gzip", gz[:1], "bad_encoding"},
		{"not brotli", "br", text, "bad_encoding"},
		{"not zstd", "zstd", text, "bad_encoding"},
		{"zstd cut short", "zstd", encode(t, "zstd", text)[:50], "bad_encoding"},
		{"not deflate", "deflate", text, "bad_encoding"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, c := serve(t, Options{}, answer(tt.header, tt.body))
			for range 2 { // the second one with a used decoder
				res, err := c.Fetch(t.Context(), &Request{URL: base})
				if !bytes.Equal(res.Raw, tt.body) {
					t.Error("Raw is not what was sent")
				}
				if tt.rule != "" {
					wantFault(t, err, fault.Permanent, tt.rule)
					continue
				}
				if err != nil || !bytes.Equal(res.Body, text) {
					t.Errorf("got %d bytes, %v", len(res.Body), err)
				}
			}
		})
	}
}

func TestEmptyEncodedBody(t *testing.T) {
	base, c := serve(t, Options{}, answer("gzip", nil))
	res, err := c.Fetch(t.Context(), &Request{URL: base})
	if err != nil || len(res.Body) != 0 {
		t.Errorf("got %+v, %v", res, err)
	}
}

// TestBombs fetches a GiB of zeros (brotli: 20 MiB) and holds the client to the
// memory of what it would have kept.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 1<<20)
	inner := bytes.Repeat(encode(t, "gzip", zeros), 1<<10) // 1,024 members
	bombs := map[string][]byte{
		"gzip":       inner,
		"br":         encode(t, "br", make([]byte, 20<<20)), // knows no members
		"zstd":       bytes.Repeat(encode(t, "zstd", zeros), 1<<10),
		"gzip, gzip": encode(t, "gzip", inner),
	}
	for coding, body := range bombs {
		t.Run(coding, func(t *testing.T) {
			base, c := serve(t, Options{}, answer(coding, body))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := c.Fetch(t.Context(), &Request{URL: base})
			runtime.ReadMemStats(&after)
			wantFault(t, err, fault.Permanent, "too_large")
			// Everything allocated, garbage included: doubling up to the 16 MiB
			// limit is 32 MiB; the rest is windows and the transfer.
			if total := (after.TotalAlloc - before.TotalAlloc) >> 20; total > 64 {
				t.Errorf("allocated %d MiB for %d bytes", total, len(body))
			}
		})
	}
}

func TestZstdWindow(t *testing.T) {
	// A frame header that asks for a window of 1 GiB, and one empty last block.
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 20 << 3, 0x01, 0x00, 0x00}
	base, c := serve(t, Options{}, answer("zstd", frame))
	_, err := c.Fetch(t.Context(), &Request{URL: base})
	wantFault(t, err, fault.Permanent, "bad_encoding")
}

func TestContentCodings(t *testing.T) {
	h := http.Header{"Content-Encoding": {"Identity, gzip ,", "GBK", " br"}}
	if d := cmp.Diff([]string{"gzip", "br"}, contentCodings(h)); d != "" {
		t.Error(d)
	}
}

func TestDecode(t *testing.T) {
	text := []byte("股市今日上涨")
	limit := int64(len(text))
	tests := []struct {
		name, codings string
		raw           []byte
		limit         int64
		want          error
	}{
		{"at the limit", "gzip", encode(t, "gzip", text), limit, nil},
		{"above the limit", "gzip", encode(t, "gzip", text), limit - 1, errTooLong},
		{"not encoded, at the limit", "", text, limit, nil},
		{"not encoded, above the limit", "", text, limit - 1, errTooLong},
		{"two layers", "br, gzip", encode(t, "gzip", encode(t, "br", text)), 10 * limit, nil},
		{"an inner layer above the limit", "gzip, br", encode(t, "br", encode(t, "gzip", text)), limit, errTooLong},
		{"three layers", "gzip, gzip, gzip", text, limit, errCodings},
		{"unknown", "compress", text, limit, errNoDecode},
		{"cut short", "gzip", encode(t, "gzip", text)[:20], limit, io.ErrUnexpectedEOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode(http.Header{"Content-Encoding": {tt.codings}}, tt.raw, tt.limit)
			if !errors.Is(err, tt.want) || err == nil && !bytes.Equal(got, text) {
				t.Errorf("Decode = %q, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestReadLimit(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		name        string
		size, limit int
		more        bool
	}{
		{"empty", 0, 10, false},
		{"below", 9, 10, false},
		{"equal", 10, 10, false},
		{"above", 11, 10, true},
		{"equal to the buffer", firstBuffer, firstBuffer, false},
		{"above the buffer", firstBuffer + 1, firstBuffer, true},
		{"large", 3 << 20, 3 << 20, false},
		{"too large", 3<<20 + 1, 3 << 20, true},
	}
	var b buffers
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := bytes.Repeat([]byte("x"), tt.size)
			data, more, err := b.read(bytes.NewReader(in), int64(tt.limit))
			if err != nil || more != tt.more || !bytes.Equal(data, in[:min(tt.size, tt.limit)]) {
				t.Errorf("got %d bytes, more %v, %v", len(data), more, err)
			}
			data, _, err = b.read(io.MultiReader(strings.NewReader("ab"), errReader{broken}), 10)
			if string(data) != "ab" || !errors.Is(err, broken) {
				t.Errorf("got %q, %v", data, err)
			}
		})
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func FuzzDecode(f *testing.F) {
	for i, coding := range []string{"gzip", "br", "zstd", "deflate", "raw-deflate"} {
		f.Add(uint8(i), encode(f, coding, []byte("股市今日上涨")))
	}
	c := client(f, Options{})
	codings := []string{"gzip", "br", "zstd", "deflate"}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		const limit = 1000
		data, more, err := c.decode([]string{codings[int(which)%len(codings)]}, body, limit)
		if len(data) > limit || more && err == nil && len(data) != limit {
			t.Errorf("%d bytes, more %v", len(data), more)
		}
	})
}
