package sqsqueue

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

func TestReceiptRoundTrip(t *testing.T) {
	want := receipt{lane: 2, mark: frontier.Mark{Crawl: "c.1", Host: "党.test", ID: "x", Hops: 3, Links: 25}, handle: "AQEB+/=.=="}
	got, ok := parseReceipt(want.String())
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(receipt{})); diff != "" || !ok {
		t.Errorf("receipt (-written +read), ok %t:\n%s", ok, diff)
	}
}

// FuzzReceipt checks that what parses as a receipt can be encoded again.
func FuzzReceipt(f *testing.F) {
	for _, seed := range []string{"", "x", "1", "1..", "1.e30.h", "-1.e30.h", "9999.e30.h", "0.eyJIb3BzIjoxfQ.a.b", "0.!.h"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := parseReceipt(s)
		if !ok {
			return
		}
		if r.lane < 0 || r.handle == "" {
			t.Fatalf("receipt %+v", r)
		}
		if again, ok := parseReceipt(r.String()); !ok || !cmp.Equal(r, again, cmp.AllowUnexported(receipt{})) {
			t.Fatalf("receipt %+v became %+v", r, again)
		}
	})
}

func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		lanes int
		turn  uint64
		want  []int
	}{
		{1, 1, []int{0}},
		{1, 8, []int{0}},
		{3, 1, []int{0, 1, 2}},
		{3, 2, []int{1, 0, 2}},
		{3, 4, []int{2, 0, 1}},
		{3, 8, []int{2, 0, 1}},
		{3, 0, []int{2, 0, 1}}, // the counter has run over
	} {
		q := &Queue{lanes: make([]string, tt.lanes)}
		if got := q.order(tt.turn); !slices.Equal(got, tt.want) {
			t.Errorf("order of turn %d with %d lanes: %v, want %v", tt.turn, tt.lanes, got, tt.want)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"a\t\r\n党\U0001f600\x7f": "a\t\r\n党\U0001f600\x7f",
		"\x00\x1f\ufffe\uffff":   "����",
		"\xff\xed\xa0\x80":       "����",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for n, want := range []string{"", "a", "a", "a", "a党", "a党b", "a党b"} {
		if got := cut("a党b", n); got != want {
			t.Errorf("cut to %d bytes: %q, want %q", n, got, want)
		}
	}
}
