package clean

import (
	"testing"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
)

// A page that was accepted, and makes no document, is a reject of the second look: one of the
// topic's rules would say that its document is lost, as the ledger has it.
func TestAcceptedWithoutDocument(t *testing.T) {
	p := &Page{before: &corpus.Reject{Rule: reading.RuleBody, OffTopic: &corpus.OffTopic{Text: "text"}}}
	d, r := p.decided(nil, &corpus.Reject{Rule: reading.RuleNoText, Detail: "empty"})
	if d != nil || r.Rule != reading.RuleSecondLook || r.Detail != "accepted, but "+reading.RuleNoText+": empty" || !reading.Held(r) {
		t.Errorf("%+v, %+v", d, r)
	}
}
