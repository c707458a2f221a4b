package dynamoledger

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/attr"
	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

var someTime = time.Date(2026, 11, 21, 8, 30, 12, 345678901, time.UTC)

// realLink is a link as a crawl of a news portal finds it.
func realLink(rng *rand.Rand) frontier.Link {
	return frontier.Link{
		URL:      fmt.Sprintf("https://finance.example.com.cn/cj/2026/11-%02d/%08d.shtml", rng.IntN(30), rng.IntN(1e8)),
		Seed:     "https://www.example.com.cn/",
		Parent:   fmt.Sprintf("https://finance.example.com.cn/cj/2026/11-%02d/%08d.shtml", rng.IntN(30), rng.IntN(1e8)),
		Anchor:   sentence(rng, 22),
		Depth:    3,
		Priority: rng.Float64(),
		Parts:    frontier.Parts{Description: rng.Float64() / 100, Anchor: rng.Float64() / 100, Structure: 1},
	}
}

// realEntry is the entry of a kept page, with all that its trace can hold.
func realEntry(rng *rand.Rand) *ledger.Entry {
	relevance := func() *topic.Relevance {
		r := &topic.Relevance{Value: rng.Float64() / 100, Words: 40, OOV: rng.Float64()}
		for range 5 {
			r.Top = append(r.Top, topic.Contribution{Word: sentence(rng, 2), Topic: sentence(rng, 2), Value: rng.Float64() / 100})
		}
		return r
	}
	trace, err := json.Marshal(&step.Trace{
		Link: realLink(rng), Status: 200, Charset: "gb18030", Title: sentence(rng, 30),
		Relevance: relevance(), Threshold: 0.00123456789, Body: relevance(), BodyThreshold: 0.00234567891, HistorySize: 50,
		Version: 1, ETag: fmt.Sprintf(`W/"%x-%x"`, rng.Uint32(), rng.Uint64()), LastModified: someTime.Format(http.TimeFormat),
		TextDigest: fmt.Sprintf("%016x%016x", rng.Uint64(), rng.Uint64()),
	})
	if err != nil {
		panic(err)
	}
	return &ledger.Entry{
		Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 3, Dropped: 41,
		Drops:   map[string]int{"anchor": 20, "priority": 15, "scope": 4, "nofollow": 2},
		Segment: "raw/finance-2026/20261121T083012-4f2a9c01.warc.gz", Offset: rng.Int64N(1 << 26), Length: 23456, At: someTime, Trace: trace,
	}
}

// sentence draws n of the 1,500 commonest Chinese characters' worth of text.
func sentence(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteRune(rune(0x4e00 + rng.IntN(1500)))
	}
	return b.String()
}

func TestEntryRoundTrip(t *testing.T) {
	full := realEntry(rand.New(rand.NewPCG(1, 1)))
	spaced := &ledger.Entry{Verdict: ledger.Passed, At: someTime, Trace: []byte("{\"a\":\n \"\\u003c\"}\n")}
	huge := realEntry(rand.New(rand.NewPCG(1, 2)))
	huge.Trace = noise(2 * maxEntry)
	bare := *huge
	bare.Trace = nil
	for _, tt := range []struct {
		name     string
		in, want *ledger.Entry
	}{
		{"all fields", full, full},
		{"no trace", &ledger.Entry{Verdict: ledger.Skipped, Rule: "规则", At: someTime}, &ledger.Entry{Verdict: ledger.Skipped, Rule: "规则", At: someTime}},
		{"trace of several lines", spaced, spaced},
		{"trace too large for an item", huge, &bare},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCodec()
			packed, err := c.packEntry(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if len(packed) > maxEntry {
				t.Errorf("%d bytes, at most %d", len(packed), maxEntry)
			}
			got, err := newCodec().unpackEntry(packed)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("entry (-packed +unpacked):\n%s", diff)
			}
		})
	}
}

// noise is text that does not compress much.
func noise(n int) []byte {
	raw := make([]byte, n)
	for i, rng := 0, rand.New(rand.NewPCG(1, 3)); i < n; i++ {
		raw[i] = byte(rng.Uint32())
	}
	return fmt.Appendf(nil, "%q", hex.EncodeToString(raw))
}

// TestItemsFitAWriteUnit checks the purpose of the layout: the items of a kept
// page and of the URL of a waiting link, with keys and index attributes, fit one write
// unit.
func TestItemsFitAWriteUnit(t *testing.T) {
	c := newCodec()
	rng := rand.New(rand.NewPCG(1, 4))
	sums := map[string]int{}
	const n = 200
	for range n {
		e, l := realEntry(rng), realLink(rng)
		body, err := c.packEntry(e)
		if err != nil {
			t.Fatal(err)
		}
		page := itemSize(item{
			"k": attr.Text(urlKey("finance-2026", l.URL)), "s": attr.Text(stateDone), "e": attr.Blob(body),
			"hc": attr.Text("finance-2026"), "hk": attr.Text(hex16(onCircle(l.URL))), "u": attr.Text(l.URL), "r": attr.Number(0),
		})
		s := &Store{codec: c}
		ws, err := s.Backlog().encode("finance-2026", []frontier.Link{l})
		if err != nil {
			t.Fatal(err)
		}
		w := ws[0]
		w.rank, w.at = w.order+chain(""), spot{place: placeOf(w.order+chain(""), w.url), index: 10, size: 25}
		row := itemSize(item{"k": attr.Text(w.key), "s": attr.Text(stateQueued), "b": attr.Text(w.rank), "w": attr.Text(w.at.String())})
		for what, size := range map[string]int{"page": page, "row": row} {
			sums[what] += size
			if size > writeUnit {
				t.Errorf("%s takes %d bytes, more than a write unit", what, size)
			}
		}
	}
	for what, sum := range sums {
		t.Logf("%s: %d bytes on average", what, sum/n)
	}
}

// itemSize is the size that DynamoDB bills, a little rounded up.
func itemSize(it item) int {
	size := 0
	for name := range it {
		size += len(name) + len(attr.TextOf(it[name])) + len(attr.BlobOf(it[name]))
		if attr.NumberOf(it[name]) != 0 {
			size += 21
		}
	}
	return size
}

// storedEntry is an entry as the first dictionary packed it.
const storedEntry = "28b52ffd2101e70d0200b40132632f3130323033303a31322e30313a2f2f612e746573742f227d0b00" +
	"e984ecef0a80eb0ab7dc151fed8a8dd515b4cb15d20ec831048b18060bee32581241"

// TestStoredValuesStayReadable guards the dictionary: values stored with it
// must stay readable.
func TestStoredValuesStayReadable(t *testing.T) {
	e, err := newCodec().unpackEntry(unhex(t, storedEntry))
	if err != nil {
		t.Fatal(err)
	}
	want := &ledger.Entry{
		Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 2, Dropped: 3, Drops: map[string]int{"scope": 3},
		Segment: "raw/c/1.warc.gz", Offset: 10, Length: 20, At: someTime, Trace: []byte(`{"link":{"url":"http://a.test/"},"status":200}`),
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("entry (-stored +read):\n%s", diff)
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzUnpack(f *testing.F) {
	c := newCodec()
	packed, err := c.packEntry(realEntry(rand.New(rand.NewPCG(1, 5))))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add(c.pack([]byte(`{"url":"http://a.test/","priority":1}`)))
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 20))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = c.readPack(item{"l": attr.Blob(b)}) // any error will do, no panic
		e, err := c.unpackEntry(b)
		if err != nil {
			return
		}
		again, err := c.packEntry(e)
		if err != nil {
			t.Skip("not an entry of ours")
		}
		got, err := c.unpackEntry(again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, got); diff != "" {
			t.Errorf("entry (-first +second):\n%s", diff)
		}
	})
}
