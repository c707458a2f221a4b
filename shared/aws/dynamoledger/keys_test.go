package dynamoledger

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sluice/shared/aws/attr"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

func TestSortable(t *testing.T) {
	ascending := []float64{
		-math.MaxFloat64, -1e9, -1, -1e-300, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64,
		1e-300, 0.1, math.Nextafter(0.1, 1), 1, 1e6, 1e9, math.MaxFloat64,
	}
	for i, f := range ascending {
		place := placeOf(head(7, rank.Order{Priority: f})+" "+strings.Repeat("0", lenTail), "http://a.test/")
		if got, err := placedOrder(place); err != nil || got.Priority != f {
			t.Errorf("order of %s is %v, %v, want %v", place, got, err, f)
		}
		if i > 0 && head(7, rank.Order{Priority: f}) >= head(7, rank.Order{Priority: ascending[i-1]}) {
			t.Errorf("%v does not come before %v", f, ascending[i-1])
		}
	}
	if head(0, rank.Order{Priority: math.Copysign(0, -1)}) != head(0, rank.Order{}) {
		t.Error("-0 and 0 are two priorities")
	}
	for _, bad := range []string{"", "00000000#", "00000000#zzzzzzzzzzzzzzzz#http://a.test/", "00000000#401fffffffffffff~zzzzzzzzzzzzzzzz#http://a.test/"} {
		if p, err := placedOrder(bad); err == nil {
			t.Errorf("priority of %q is %v, want an error", bad, p)
		}
	}
}

// TestOrderOfStrings compares ranks and places with frontier.Backlog's order of
// links.
func TestOrderOfStrings(t *testing.T) {
	s := &Store{codec: newCodec()}
	rng := rand.New(rand.NewPCG(8, 8))
	paths := []string{"", "a", "a!", "a/", "a%20", "a\"", "b", "a~", "aa"}
	some := func() frontier.Link {
		return frontier.Link{
			URL: "http://a.test/" + paths[rng.IntN(len(paths))], Round: []int{0, 1, 9, 300, math.MaxUint32}[rng.IntN(5)],
			Priority: []float64{-1, 0, 0.5, 1e9}[rng.IntN(4)], Tie: []float64{-1, 0, 0, 1e-300, 7}[rng.IntN(5)], Parent: "http://a.test/" + paths[rng.IntN(len(paths))],
		}
	}
	for range 5000 {
		var w [2]*waiting
		l := [2]frontier.Link{some(), some()}
		for i := range l {
			ws, err := s.Backlog().encode("c", l[i:i+1])
			if err != nil {
				t.Fatal(err)
			}
			w[i] = ws[0]
			w[i].rank = w[i].order + chain(strconv.Itoa(rng.IntN(100)))
		}
		better := cmp.Or(cmp.Compare(l[0].Round, l[1].Round), l[0].Order().Compare(l[1].Order()), cmp.Compare(l[0].Parent, l[1].Parent))
		if got := cmp.Compare(w[0].order, w[1].order); better != 0 && got != better {
			t.Errorf("rank %q to %q: %d, want %d", w[0].order, w[1].order, got, better)
		}
		first := cmp.Or(cmp.Compare(l[0].Round, l[1].Round), l[0].Order().Compare(l[1].Order()), cmp.Compare(l[0].URL, l[1].URL))
		p0, p1 := placeOf(w[0].rank, l[0].URL), placeOf(w[1].rank, l[1].URL)
		if got := cmp.Compare(p0, p1); first != 0 && got != first {
			t.Errorf("place %q to %q: %d, want %d", p0, p1, got, first)
		}
		if got := urlOf(p0); got != l[0].URL {
			t.Errorf("URL of place %q is %q", p0, got)
		}
	}
}

// maxSortKey is DynamoDB's.
const maxSortKey = 1024

func TestLongURLs(t *testing.T) {
	rank := head(1, rank.Order{Priority: 1, Tie: 1}) + " " + strings.Repeat("p", 3000) + " " + strings.Repeat("0", lenTail)
	seen := map[string]string{}
	for n := 900; n <= urlnorm.MaxLen; n++ {
		url := "http://a.test/" + strings.Repeat("x", n)
		p := placeOf(rank, url)
		if len(p) > maxSortKey {
			t.Fatalf("place of a URL of %d bytes has %d", len(url), len(p))
		}
		if other := seen[p]; other != "" {
			t.Fatalf("URLs of %d and %d bytes have one place", len(other), len(url))
		}
		seen[p] = url
		if len(url) <= maxURL && urlOf(p) != url {
			t.Fatalf("URL of %d bytes reads back as %q", len(url), urlOf(p))
		}
	}
}

// TestHostOf compares with the host that urlnorm reads.
func TestHostOf(t *testing.T) {
	for _, raw := range []string{
		"http://a.test", "https://A.test:8443/x?y=/z", "http://a.test?q", "http://[2001:db8::1]:81/a:b", "http://10.0.0.1:80/", "http://例子.测试/路",
	} {
		u, err := urlnorm.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := urlnorm.HostOf(u.String()); got != u.Host() {
			t.Errorf("host of %s is %q, want %q", u, got, u.Host())
		}
	}
}

func TestURLKeysAreApart(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range []string{"c", "d", "c#"} {
		for i := range 1000 {
			k := urlKey(c, fmt.Sprintf("http://a.test/%d", i))
			if seen[k] {
				t.Fatalf("key %s twice", k)
			}
			seen[k] = true
		}
	}
}

// TestKeysStay guards stored keys: other keys would lose a running crawl.
func TestKeysStay(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"url", urlKey("c", "http://a.test/"), "c#so4-_WlIuM9q2ccTzBIlrQ"},
		{"draw", hex16(onCircle("http://a.test/")), "6a9430545c3317ee"},
		{"host", attr.TextOf(hostKey("c", "a.test")["p"]), "host#c#10"},
		{"place", placeOf(head(1, rank.Order{Priority: 0.5})+" http://p.test/ "+strings.Repeat("0", lenTail), "http://a.test/"), "00000001#401fffffffffffff#http://a.test/ " + strings.Repeat("0", lenTail)},
		{"place with a tie", placeOf(head(1, rank.Order{Priority: 0.5, Tie: 0.5})+" http://p.test/ "+strings.Repeat("0", lenTail), "http://a.test/"), "00000001#401fffffffffffff\t401fffffffffffff#http://a.test/ " + strings.Repeat("0", lenTail)},
		{"chain", chain("before"), "112a2318"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func FuzzPlace(f *testing.F) {
	f.Add("http://a.test/", "http://p.test/", 0.5, 0.0, uint32(1))
	f.Add("http://a.test/ #!", "", -1.0, -1.0, uint32(0))
	f.Add(strings.Repeat("党", 400), strings.Repeat(" ", 50), 1e300, 1e-300, uint32(math.MaxUint32))
	s := &Store{codec: newCodec()}
	f.Fuzz(func(t *testing.T, url, parent string, priority, tie float64, round uint32) {
		ws, err := s.Backlog().encode("c", []frontier.Link{{URL: url, Parent: parent, Priority: priority, Tie: tie, Round: int(round)}})
		if err != nil {
			return // NaN and the infinities
		}
		p := placeOf(ws[0].order+chain(""), url)
		if len(p) > maxSortKey {
			t.Errorf("place has %d bytes", len(p))
		}
		if len(url) <= maxURL && urlOf(p) != url {
			t.Errorf("URL reads back as %q, want %q", urlOf(p), url)
		}
		if got, err := placedOrder(p); err != nil || got.Priority != priority || got.Tie != tie {
			t.Errorf("order reads back as %v, %v, want %v and %v", got, err, priority, tie)
		}
	})
}
