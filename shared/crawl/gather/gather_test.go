package gather_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sluice/shared/crawl/gather"
	"sluice/shared/fault"
	"sluice/shared/local/sitefolder"
	"sluice/shared/short"
	"sluice/shared/state/forget"
	"sluice/shared/state/job"
	"sluice/shared/structure/site"
)

// A stack makes the same records as one machine, however often it is asked.
func TestRecords(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.end(t)
	for _, when := range []string{"once", "again"} {
		if err := s.message(t, gather.Options{}, false); err != nil {
			t.Fatal(err)
		}
		s.wantWhole(t, when)
	}
	if len(s.owner) > 0 {
		t.Errorf("still leased: %v", s.owner)
	}
}

// A call may fail at any effect, applied or not. The next call makes the records whole, and
// readers never see a part of a layer.
func TestTroubleAtEveryEffect(t *testing.T) {
	t.Parallel()
	every := short.Every(t, 3)
	for _, applied := range []bool{false, true} {
		s := newStack(t)
		s.trouble(t, 2, applied) // while the site is learned
		n := 1
		for ; ; n += every {
			s := newStack(t)
			s.sites = sitefolder.Folder(s.learned)
			if !s.trouble(t, n, applied) {
				break
			}
		}
		if last := n - every; last > 7 || last <= 7-every { // two leases, four objects and a note
			t.Errorf("the last effect was no. %d", last)
		}
	}
}

// trouble lets an effect fail, and the message come again. It reports whether there was
// such an effect.
func (s *stack) trouble(t *testing.T, n int, applied bool) bool {
	t.Helper()
	s.end(t)
	s.fails, s.applied = n, applied
	err := s.message(t, gather.Options{}, false)
	if s.effects < n {
		return false
	}
	if err != nil && !errors.Is(err, errEffect) {
		t.Errorf("effect %d: %v", n, err)
	}
	want := s.want(t)
	for name, lines := range s.records() {
		if lines != want[name] {
			t.Errorf("effect %d, applied %t: a reader sees another %s", n, applied, name)
		}
	}
	if s.job(t).Records.Whole() && err != nil && !applied {
		t.Errorf("effect %d: noted as whole after %v", n, err)
	}
	s.expire()
	if err := s.message(t, gather.Options{}, false); err != nil {
		t.Fatal(err)
	}
	s.wantWhole(t, fmt.Sprintf("effect %d, applied %t", n, applied))
	return true
}

// Of two analyses of a site at once the second waits.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.end(t)
	var second error
	s.before = func() { second = s.message(t, gather.Options{}, false) }
	if err := s.message(t, gather.Options{}, false); err != nil {
		t.Fatal(err)
	}
	if f := fault.Of(second); f == nil || f.Class != fault.After || f.Rule != "site_busy" {
		t.Errorf("the second analysis: %v, want it to wait", second)
	}
	s.wantWhole(t, "after the first")
}

// As long as the crawl goes on the site is learned, once there are some pages of it.
func TestLearn(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	whole := s.objects["corpus/shop/00001.jsonl"]
	s.objects["corpus/shop/00001.jsonl"] = nil
	if f := fault.Of(s.message(t, gather.Options{}, false)); f == nil || f.Class != fault.After || f.Delay != time.Minute {
		t.Errorf("without pages: %v, want to wait a minute", f)
	}
	if err := s.message(t, gather.Options{}, true); err != nil {
		t.Errorf("the last time: %v", err)
	}
	if _, err := s.sites.Site(t.Context(), s.host); !errors.Is(err, site.ErrUnknown) {
		t.Errorf("the site is known without pages, error %v", err)
	}
	s.objects["corpus/shop/00001.jsonl"] = whole
	if err := s.message(t, gather.Options{}, false); err != nil {
		t.Fatal(err)
	}
	found, err := s.sites.Site(t.Context(), s.host)
	if err != nil || len(found.Layers) != 2 || len(s.records()) > 0 {
		t.Errorf("of a crawl that goes on is known %+v, error %v, with %d objects of records", found, err, len(s.records()))
	}

	// What is known is looked at when the crawl has ended: until then nothing is read.
	clear(s.objects)
	if err := s.message(t, gather.Options{}, false); err != nil {
		t.Errorf("a known site: %v", err)
	}
}

// A message from the beginning of a crawl that comes after its end finds others at work.
func TestLearnLate(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.end(t)
	s.kept = 0
	if err := s.message(t, gather.Options{}, false); err != nil || s.effects != 2 || len(s.records()) > 0 {
		t.Errorf("%d effects, want a lease and its end, %d objects, error %v", s.effects, len(s.records()), err)
	}
}

// What is not there yet is waited for; what never comes, or is too much, is left to an
// export.
func TestLeft(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(s *stack)
		opts   gather.Options
		last   bool
		waits  string
		left   string
	}{
		{name: "not asked for", change: func(s *stack) { s.change(t, func(j *job.Job) error { j.Records = nil; return nil }) }, waits: "pending"},
		{name: "not cleaned", change: func(s *stack) { s.kept += 7 }, waits: "pending"},
		{name: "never cleaned", change: func(s *stack) { s.kept += 7 }, last: true, left: "7 pages are not in the corpus"},
		{name: "too many", change: func(*stack) {}, opts: gather.Options{MaxPages: 9}, left: "more than 9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStack(t)
			s.end(t)
			tt.change(s)
			err := s.message(t, tt.opts, tt.last)
			if f := fault.Of(err); tt.waits != "" && (f == nil || f.Class != fault.After || f.Rule != tt.waits) || tt.waits == "" && err != nil {
				t.Errorf("error %v, want to wait: %q", err, tt.waits)
			}
			j := s.job(t)
			if made := j.Records[s.host]; tt.left != "" && (made == nil || !strings.Contains(made.Left, tt.left)) || j.Records.Whole() {
				t.Errorf("noted %+v, want %q", made, tt.left)
			}
			if n := len(s.records()); n > 0 {
				t.Errorf("%d objects of records", n)
			}
		})
	}
}

// A page that is forgotten while its record is written goes with the next call, one that
// another segment has is not in the records, and neither is a layer that has none left.
func TestPagesThatGo(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.end(t)
	s.objects["records/shop/"+s.host+"/gone/00001.jsonl"] = []byte("{}\n")
	s.objects["records/shop/other.test/list/00001.jsonl"] = []byte("{}\n")
	lines := strings.SplitAfter(s.want(t)[s.host+"/detail/00001.jsonl"], "\n")
	_, rest, _ := strings.Cut(lines[0], `"source_url":"`)
	gone, _, _ := strings.Cut(rest, `"`)
	s.before = func() {
		targets, err := forget.ParseAll([]string{gone})
		if err != nil {
			t.Error(err)
		}
		s.change(t, func(j *job.Job) error { j.Forgotten = forget.NewSet(targets).List(); return nil })
		s.lost[gone] = true
	}
	if err := s.message(t, gather.Options{}, false); err == nil || s.job(t).Records.Whole() {
		t.Errorf("error %v, the records are whole: %t", err, s.job(t).Records.Whole())
	}
	if err := s.message(t, gather.Options{}, false); err != nil {
		t.Fatal(err)
	}
	made := s.records()
	for name, lines := range made {
		if strings.Contains(lines, `"source_url":"`+gone+`"`) {
			t.Errorf("%s has a record of a page that is gone", name)
		}
	}
	if made[s.host+"/gone/00001.jsonl"] != "" || made["other.test/list/00001.jsonl"] != "{}\n" {
		t.Error("a layer that is gone has records, or that of another host has none")
	}
}

// A crawl that was resumed asks again when it ends.
func TestResumed(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.end(t)
	s.before = func() { s.change(t, (*job.Job).Reopen) }
	if err := s.message(t, gather.Options{}, false); err != nil {
		t.Fatal(err)
	}
	if j := s.job(t); j.State != job.Running || j.Records != nil {
		t.Errorf("the crawl is %s, with records %+v", j.State, j.Records)
	}
}

// What no delivery can carry out is a dead letter at once.
func TestPoison(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	g := gather.New(gather.Ports{Jobs: s, Topics: topical{}, Ledger: s, Objects: s, Sites: known{s}, Leases: s}, gather.Options{})
	for rule, crawl := range map[string]string{"unknown_crawl": "none", "bad_crawl": "shop"} {
		err := g.Message(t.Context(), &job.SiteMessage{Crawl: crawl, Host: s.host}, 1, false)
		if f := fault.Of(err); f == nil || f.Class != fault.Poison || f.Rule != rule {
			t.Errorf("crawl %s: %v, want %s", crawl, err, rule)
		}
	}
}
