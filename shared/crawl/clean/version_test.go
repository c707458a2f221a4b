package clean_test

import (
	"bytes"
	"testing"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// A page that a refresh found changed is the version that the step made of it.
func TestVersion(t *testing.T) {
	s := newStack(t)
	const url = "http://a.test/changed"
	x := page(url, "股市 银行", true)
	x.Metadata = bytes.Replace(x.Metadata, []byte(`{"link":`), []byte(`{"version":3,"link":`), 1)
	s.put(t, []*corpus.Exchange{x})
	s.ends[url] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
	if err := s.clean(t, false); err != nil {
		t.Fatal(err)
	}
	d := s.documents(t)[url]
	if d.Version != 3 || d.ID != corpus.DocumentID(url, 3) || d.Previous != corpus.DocumentID(url, 2) {
		t.Errorf("version %d, ID %s, previous %q", d.Version, d.ID, d.Previous)
	}
}
