package clean_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
	"sluice/shared/topic"
)

// others are topics that no page of the demo web about finance is on, each by
// another rule.
var others = map[string]string{
	reading.RuleDescription: "name: other\nlanguage: zh\nwords: [量子, 光子]\nthresholds: {description: 0.9, priority: 0.08}\n",
	reading.RuleLanguage:    "name: other\nlanguage: en\nwords: [bank, stock]\nthresholds: {description: 0.1, priority: 0.08}\n",
	reading.RuleBody:        "name: other\nlanguage: zh\nwords: [股市, 银行]\nthresholds: {description: 0.000001, body: 1, priority: 0.08}\n",
}

func parseTopic(t *testing.T, text string) *topic.Compiled {
	t.Helper()
	file, err := topic.Parse("other.yaml", []byte(text+"seeds: ['http://a.test/']\n"))
	if err != nil {
		t.Fatal(err)
	}
	return file.Compiled()
}

// What the step kept stays where it is, with any topic that the crawl has when
// events of the segment come, and after repeats of these.
func TestAnotherTopic(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		s, kept := newDemoStack(t)
		s.put(t, kept.exchanges)
		for url := range kept.documents {
			s.ends[url] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
		}
		check := func(name string) {
			t.Helper()
			for range 2 {
				if err := s.clean(t, false); err != nil {
					t.Fatal(err)
				}
				want := slices.Sorted(maps.Keys(kept.documents))
				if diff := cmp.Diff(want, slices.Sorted(maps.Keys(s.documents(t)))); diff != "" {
					t.Errorf("%s: documents (-step +clean):\n%s", name, diff)
				}
				if keys := slices.Sorted(maps.Keys(s.objects)); !slices.Equal(keys, []string{"corpus/one/0001.jsonl", segment}) {
					t.Errorf("%s: keys are %v, rejects %v", name, keys, s.rejects(t))
				}
			}
		}
		check("the topic of the step")
		before := bytes.Clone(s.objects["corpus/one/0001.jsonl"])
		own := s.topic
		for rule, text := range others {
			s.topic = parseTopic(t, text)
			check(rule)
			for url, d := range s.documents(t) {
				if d.Topic != "other" || d.Relevance.Words == 0 || d.Language != kept.documents[url].Language {
					t.Fatalf("%s: %s is %+v", rule, url, d)
				}
			}
		}
		s.topic, s.learned = own, parseTopic(t, others[reading.RuleDescription])
		check("learned words")
		for url, d := range s.documents(t) {
			if d.Topic != "other" {
				t.Fatalf("by learned words %s is %+v", url, d)
			}
		}
		s.learned = nil
		check("the first topic again")
		if !bytes.Equal(before, s.objects["corpus/one/0001.jsonl"]) {
			t.Error("the first topic makes something else of the segment than it did")
		}
	})
}

// What is wrong with a page itself refuses it by any topic, and one that no
// step kept is judged.
func TestRefusedAllTheSame(t *testing.T) {
	for rule, text := range others {
		s := newStack(t)
		s.topic = parseTopic(t, text)
		hidden := page("http://a.test/noindex", "股市", true)
		hidden.Body = bytes.Replace(hidden.Body, []byte("<title>"), []byte("<meta name=robots content=noindex><title>"), 1)
		empty := page("http://a.test/empty", "股市", true)
		empty.Body = []byte("<html><head><title>股市</title></head><body></body></html>")
		furniture := page("http://a.test/furniture", "股市", true)
		furniture.Body = []byte("<html><head><title>股市</title></head><body><p>责任编辑：张三</p><p>版权所有</p></body></html>")
		gone := page("http://a.test/gone", "股市", true)
		for _, x := range []*corpus.Exchange{hidden, empty, furniture, gone} {
			x.ResponseHead = []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n")
			s.ends[x.URL] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
		}
		gone.ResponseHead = bytes.Replace(gone.ResponseHead, []byte("200 OK"), []byte("404 Not Found"), 1)
		s.put(t, []*corpus.Exchange{hidden, empty, furniture, gone, page("http://f.test/", "股市", false)})
		if err := s.clean(t, false); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"http://a.test/noindex": step.RuleNoIndex, "http://a.test/empty": reading.RuleNoText,
			"http://a.test/furniture": boilerplate.Rule, "http://a.test/gone": "http_404", "http://f.test/": rule,
		}
		if diff := cmp.Diff(want, s.rejects(t)); diff != "" {
			t.Errorf("rejects by %s (-want +got):\n%s", rule, diff)
		}
		for url, r := range want {
			if reading.ByTopic(r) != (url == "http://f.test/") {
				t.Errorf("ByTopic(%s) = %v", r, reading.ByTopic(r))
			}
		}
	}
}
