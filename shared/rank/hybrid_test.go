package rank

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"sluice/shared/web/urlnorm"
)

func parse(t *testing.T, address string) urlnorm.URL {
	t.Helper()
	u, err := urlnorm.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// What is expected of a page is the share of its like, the nearest counting most.
func TestExperience(t *testing.T) {
	e := NewExperience()
	expect := func(address string, want float64) {
		t.Helper()
		if got := e.Expect(parse(t, address)); math.Abs(got-want) > 1e-9 {
			t.Errorf("%.6f is expected of %s, want %.6f", got, address, want)
		}
	}
	expect("http://a.test/", 0.1)
	for i := range 4 {
		e.Learn(parse(t, fmt.Sprintf("http://a.test/money/2024-%d.html", i)), true)
		e.Learn(parse(t, fmt.Sprintf("http://a.test/sport/2024-%d.html", i)), false)
	}
	all := (4 + 0.1*10) / (8 + 10)
	host := (4 + all*3) / (8 + 3)
	expect("http://b.test/money/2024-1.html", all)
	expect("http://a.test/other/1.html", host)
	money := (4 + host*3) / (4 + 3)
	expect("http://a.test/money/list/page?x=1", money)
	expect("http://a.test/money/2025-77.html", (4+money*3)/(4+3))
	sport := host * 3 / (4 + 3)
	expect("http://a.test/sport/2025-77.html", sport*3/(4+3))
	if n := e.Read("a.test"); n != 8 {
		t.Errorf("%d pages of the host", n)
	}

	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	again := NewExperience()
	if err := json.Unmarshal(data, again); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"http://b.test/", "http://a.test/money/2025-77.html", "http://a.test/sport/1.html"} {
		if u := parse(t, address); again.Expect(u) != e.Expect(u) {
			t.Errorf("%v is expected of %s when it is read again, want %v", again.Expect(u), address, e.Expect(u))
		}
	}
	for _, damaged := range []string{"{", "{}", `{"groups": null}`, `{"all": {"pages": -10}, "groups": {}}`, `{"groups": {"a.test": {"pages": 1, "kept": 2}}}`} {
		if err := json.Unmarshal([]byte(damaged), again); err == nil || again.Read("a.test") != 8 {
			t.Errorf("%s was read", damaged)
		}
	}
	e = NewExperience()
	e.Learn(parse(t, "http://a.test/1.html"), true)
	if n := e.Read("a.test"); n != 1 {
		t.Errorf("a page without a directory counts as %d", n)
	}
	if long := groupsOf(parse(t, "http://a.test/"+strings.Repeat("a1.", 600)+"/x")); len(long[2]) > 200 {
		t.Errorf("the name of a group has %d bytes", len(long[2]))
	}
}

func TestGroups(t *testing.T) {
	for address, want := range map[string][3]string{
		"http://a.test/":                    {"a.test", "a.test/", "a.test/ /?"},
		"http://a.test/index.html":          {"a.test", "a.test/", "a.test/ /a.a?"},
		"http://a.test/news/2024/12/3.html": {"a.test", "a.test/news", "a.test/news /a/0/0/0.a?"},
		"http://a.test/~me/":                {"a.test", "a.test/~me", "a.test/~me /~a/?"},
		"http://a.test/p?id=12&cat=ab":      {"a.test", "a.test/", "a.test/ /a?a=0&a=a"},
	} {
		if got := groupsOf(parse(t, address)); got != want {
			t.Errorf("groups of %s are %q, want %q", address, got, want)
		}
	}
}

// The order follows what came of pages like it; parts of eq. 5 order links of one kind.
func TestHybrid(t *testing.T) {
	settings := Settings{Weights: Weights{Alpha: 0.5, Beta: 0.5, Lambda: 0.01}, Threshold: 0.1}
	s := newHybrid(settings)
	judge := func(address string, anchor float64) Judgement {
		return s.Judge(Link{Parts: Parts{Anchor: anchor}, URL: parse(t, address), Depth: 1})
	}
	before := judge("http://a.test/sport/1.html", 0.2)
	if weak := judge("http://a.test/sport/1.html", 0.1); weak.Priority >= before.Priority || weak.Priority <= 0 || before.Priority >= 1 {
		t.Errorf("priorities %v and %v of a weak and a strong link", weak.Priority, before.Priority)
	}
	for i := range 20 {
		s.Learn(parse(t, fmt.Sprintf("http://a.test/sport/%d.html", i)), false)
		s.Learn(parse(t, fmt.Sprintf("http://a.test/money/%d.html", i)), true)
	}
	strong, plain := judge("http://a.test/sport/77.html", 0.2), judge("http://a.test/money/77.html", 0)
	if strong.Priority >= before.Priority || plain.Priority <= strong.Priority {
		t.Errorf("priority %v where nothing was kept (%v before), %v where all was", strong.Priority, before.Priority, plain.Priority)
	}
	settings.Before = s
	if after := newHybrid(settings); after.Experience() != s.Experience() {
		t.Error("another plan has lost the experience")
	}
	settings.Threshold = 1e-310
	if j := newHybrid(settings).Judge(Link{Parts: Parts{Anchor: 1}, URL: parse(t, "http://a.test/x")}); !(j.Priority <= 1) {
		t.Errorf("priority %v with a tiny threshold", j.Priority)
	}
	if dropped := s.Judge(Link{URL: parse(t, "http://a.test/x"), Parent: 1}); dropped.Drop != DropTunnel {
		t.Errorf("at the end of a channel: %+v", dropped)
	}
}

func TestHybridConcurrently(t *testing.T) {
	s := newHybrid(Settings{Weights: Weights{Alpha: 0.5, Beta: 0.5, Lambda: 0.01}, Threshold: 0.1})
	u := parse(t, "http://a.test/x/1.html")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for range 100 {
				s.Learn(u, i%2 == 0)
				s.Judge(Link{URL: u})
			}
		})
	}
	wait.Wait()
	if n := s.Read("a.test"); n != 800 {
		t.Errorf("%d pages were learned", n)
	}
}

func BenchmarkHybrid(b *testing.B) {
	s := newHybrid(Settings{Weights: Weights{Alpha: 0.5, Beta: 0.5, Lambda: 0.01}, Threshold: 0.1})
	u, err := urlnorm.Parse("http://www.example.com/news/2024/12/31/1234567.html")
	if err != nil {
		b.Fatal(err)
	}
	s.Learn(u, true)
	b.ReportAllocs()
	for b.Loop() {
		s.Judge(Link{Parts: Parts{Anchor: 0.1}, URL: u, Depth: 2})
	}
}
