package corpustest

import (
	"bytes"
	"testing"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
)

// Archived returns the records of the WARC files that a pattern matches.
func Archived(t testing.TB, pattern ...string) (all []*corpus.Record) {
	t.Helper()
	for name, data := range fixture.Files(t, pattern...) {
		for rec, err := range corpus.ReadWARC(bytes.NewReader(data)) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, rec)
		}
	}
	return all
}
