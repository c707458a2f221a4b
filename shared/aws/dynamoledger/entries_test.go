package dynamoledger

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who can wait for an end sees what the ledger has, for half the price.
func TestEnds(t *testing.T) {
	s, p, c := metered(t)
	urls, ends := threeEnds(t, s, c, &keptEntry)
	refused, err := s.Ledger().Complete(t.Context(), "c", "w", ends[:2])
	if err = errors.Join(append(refused, err)...); err != nil {
		t.Fatal(err)
	}
	want, err := s.Ledger().Entries(t.Context(), "c", urls)
	if err != nil || want[1] == nil || want[2] != nil {
		t.Fatalf("Entries = %v, %v", want, err)
	}
	p.reset()
	got, err := s.Ends().Entries(t.Context(), "c", urls)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, entries (-latest +ends):\n%s", err, diff)
	}
	if p.reads > 2 || p.requests["BatchGetItem"] != 1 || len(p.requests) != 1 {
		t.Errorf("%v units, requests %v", p.reads, p.requests)
	}
}
