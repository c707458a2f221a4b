package clean_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/optout"
)

// What a response says about the use of its page is in the segment, and what
// the site said is in the trace: both are honoured again, and recorded.
func TestOptOut(t *testing.T) {
	s := newStack(t)
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
	exchange := func(url, header string, site optout.Site) *corpus.Exchange {
		x := page(url, "股市", true)
		x.ResponseHead = []byte(head + header + "\r\n")
		var err error
		if x.Metadata, err = json.Marshal(&step.Trace{Link: frontier.Link{URL: url}, Site: site}); err != nil {
			t.Fatal(err)
		}
		s.ends[url] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
		return x
	}
	reserved := optout.Site{TDM: optout.NewReservation("1", "https://a.test/p", "tdmrep.json, location /")}
	s.put(t, []*corpus.Exchange{
		exchange("http://a.test/noai", "x-robots-tag: noai\r\n", optout.Site{}),
		exchange("http://a.test/tdm", "", reserved),
		exchange("http://a.test/ai", "", optout.Site{AI: "Disallow: /ai"}),
		exchange("http://a.test/robots", "", optout.Site{Robots: "DisallowAITraining: /robots"}),
		exchange("http://a.test/open", "TDM-Reservation: 0\r\nX-Robots-Tag: nosnippet\r\n", reserved),
	})
	if err := s.clean(t, false); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"http://a.test/noai": optout.RuleNoAI, "http://a.test/tdm": optout.RuleTDM,
		"http://a.test/ai": optout.RuleAITxt, "http://a.test/robots": optout.RuleNoTraining,
	}
	if diff := cmp.Diff(want, s.rejects(t)); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	documents := s.documents(t)
	if d := documents["http://a.test/open"]; len(documents) != 1 || d.TDM != "0" || d.Robots != "allowed,nosnippet" {
		t.Errorf("%d documents, tdm %q, robots %q; want one, 0, allowed,nosnippet", len(documents), d.TDM, d.Robots)
	}
}
