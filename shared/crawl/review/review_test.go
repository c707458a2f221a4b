package review_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/review"
	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
	"sluice/shared/topic"
	"sluice/shared/web/hosts"
)

const segment = "raw/one/1.warc.gz"

// stack is one on which a crawl has ended. Its effects may fail.
type stack struct {
	*jobtest.Memory
	topic   *topic.Compiled
	objects map[string][]byte
	ends    map[string]*ledger.Entry
	asked   []string // segments to clean
	leases  leases

	effects, fails int // so far; the one that fails, although it is applied
}

var errEffect = errors.New("an effect failed")

func (s *stack) effect() error {
	if s.effects++; s.effects == s.fails {
		return errEffect
	}
	return nil
}

// leases are those of one host.
type leases struct {
	hosts.Leases
	held bool
}

func (l *leases) Acquire(_ context.Context, _, host, _ string, _ time.Duration) (*hosts.Lease, error) {
	if l.held {
		return nil, &hosts.BusyError{Host: host, Until: time.Now().Add(time.Minute)}
	}
	l.held = true
	return &hosts.Lease{Host: host}, nil
}

func (l *leases) Release(context.Context, string, *hosts.Lease) error {
	l.held = false
	return nil
}

// topics reads the topic of the stack.
type topics struct{ s *stack }

func (t topics) Get(context.Context, string) (*topic.Compiled, error) { return t.s.topic, nil }

func (s *stack) Entries(_ context.Context, _ string, urls []string) ([]*ledger.Entry, error) {
	out := make([]*ledger.Entry, len(urls))
	for i, u := range urls {
		out[i] = s.ends[u]
	}
	return out, nil
}

func (s *stack) Accept(_ context.Context, _, rule string, pages []ledger.Accepted) error {
	for _, p := range pages {
		if e := s.ends[p.URL]; e.Verdict == ledger.Passed {
			e.Accept(rule, p.Change)
		}
	}
	return s.effect()
}

func (s *stack) Open(_ context.Context, key string) (io.ReadCloser, error) {
	data, ok := s.objects[key]
	if !ok {
		return nil, fault.New(fault.Permanent, "no_object", errors.New(key))
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func (s *stack) Sized(_ context.Context, prefix string) (keys []string, size int64, err error) {
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if strings.HasPrefix(key, prefix) {
			keys, size = append(keys, key), size+int64(len(s.objects[key]))
		}
	}
	return keys, size, nil
}

func (s *stack) Put(_ context.Context, key string, data []byte, _ string) error {
	s.objects[key] = bytes.Clone(data)
	return s.effect()
}

func (s *stack) CleanAll(_ context.Context, keys []string) error {
	s.asked = append(s.asked, keys...)
	return s.effect()
}

func (s *stack) Update(ctx context.Context, id string, change func(*job.Job) error) (*job.Job, error) {
	j, err := s.Memory.Update(ctx, id, change)
	return j, errors.Join(err, s.effect())
}

// plainly cleans without lessons.
type plainly struct{ clean.Cleanings }

func (plainly) Learn(context.Context, string, string, string, []boilerplate.Page) (*clean.Lesson, error) {
	return &clean.Lesson{}, nil
}
func (plainly) Announced(context.Context, string, string, int64) error { return nil }
func (plainly) Begin(context.Context, string, string) (int64, error)   { return 1, nil }
func (plainly) Leave(_ context.Context, _, _ string, _ []string) ([]string, error) {
	return []string{"corpus/", "rejects/"}, nil
}

func (plainly) End(context.Context, string, string, int64, map[string]string) (bool, error) {
	return true, nil
}

func (s *stack) clean(t *testing.T) {
	t.Helper()
	effects, fails := s.effects, s.fails
	s.fails = 0
	defer func() { s.effects, s.fails = effects, fails }() // those of clean are no effects of the second look
	c := clean.New(clean.Ports{Jobs: s, Topics: topics{s}, Ends: s, Objects: s, Lessons: plainly{}, Cleanings: plainly{}}, clean.Options{})
	if err := c.Segment(t.Context(), segment, true); err != nil {
		t.Fatal(err)
	}
}

func (s *stack) job(t *testing.T) *job.Job {
	t.Helper()
	j, err := s.Get(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// change changes the crawl, which is no effect of the second look.
func (s *stack) change(t *testing.T, change func(*job.Job) error) {
	t.Helper()
	if _, err := s.Memory.Update(t.Context(), "one", change); err != nil {
		t.Fatal(err)
	}
}

// look carries out a message, again as long as it fails, and cleans what it asks for.
func (s *stack) look(t *testing.T, number int64, opts review.Options) {
	t.Helper()
	r := review.New(review.Ports{Jobs: s, Topics: topics{s}, Ledger: s, Objects: s, Clean: s, Leases: &s.leases}, opts)
	for {
		err := r.Message(t.Context(), &job.SiteMessage{Crawl: "one", Look: number}, false)
		if len(s.asked) > 0 {
			s.clean(t)
			s.asked = nil
		}
		if err == nil {
			return
		}
		if !errors.Is(err, errEffect) {
			t.Fatal(err)
		}
	}
}

const (
	money   = "央行公布利率，贷款和存款都有增加，投资者关注收益和风险，基金和债券的价格上涨，分析师认为行情还会持续"
	weather = "天气晴朗，气温上升，公园里的游客很多，孩子们在湖边放风筝，老人在树下下棋，傍晚才慢慢散去"
	fillers = "，昨天下午记者来到现场看见许多群众排队等候工作人员介绍说准备充分大家耐心配合秩序良好没有发生意外"
)

// newStack has a crawl of pages about money and the weather that is done and cleaned.
func newStack(t *testing.T) *stack {
	t.Helper()
	file, err := topic.Parse("money.yaml", []byte("name: money\nwords: [股市, 银行]\nseeds: ['http://a.test/']\nstrategy: best-first\nthresholds: {description: 0.3, priority: 0.45, body: 0.04}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := &stack{Memory: jobtest.NewMemory(time.Now), topic: file.Compiled(), objects: map[string][]byte{}, ends: map[string]*ledger.Entry{}}
	m := job.Message{Crawl: "one", Topic: "topics/money.yaml", Seeds: []string{"http://a.test/"}}
	j, err := m.Job(job.Defaults{MaxPages: 100, Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	j.Archive = corpus.ArchiveAll
	if err = plan.Order(j, s.topic); err == nil {
		err = s.Create(t.Context(), j)
	}
	if err != nil || !j.Holds {
		t.Fatalf("holds %t, %v", j.Holds, err)
	}
	s.change(t, func(j *job.Job) error { return j.Finish(job.ReasonFrontierEmpty) })
	s.crawl(t, j)
	s.clean(t)
	return s
}

// crawl writes the segment of the pages and their ends, as the step does.
func (s *stack) crawl(t *testing.T, j *job.Job) {
	t.Helper()
	reader, err := plan.ReaderOf(j, s.topic)
	if err != nil {
		t.Fatal(err)
	}
	var enc corpus.Encoder
	data := corpus.AppendInfo(nil, &corpus.Info{Filename: "1.warc.gz", Date: time.Now()}, &enc)
	for _, part := range []struct {
		name, text string
		pages      int
	}{
		{"on", "股市和银行：" + money, 30}, {"off", weather, 30},
		{"found", money + "，记者从股市了解到" + strings.Repeat(fillers, 2), 5},
		{"passing", weather + "，路过一家银行和股市，回家了", 5},
	} {
		for i := range part.pages {
			url := fmt.Sprintf("http://a.test/%s/%d.html", part.name, i)
			body := fmt.Sprintf("<title>通知%d</title><article><p>%s。</p><p>这是第%d篇。</p></article>", i, part.text, i)
			x := &corpus.Exchange{
				URL: url, Date: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"), Body: []byte(body),
				ResponseHead: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n", len(body)),
			}
			x.Metadata, _ = json.Marshal(&step.Trace{Link: frontier.Link{URL: url, Seed: "http://a.test/", Parent: "http://a.test/", Depth: 1}})
			record, _ := corpus.AppendExchange(nil, x, &enc)
			p, err := clean.PageAt(bytes.NewReader(record), corpus.Location{})
			if err != nil {
				t.Fatal(err)
			}
			a, rule, err := p.Arrival()
			if rule != "" {
				t.Fatal(rule, err)
			}
			draft := reader.Draft(a)
			rd, e, start := draft.Judge(draft.Text()), &ledger.Entry{Segment: segment, Verdict: ledger.Kept}, int64(len(data))
			var span corpus.Span
			if rd.Document != nil {
				data, span = corpus.AppendExchange(data, x, &enc)
			} else {
				e.Verdict, e.Rule = rd.Verdict, rd.Rule
				r := &corpus.Reject{URL: url, FinalURL: url, Rule: rd.Rule, Parent: "http://a.test/", OffTopic: rd.About, Exchange: x}
				if data, span, err = corpus.AppendReject(data, r, &enc); err != nil {
					t.Fatal(err)
				}
			}
			e.Offset, e.Length = start+span.Offset, span.Length
			s.ends[url] = e
		}
	}
	s.objects[segment] = data
}

// made counts the pages in a part of the corpus, by section.
func (s *stack) made(t *testing.T, part string) map[string]int {
	t.Helper()
	n := map[string]int{}
	for line := range bytes.Lines(s.objects[part+"/one/1.jsonl"]) {
		var d struct {
			FinalURL string `json:"final_url"`
		}
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		n[strings.Split(d.FinalURL, "/")[3]]++
	}
	return n
}

// want checks where the pages are: each is in one place.
func (s *stack) want(t *testing.T, documents, rejects map[string]int) {
	t.Helper()
	if diff := cmp.Diff(documents, s.made(t, "corpus")); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(rejects, s.made(t, "rejects")); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
}

// Whichever effect of a second look fails, and is repeated, its pages are where they
// belong, once.
func TestMessage(t *testing.T) {
	t.Parallel()
	for fails := range 6 {
		s := newStack(t)
		s.want(t, map[string]int{"on": 30, "passing": 5}, map[string]int{"off": 30, "found": 5})
		s.fails = fails
		s.look(t, 7, review.Options{})
		s.want(t, map[string]int{"on": 30, "found": 5}, map[string]int{"off": 30, "passing": 5})
		l, err := clean.ReadLook(t.Context(), s, "one")
		if err != nil || l.Number != 7 || l.Result == nil || l.Result.Added != 5 || l.Result.Removed != 5 || l.Result.On != 35 || len(l.Result.Words) == 0 {
			t.Errorf("effect %d failed: the look is %+v, %v", fails, l, err)
		}
		if j := s.job(t); j.Look.Made != 7 || j.Look.Refused != 5 || j.Look.Left != "" {
			t.Errorf("effect %d failed: noted %+v", fails, j.Look)
		}
		for url, e := range s.ends {
			if strings.Contains(url, "/found/") != (e.Rule == reading.RuleSecondLook) {
				t.Errorf("effect %d failed: the end of %s is %+v", fails, url, e)
			}
		}
		if s.effects != 4 && fails == 0 {
			t.Errorf("%d effects, so that not each of them was tried", s.effects)
		}
	}
}

// A crawl that goes on is judged again when it ends again: what the look before has moved
// stays where it is, or goes back by what is known then.
func TestAgain(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.look(t, 7, review.Options{})
	before := maps.Clone(s.objects)
	s.look(t, 8, review.Options{})
	for _, key := range []string{"corpus/one/1.jsonl", "rejects/one/1.jsonl"} {
		if diff := cmp.Diff(string(before[key]), string(s.objects[key])); diff != "" {
			t.Errorf("%s after another look (-before +after):\n%s", key, diff)
		}
	}
	s.clean(t) // an event that came again
	s.want(t, map[string]int{"on": 30, "found": 5}, map[string]int{"off": 30, "passing": 5})
	if j := s.job(t); j.Look.Made != 8 || j.Look.Refused != 5 {
		t.Errorf("noted %+v", j.Look)
	}

	// As if the look before had been wrong about some pages.
	l, err := clean.ReadLook(t.Context(), s, "one")
	if err != nil {
		t.Fatal(err)
	}
	for url, e := range s.ends {
		switch {
		case strings.Contains(url, "/found/0"), strings.Contains(url, "/on/0"):
			l.Segments["1.warc.gz"][e.Offset] = clean.Decision{Refused: &reading.SecondLook{Threshold: 1}}
		case strings.Contains(url, "/passing/"), strings.Contains(url, "/off/0"):
			l.Segments["1.warc.gz"][e.Offset] = clean.Decision{Accepted: true}
		}
	}
	if s.objects[clean.LookKey("one")], err = json.Marshal(l); err != nil {
		t.Fatal(err)
	}
	s.clean(t)
	if got := s.made(t, "corpus"); got["found"] != 4 || got["on"] != 29 || got["passing"] != 5 || got["off"] != 1 {
		t.Errorf("documents by another look are %v", got)
	}
	s.look(t, 9, review.Options{})
	if got := s.made(t, "corpus"); got["found"] != 5 || got["on"] != 30 || got["passing"] != 0 || got["off"] != 0 {
		t.Errorf("documents by the next look are %v", got)
	}
}

// A page that the look before has accepted, and nothing has made a document of since, is one
// that the next look refuses: its end says that it was a document.
func TestAcceptedOnly(t *testing.T) {
	t.Parallel()
	const url = "http://a.test/off/0.html"
	s := newStack(t)
	s.look(t, 7, review.Options{})
	l, err := clean.ReadLook(t.Context(), s, "one")
	if err != nil {
		t.Fatal(err)
	}
	s.ends[url].Accept(reading.RuleSecondLook, "")
	l.Segments["1.warc.gz"][s.ends[url].Offset] = clean.Decision{Accepted: true}
	if s.objects[clean.LookKey("one")], err = json.Marshal(l); err != nil {
		t.Fatal(err)
	}
	s.look(t, 8, review.Options{})
	s.want(t, map[string]int{"on": 30, "found": 5}, map[string]int{"off": 30, "passing": 5})
	if j := s.job(t); j.Look.Refused != 6 || bytes.Count(s.objects["rejects/one/1.jsonl"], []byte(`"rule":"second_look"`)) != 6 {
		t.Errorf("noted %+v, rejects:\n%s", j.Look, s.objects["rejects/one/1.jsonl"])
	}
}

// What a call that was killed has decided is carried out, although the crawl goes on.
func TestDecidedAndResumed(t *testing.T) {
	t.Parallel()
	for fails := 2; fails <= 4; fails++ { // the effects after the ends of pages
		s := newStack(t)
		s.fails = fails
		r := review.New(review.Ports{Jobs: s, Topics: topics{s}, Ledger: s, Objects: s, Clean: s, Leases: &s.leases}, review.Options{})
		if err := r.Message(t.Context(), &job.SiteMessage{Crawl: "one", Look: 7}, false); !errors.Is(err, errEffect) {
			t.Fatal(err)
		}
		s.change(t, (*job.Job).Reopen)
		s.look(t, 7, review.Options{})
		if fails < 4 {
			s.want(t, map[string]int{"on": 30, "found": 5}, map[string]int{"off": 30, "passing": 5})
		}
		if j := s.job(t); j.Look.Made != 7 || j.Look.Refused != 5 {
			t.Errorf("effect %d failed: noted %+v", fails, j.Look)
		}
	}
}

// A crawl is left as it is if it is too large, and judged by what is cleaned.
func TestLeft(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]review.Options{"pages": {MaxPages: 30}, "bytes": {MaxBytes: 5000}} {
		s := newStack(t)
		s.look(t, 7, opts)
		s.want(t, map[string]int{"on": 30, "passing": 5}, map[string]int{"off": 30, "found": 5})
		if j := s.job(t); j.Look.Made != 7 || !strings.Contains(j.Look.Left, "more than") || s.objects[clean.LookKey("one")] != nil {
			t.Errorf("%s: noted %+v", name, j.Look)
		}
	}
	s := newStack(t)
	s.objects["raw/one/2.warc.gz"] = nil
	r := review.New(review.Ports{Jobs: s, Topics: topics{s}, Ledger: s, Objects: s, Clean: s, Leases: &s.leases}, review.Options{})
	m := &job.SiteMessage{Crawl: "one", Look: 7}
	if err := r.Message(t.Context(), m, false); fault.Of(err).Class != fault.After {
		t.Errorf("with a segment that is not cleaned: %v", err)
	}
	if err := r.Message(t.Context(), m, true); err != nil || s.job(t).Look.Made != 7 {
		t.Errorf("the last time: %v", err)
	}

	s = newStack(t)
	s.leases.held = true // by another message
	r = review.New(review.Ports{Jobs: s, Topics: topics{s}, Ledger: s, Objects: s, Clean: s, Leases: &s.leases}, review.Options{})
	if err := r.Message(t.Context(), m, true); fault.Of(err).Class != fault.After || s.effects > 0 {
		t.Errorf("beside another message: %v, %d effects", err, s.effects)
	}

	s = newStack(t)
	s.change(t, (*job.Job).Reopen)
	s.look(t, 7, review.Options{})
	if s.effects > 0 {
		t.Errorf("%d effects on a crawl that goes on", s.effects)
	}
}
