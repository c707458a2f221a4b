package sqlitestore

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/ledger"
)

// Entries come in the order of the URLs, for any number of them, one for each
// time that a URL is named, and only from the crawl that was asked for.
func TestEntries(t *testing.T) {
	s := open(t, Options{})
	var urls []string
	var want []*ledger.Entry
	for i := range 5 * batchRows {
		url := fmt.Sprintf("http://a.test/%d", i)
		urls = append(urls, url, url)
		if i%2 == 0 {
			want = append(want, nil, nil)
			continue
		}
		e := &ledger.Entry{Verdict: ledger.Kept, Segment: "warc/00001.warc.gz", Offset: int64(i), Length: 7, Trace: json.RawMessage(`{"a":1}`)}
		must(t, complete(t.Context(), s, "c", url, e))
		want = append(want, e, e)
	}
	got, err := s.Ledger().Entries(t.Context(), "c", urls)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, ask := range map[string][]string{"another": urls[2:4], "c": nil} {
		got, err := s.Ledger().Entries(t.Context(), name, ask)
		if err != nil || len(got) != len(ask) || len(got) > 0 && got[0] != nil {
			t.Errorf("crawl %s: %v, %v", name, got, err)
		}
	}
}
