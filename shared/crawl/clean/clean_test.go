package clean_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

const segment = "raw/one/0001.warc.gz"

// stack is what a cleaner sees of a stack.
type stack struct {
	job.Registry
	objects map[string][]byte
	ends    map[string]*ledger.Entry
	topic   *topic.Compiled
	learned *topic.Compiled // nil: no words are learned
	lessons *memory
	again   []string
}

func newStack(t *testing.T) *stack {
	t.Helper()
	file, err := topic.Parse("finance.yaml", []byte("name: finance\nlanguage: zh\nwords: [股市, 银行]\nthresholds: {description: 0.1, priority: 0.08}\nseeds: ['http://a.test/']\n"))
	if err != nil {
		t.Fatal(err)
	}
	return &stack{objects: map[string][]byte{}, ends: map[string]*ledger.Entry{}, topic: file.Compiled(), lessons: newMemory()}
}

func (s *stack) Get(_ context.Context, id string) (*job.Job, error) {
	if id != "one" {
		return nil, job.ErrUnknown
	}
	j := &job.Job{ID: "one", Topic: "topics/finance.topic", State: job.Running, Seeds: []string{"http://a.test/"}}
	if s.learned != nil {
		j.Tuning = &job.Tuning{Topic: "learned/one/1.topic"}
	}
	return j, nil
}

func (s *stack) ports() clean.Ports {
	return clean.Ports{Jobs: s, Topics: topics{s}, Ends: s, Objects: s, Lessons: s.lessons, Cleanings: s.lessons, Again: s}
}

func (s *stack) Again(_ context.Context, key string, _ int64) error {
	s.again = append(s.again, key)
	return nil
}

type topics struct{ s *stack }

func (t topics) Get(_ context.Context, key string) (*topic.Compiled, error) {
	if key == "learned/one/1.topic" {
		return t.s.learned, nil
	}
	return t.s.topic, nil
}

func (s *stack) Entries(_ context.Context, _ string, urls []string) ([]*ledger.Entry, error) {
	out := make([]*ledger.Entry, len(urls))
	for i, u := range urls {
		out[i] = s.ends[u]
	}
	return out, nil
}

func (s *stack) Open(_ context.Context, key string) (io.ReadCloser, error) {
	data, ok := s.objects[key]
	if !ok {
		return nil, fault.New(fault.Permanent, "no_object", errors.New(key))
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func (s *stack) Put(_ context.Context, key string, data []byte, _ string) error {
	s.objects[key] = bytes.Clone(data)
	return nil
}

func (s *stack) clean(t *testing.T, last bool) error {
	t.Helper()
	c := clean.New(s.ports(), clean.Options{})
	return c.Segment(t.Context(), segment, last)
}

// page is an exchange as our crawl writes it.
func page(url, title string, trace bool) *corpus.Exchange {
	body := fmt.Sprintf("<html><head><meta charset=utf-8><title>%s</title></head><body><p>股市上涨，银行走强，正文足够长，可以被当作正文提取出来，内容讲述当天的市场。</p></body></html>", title)
	x := &corpus.Exchange{
		URL: url, Date: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		RequestHead:  []byte("GET / HTTP/1.1\r\n\r\n"),
		ResponseHead: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n", len(body)),
		Body:         []byte(body),
	}
	if trace {
		x.Metadata, _ = json.Marshal(&step.Trace{Link: frontier.Link{URL: url, Seed: "http://a.test/", Parent: "http://a.test/", Anchor: "股市", Depth: 1, Priority: 0.5}})
	}
	return x
}

// put writes a segment of exchanges and rejects.
func (s *stack) put(t *testing.T, xs []*corpus.Exchange, rejects ...*corpus.Reject) {
	t.Helper()
	var enc corpus.Encoder
	data := corpus.AppendInfo(nil, &corpus.Info{Filename: "0001.warc.gz", Date: time.Now()}, &enc)
	for _, x := range xs {
		data, _ = corpus.AppendExchange(data, x, &enc)
	}
	var err error
	for _, r := range rejects {
		if data, _, err = corpus.AppendReject(data, r, &enc); err != nil {
			t.Fatal(err)
		}
	}
	s.objects[segment] = data
}

func (s *stack) documents(t *testing.T) map[string]corpus.Document {
	t.Helper()
	return lines(t, s.objects["corpus/one/0001.jsonl"], func(d corpus.Document) string { return d.FinalURL })
}

func (s *stack) rejects(t *testing.T) map[string]string {
	t.Helper()
	rules := map[string]string{}
	for url, r := range lines(t, s.objects["rejects/one/0001.jsonl"], func(r corpus.Reject) string { return r.URL }) {
		rules[url] = r.Rule
	}
	return rules
}

func lines[R any](t *testing.T, data []byte, key func(R) string) map[string]R {
	t.Helper()
	out := map[string]R{}
	for line := range bytes.Lines(data) {
		var r R
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if _, twice := out[key(r)]; twice {
			t.Errorf("%s is there twice", key(r))
		}
		out[key(r)] = r
	}
	return out
}

// Only what the ledger says ended in this segment is taken from it.
func TestSegment(t *testing.T) {
	s := newStack(t)
	s.put(t, []*corpus.Exchange{
		page("http://a.test/kept", "股市", true), page("http://a.test/kept", "股市", true),
		page("http://a.test/elsewhere", "股市", true), page("http://a.test/off", "天气", true),
	}, &corpus.Reject{URL: "http://a.test/gone", FinalURL: "http://a.test/gone", Rule: "http_404"},
		&corpus.Reject{URL: "http://a.test/other", FinalURL: "http://a.test/other", Rule: "http_404"})
	for url, where := range map[string]string{
		"http://a.test/kept": segment, "http://a.test/elsewhere": "raw/one/0002.warc.gz", "http://a.test/off": segment,
		"http://a.test/gone": segment, "http://a.test/other": "raw/one/0002.warc.gz",
	} {
		s.ends[url] = &ledger.Entry{Segment: where, Verdict: ledger.Rejected}
	}
	for _, url := range []string{"http://a.test/kept", "http://a.test/elsewhere", "http://a.test/off"} {
		s.ends[url].Verdict = ledger.Kept
	}
	if err := s.clean(t, false); err != nil {
		t.Fatal(err)
	}
	docs := s.documents(t)
	d := docs["http://a.test/kept"]
	if len(docs) != 2 || docs["http://a.test/off"].Title != "天气" || d.Title != "股市" || !strings.Contains(d.Text, "银行走强") || d.Path.Anchor != "股市" || d.Path.Depth != 1 {
		t.Errorf("documents are %+v", docs)
	}
	if d.WARC.File != segment || d.WARC.Offset <= 0 || d.WARC.Length <= 0 {
		t.Errorf("the document leads to %+v", d.WARC)
	}
	want := map[string]string{"http://a.test/gone": "http_404"}
	if diff := cmp.Diff(want, s.rejects(t)); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	before := bytes.Clone(s.objects["corpus/one/0001.jsonl"])
	if err := s.clean(t, true); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, s.objects["corpus/one/0001.jsonl"]) {
		t.Error("the segment became another corpus when it was cleaned again")
	}
}

// A response that belongs to a reject is no page: the reject says where it is.
func TestRejectWithResponse(t *testing.T) {
	s := newStack(t)
	reject := func(url string) *corpus.Reject {
		return &corpus.Reject{URL: url, FinalURL: url, Rule: "quality", Exchange: page(url, "股市", true)}
	}
	s.put(t, []*corpus.Exchange{page("http://a.test/kept", "股市", true)},
		reject("http://a.test/off"), reject("http://a.test/elsewhere"), reject("http://a.test/kept"))
	s.ends["http://a.test/kept"] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
	s.ends["http://a.test/off"] = &ledger.Entry{Segment: segment, Verdict: ledger.Rejected}
	s.ends["http://a.test/elsewhere"] = &ledger.Entry{Segment: "raw/one/0002.warc.gz", Verdict: ledger.Rejected}
	if err := s.clean(t, false); err != nil {
		t.Fatal(err)
	}
	if docs := s.documents(t); len(docs) != 1 || docs["http://a.test/kept"].Title != "股市" {
		t.Errorf("documents are %+v", docs)
	}
	if diff := cmp.Diff(map[string]string{"http://a.test/off": "quality"}, s.rejects(t)); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	for _, r := range lines(t, s.objects["rejects/one/0001.jsonl"], func(r corpus.Reject) string { return r.URL }) {
		at := r.WARC
		if at.File != segment || at.Length == 0 {
			t.Fatalf("the response is at %+v", at)
		}
		for rec, err := range corpus.ReadWARC(bytes.NewReader(s.objects[segment][at.Offset : at.Offset+at.Length])) {
			if err != nil || rec.Type != "response" || rec.TargetURI != r.FinalURL {
				t.Errorf("at %+v is a %s of %s, %v", at, rec.Type, rec.TargetURI, err)
			}
		}
	}
}

// Of a segment of which nothing comes an empty output says that it is clean.
func TestNothingOfSegment(t *testing.T) {
	s := newStack(t)
	s.put(t, []*corpus.Exchange{page("http://a.test/1", "股市", true)})
	s.ends["http://a.test/1"] = &ledger.Entry{Segment: "raw/one/0002.warc.gz", Verdict: ledger.Kept}
	if err := s.clean(t, false); err != nil {
		t.Fatal(err)
	}
	if lines, there := s.objects["rejects/one/0001.jsonl"]; !there || len(lines) > 0 {
		t.Errorf("the list of rejects is there: %v, %q", there, lines)
	}
}

// A segment is postponed while the end of one of its pages is not written.
func TestPending(t *testing.T) {
	s := newStack(t)
	s.put(t, []*corpus.Exchange{page("http://a.test/1", "股市", true), page("http://a.test/2", "股市", true)})
	s.ends["http://a.test/1"] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
	err := s.clean(t, false)
	if f := fault.Of(err); f == nil || f.Class != fault.After || f.Delay <= 0 {
		t.Fatalf("segment with a page under way: %v", err)
	}
	if len(s.objects) != 1 {
		t.Error("something was written")
	}
	if err := s.clean(t, true); err != nil {
		t.Fatal(err)
	}
	if docs := s.documents(t); len(docs) != 1 || docs["http://a.test/1"].FinalURL == "" {
		t.Errorf("documents are %v", docs)
	}
}

// An archive of another crawler is cleaned, too.
func TestForeignArchive(t *testing.T) {
	s := newStack(t)
	s.put(t, []*corpus.Exchange{page("http://b.test/1", "股市", false), page("http://b.test/2", "天气", false)})
	if err := s.clean(t, false); err != nil {
		t.Fatal(err)
	}
	if docs := s.documents(t); len(docs) != 1 || docs["http://b.test/1"].Topic != "finance" {
		t.Errorf("documents are %v", docs)
	}
	if got := s.rejects(t); len(got) != 1 {
		t.Errorf("rejects are %v", got)
	}
}

// Damage costs only the records that it is in, and is reported.
func TestDamaged(t *testing.T) {
	s := newStack(t)
	s.put(t, []*corpus.Exchange{page("http://b.test/1", "股市", false), page("http://b.test/2", "银行", false)})
	data := s.objects[segment]
	copy(data[len(data)-40:], strings.Repeat("x", 30))
	if err := s.clean(t, false); err != nil {
		t.Fatal(err)
	}
	if docs := s.documents(t); len(docs) == 0 {
		t.Error("nothing is left of a damaged segment")
	}
	found := false
	for url, rule := range s.rejects(t) {
		found = found || strings.HasPrefix(url, segment+"#") && rule == corpus.RuleDamaged
	}
	if !found {
		t.Errorf("the damage is not on record: %v", s.rejects(t))
	}
}

// An object that is no archive at all is refused, with the reason.
func TestNoArchive(t *testing.T) {
	for name, data := range map[string][]byte{
		"text": []byte("these are not the records you are looking for\n"), "zeros": make([]byte, 1000), "gzip of nothing": {0x1f, 0x8b, 8, 0, 0},
	} {
		s := newStack(t)
		s.objects[segment] = data
		if f := fault.Of(s.clean(t, false)); f == nil || f.Class != fault.Poison || f.Rule != "not_warc" {
			t.Errorf("%s: %v, want not_warc", name, f)
		}
	}
}

func TestBadKeys(t *testing.T) {
	s := newStack(t)
	c := clean.New(s.ports(), clean.Options{})
	for key, rule := range map[string]string{
		"corpus/one/1.jsonl": "bad_key", "raw/one": "bad_key", "raw/nobody/1.warc.gz": "unknown_crawl", "raw/one/none": "no_object",
	} {
		if f := fault.Of(c.Segment(t.Context(), key, false)); f == nil || f.Rule != rule {
			t.Errorf("%s: %v, want %s", key, f, rule)
		}
	}
}
