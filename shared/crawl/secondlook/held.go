package secondlook

import (
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
)

// Made makes the document of a page that was held, nil if it is none for other reasons.
// Lesson returns what is known of the lines of its host.
func Made(held *clean.Page, r *reading.Reader, lesson func(host string) (*boilerplate.Learned, error)) (*corpus.Document, error) {
	held.Accept()
	pending := held.Pending(r)
	host, _, ok := pending.Learn()
	if !ok {
		return nil, nil
	}
	learned, err := lesson(host)
	if err != nil {
		return nil, err
	}
	d, _ := pending.Without(learned)
	return d, nil
}

// Change is what the end of a crawl notes of a page that becomes a document, by the
// earlier version that its reject names; "" unless the crawl is a refresh.
func Change(refresh bool, previous string) ledger.Change {
	switch {
	case !refresh:
		return ""
	case previous != "":
		return ledger.Changed
	}
	return ledger.New
}
