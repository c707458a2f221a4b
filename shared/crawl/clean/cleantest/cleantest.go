// Package cleantest is the conformance suite of the ports of package clean for
// lessons.
package cleantest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/conformance"
	"sluice/shared/crawl/clean"
	"sluice/shared/text/boilerplate"
	"sluice/shared/text/boilerplate/boilerplatetest"
)

// Store is the adapter under test.
type Store interface {
	clean.Lessons
	clean.Cleanings
}

// Run checks an adapter against the contracts of clean.Lessons and
// clean.Cleanings. Each check gets a fresh one.
func Run(t *testing.T, open func(t *testing.T) Store) {
	conformance.Run(t, checks, open)
}

type check = conformance.Check[Store]

var checks = []check{
	// A lesson depends only on the pages.
	{Name: "a lesson is that of all pages", Check: checkLesson},
	// The first segments were cleaned before anything was known.
	{Name: "segments cleaned by another lesson are stale", Check: checkStale},
	// A cleaning that has begun may have read the previous lesson.
	{Name: "segments that are being cleaned are stale", Check: checkBegun},
	{Name: "an announced lesson is not news", Check: checkAnnounced},
	// It was another lesson's announcement.
	{Name: "an announcement of an old lesson does nothing", Check: checkOldAnnouncement},
	// Many pages of a segment may be of one host, some at a time.
	{Name: "a segment is not stale to itself", Check: checkItself},
	{Name: "a host may have many segments", Check: checkMany},
	{Name: "hosts and crawls are apart", Check: checkApart},
	// Functions scale out; no page may be lost in a race.
	{Name: "concurrent cleaners learn all", Check: checkRace},
	// Each cleaning of a segment has a number.
	{Name: "cleanings are numbered", Check: checkBegin},
	// One message is enough for all who ask.
	{Name: "one asks for a segment", Check: checkClaim},
	// Frequent requests wait longer; frequent beginnings do not count.
	{Name: "a claim returns the number of earlier ones", Check: checkClaimCounts},
	// Its message may not have been sent.
	{Name: "who has claimed may again", Check: checkClaimAgain},
	// A lesson that is empty now may have had lines.
	{Name: "folders with output are known", Check: checkLeave},
	// A cleaning that has begun may have read the previous lesson.
	{Name: "a cleaning that begins makes room for another", Check: checkClaimAfterBegin},
	// Of two cleanings at a time the one that wrote last may not be the last.
	{Name: "an end reports whether it was alone", Check: checkAlone},
}

const crawl, host = "finance", "a.test"

func learn(t *testing.T, s Store, crawl, host, segment string, pages ...boilerplate.Page) *clean.Lesson {
	t.Helper()
	l, err := s.Learn(t.Context(), crawl, host, segment, pages)
	if err != nil {
		t.Fatalf("Learn from %s: %v", segment, err)
	}
	slices.Sort(l.Stale)
	return l
}

// cleaned cleans a segment from beginning to end.
func cleaned(t *testing.T, s Store, segment string, pages ...boilerplate.Page) *clean.Lesson {
	t.Helper()
	run := begin(t, s, segment)
	l := learn(t, s, crawl, host, segment, pages...)
	if !end(t, s, segment, run, map[string]string{host: l.Learned.Version()}) {
		t.Errorf("cleaning %d of %s was not alone", run, segment)
	}
	return l
}

func begin(t *testing.T, s Store, segment string) int64 {
	t.Helper()
	run, err := s.Begin(t.Context(), crawl, segment)
	if err != nil {
		t.Fatalf("Begin %s: %v", segment, err)
	}
	return run
}

func end(t *testing.T, s Store, segment string, run int64, versions map[string]string) bool {
	t.Helper()
	alone, err := s.End(t.Context(), crawl, segment, run, versions)
	if err != nil {
		t.Fatalf("End %s: %v", segment, err)
	}
	return alone
}

func claim(t *testing.T, s Store, segment, by string) bool {
	t.Helper()
	mine, _, err := s.Claim(t.Context(), crawl, segment, by)
	if err != nil {
		t.Fatalf("Claim %s: %v", segment, err)
	}
	return mine
}

func announced(t *testing.T, s Store, edition int64) {
	t.Helper()
	if err := s.Announced(t.Context(), crawl, host, edition); err != nil {
		t.Fatalf("Announced: %v", err)
	}
}

func wantStale(t *testing.T, l *clean.Lesson, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, l.Stale); diff != "" {
		t.Errorf("stale segments (-want +got):\n%s", diff)
	}
	if l.News != (len(want) > 0) && len(want) > 0 {
		t.Error("a lesson with stale segments is not news")
	}
}

func checkLesson(t *testing.T, s Store) {
	pages := boilerplatetest.Pages(host, 30)
	for i := len(pages) - 1; i >= 0; i-- {
		learn(t, s, crawl, host, "s1", pages[i], pages[(i*7)%len(pages)])
	}
	var all boilerplate.Sketch
	all.Add(pages...)
	want := all.Learned().Version()
	if got := learn(t, s, crawl, host, "s1", pages...).Learned.Version(); got != want || got == "" {
		t.Errorf("learned %q, want %q", got, want)
	}
}

func checkStale(t *testing.T, s Store) {
	pages := boilerplatetest.Pages(host, 9)
	wantStale(t, cleaned(t, s, "s1", pages[:2]...))
	wantStale(t, cleaned(t, s, "s2", pages[2]))
	l := cleaned(t, s, "s3", pages[3:]...)
	if l.Learned.Version() == "" {
		t.Fatal("nothing is learned")
	}
	wantStale(t, l, "s1", "s2")
	// s1 is cleaned again: it is no longer stale, and s3 was cleaned with the
	// old lesson.
	wantStale(t, cleaned(t, s, "s1", pages[:2]...), "s2")
	wantStale(t, cleaned(t, s, "s3", pages[3:]...), "s2")
}

func checkBegun(t *testing.T, s Store) {
	pages := boilerplatetest.Pages(host, 9)
	l := cleaned(t, s, "s1", pages...)
	announced(t, s, l.Edition)
	run := begin(t, s, "s1")
	learn(t, s, crawl, host, "s1", pages...)
	more := boilerplatetest.Pages(host, 30)[9:]
	for i := range more { // with another footer, so that another lesson results
		more[i].Text += "本站与读者约定每周一次的线下聚会时间地点将另行告知\n"
	}
	l = learn(t, s, crawl, host, "s2", more...)
	if l.Stale == nil {
		t.Fatal("the same lesson, or the segment at work is not stale")
	}
	wantStale(t, l, "s1")
	end(t, s, "s1", run, map[string]string{host: l.Learned.Version()})
	wantStale(t, learn(t, s, crawl, host, "s2", more...))
}

func checkAnnounced(t *testing.T, s Store) {
	pages := boilerplatetest.Pages(host, 9)
	if l := cleaned(t, s, "s1", pages[:2]...); l.News {
		t.Error("an empty lesson is news")
	}
	l := cleaned(t, s, "s2", pages[2:]...)
	if !l.News {
		t.Error("the first lesson is not news")
	}
	if again := cleaned(t, s, "s2", pages[2:]...); !again.News {
		t.Error("it was not announced, yet it is not news")
	}
	announced(t, s, l.Edition)
	l = cleaned(t, s, "s2", pages[2:]...)
	if l.News || len(l.Stale) > 0 {
		t.Errorf("announced, yet news: %+v", l)
	}
	// Lines are unlearned and learned again: both is news.
	editions := map[int64]string{l.Edition: l.Learned.Version()}
	for more := range slices.Chunk(flicker(), 20) {
		l := learn(t, s, crawl, host, "s2", more...)
		if was, seen := editions[l.Edition]; seen && was != l.Learned.Version() {
			t.Fatalf("edition %d teaches %q and %q", l.Edition, was, l.Learned.Version())
		}
		editions[l.Edition] = l.Learned.Version()
		if want := len(editions) > 1; l.News != want {
			t.Fatalf("edition %d: news %v, want %v", l.Edition, l.News, want)
		}
	}
	if len(editions) < 2 || l.Edition+int64(len(editions))-1 != slices.Max(slices.Collect(maps.Keys(editions))) {
		t.Errorf("editions %v", editions)
	}
}

// flicker are pages without the footer, so that it is the site's no more.
func flicker() []boilerplate.Page {
	pages := boilerplatetest.Pages(host, 200)[9:]
	for i := range pages {
		pages[i].Text = fmt.Sprintf("这里是第%d号来信，写信的人说的是另一件事情，与别人无关。\n", i)
	}
	return pages
}

func checkOldAnnouncement(t *testing.T, s Store) {
	l := cleaned(t, s, "s1", boilerplatetest.Pages(host, 9)...)
	announced(t, s, l.Edition-1)
	announced(t, s, l.Edition+1)
	if l = cleaned(t, s, "s1"); !l.News {
		t.Error("the announcement of another lesson counts")
	}
	if err := s.Announced(t.Context(), crawl, "new.test", l.Edition); err != nil {
		t.Errorf("Announced of a host without pages: %v", err)
	}
}

func checkItself(t *testing.T, s Store) {
	for i, p := range boilerplatetest.Pages(host, 12) {
		if l := learn(t, s, crawl, host, "s1", p); len(l.Stale) > 0 {
			t.Fatalf("page %d: stale %v", i, l.Stale)
		}
	}
}

func checkMany(t *testing.T, s Store) {
	const segments = 40
	pages := boilerplatetest.Pages(host, 9)
	want := make([]string, segments)
	for i := range want {
		want[i] = fmt.Sprintf("20200330-080000-%032d-%04d.warc.gz", i, i)
		learn(t, s, crawl, host, want[i], pages[i%3])
	}
	l := learn(t, s, crawl, host, "last", pages...)
	wantStale(t, l, want...)
	for _, name := range want[5:35] {
		end(t, s, name, begin(t, s, name), map[string]string{host: l.Learned.Version()})
	}
	wantStale(t, learn(t, s, crawl, host, "last", pages...), slices.Concat(want[:5], want[35:])...)
	learn(t, s, crawl, host, want[5])
	learn(t, s, crawl, host, want[34])
	wantStale(t, learn(t, s, crawl, host, "last", pages...), slices.Concat(want[:6], want[34:])...)
}

func checkApart(t *testing.T, s Store) {
	learn(t, s, crawl, "b.test", "s1", boilerplatetest.Pages("b.test", 9)...)
	learn(t, s, "other", host, "s1", boilerplatetest.Pages(host, 9)...)
	run := begin(t, s, "s1")
	begin(t, s, "s2")
	if _, err := s.Begin(t.Context(), "other", "s1"); err != nil {
		t.Fatal(err)
	}
	if l := learn(t, s, crawl, host, "s2", boilerplatetest.Pages(host, 2)...); l.Learned.Version() != "" || l.News {
		t.Errorf("learned %q from others' pages", l.Learned.Version())
	}
	if !end(t, s, "s1", run, nil) {
		t.Error("cleanings of other segments, and of other crawls, count")
	}
}

func checkRace(t *testing.T, s Store) {
	pages := boilerplatetest.Pages(host, 32)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := i; j < len(pages); j += 4 {
				if _, err := s.Learn(t.Context(), crawl, host, fmt.Sprint("s", i), pages[j:j+1]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var all boilerplate.Sketch
	all.Add(pages...)
	if got, want := learn(t, s, crawl, host, "s0").Learned.Version(), all.Learned().Version(); got != want {
		t.Errorf("learned %q, want %q", got, want)
	}
}

func checkBegin(t *testing.T, s Store) {
	last := int64(0)
	for range 5 {
		run := begin(t, s, "s1")
		if run <= last {
			t.Errorf("cleaning %d comes after %d", run, last)
		}
		last = run
	}
}

func checkClaim(t *testing.T, s Store) {
	begin(t, s, "s1")
	if !claim(t, s, "s1", "a") || claim(t, s, "s1", "b") {
		t.Error("not the first of two may ask")
	}
	if !claim(t, s, "new", "b") {
		t.Error("a segment that was never cleaned cannot be claimed")
	}
}

func checkClaimCounts(t *testing.T, s Store) {
	for want := range int64(3) {
		if mine, before, err := s.Claim(t.Context(), crawl, "s1", "a"); err != nil || !mine || before != want {
			t.Errorf("Claim = %v, %d, %v; want true, %d", mine, before, err, want)
		}
		begin(t, s, "s1")
		begin(t, s, "s1")
	}
}

func checkClaimAgain(t *testing.T, s Store) {
	begin(t, s, "s1")
	for try := range 3 {
		if !claim(t, s, "s1", "a") {
			t.Errorf("try %d: who has claimed may not again", try)
		}
	}
}

func checkClaimAfterBegin(t *testing.T, s Store) {
	begin(t, s, "s1")
	claim(t, s, "s1", "a")
	begin(t, s, "s1")
	if !claim(t, s, "s1", "b") {
		t.Error("a claim from before the cleaning counts")
	}
}

func checkLeave(t *testing.T, s Store) {
	leave := func(segment string, folders, want []string) {
		t.Helper()
		got, err := s.Leave(t.Context(), crawl, segment, folders)
		if err != nil {
			t.Fatalf("Leave %s: %v", segment, err)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("after %v: %v, want %v", folders, got, want)
		}
	}
	begin(t, s, "s1")
	leave("s1", nil, nil)
	leave("s1", []string{"corpus/"}, []string{"corpus/"})
	begin(t, s, "s1")
	leave("s1", []string{"rejects/"}, []string{"corpus/", "rejects/"})
	leave("s1", nil, []string{"corpus/", "rejects/"})
	leave("s2", nil, nil)
}

func checkAlone(t *testing.T, s Store) {
	first := begin(t, s, "s1")
	second := begin(t, s, "s1")
	if !end(t, s, "s1", second, nil) {
		t.Error("the last to begin is not alone")
	}
	if end(t, s, "s1", first, nil) {
		t.Error("a cleaning is alone though another has begun since")
	}
	claim(t, s, "s1", "s2")
	if end(t, s, "s1", second, nil) {
		t.Error("a cleaning is alone though another is claimed")
	}
}
