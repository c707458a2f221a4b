package rank

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Counts that a host's record has carried to another process give the expectations of
// the process that learned them; those of which a process knows more stay.
func TestHostCounts(t *testing.T) {
	one, counts := NewExperience(), HostCounts{}
	for i := range 30 {
		u := parse(t, fmt.Sprintf("http://a.test/money/2024-%d.html", i))
		one.Learn(u, i%3 > 0)
		counts.Learn(u, i%3 > 0)
	}
	two := NewExperience()
	two.SetAll(30, 20)
	for range 2 { // twice counts once
		two.Restore("a.test", counts)
	}
	for _, address := range []string{"http://a.test/money/2025-7.html", "http://a.test/money/", "http://a.test/x", "http://b.test/"} {
		if u := parse(t, address); two.Expect(u) != one.Expect(u) {
			t.Errorf("%v is expected of %s, want %v", two.Expect(u), address, one.Expect(u))
		}
	}
	two.Learn(parse(t, "http://a.test/money/2024-99.html"), true)
	two.Restore("a.test", counts)
	if n := two.Read("a.test"); n != 31 {
		t.Errorf("%d pages are known, want 31", n)
	}
	two.Restore("a.test", HostCounts{"": {40, 41}})
	if n := two.Read("a.test"); n != 31 {
		t.Errorf("more pages were kept than read: %d pages are known", n)
	}
}

// The counts of a host have a bound; its own and the groups with most pages stay.
func TestHostCountsBound(t *testing.T) {
	counts := HostCounts{}
	for i := range 5000 {
		counts.Learn(parse(t, fmt.Sprintf("http://a.test/news/%d.html", i)), true)
		counts.Learn(parse(t, fmt.Sprintf("http://a.test/%c%c%c%d/%d", 'a'+i%26, 'a'+i/26%26, 'a'+i%7, i, i)), false)
	}
	data, err := json.Marshal(counts)
	if err != nil || len(data) > maxHostCounts {
		t.Errorf("%d bytes, at most %d; %v", len(data), maxHostCounts, err)
	}
	if counts[""] != [2]int{10000, 5000} || counts["/news"] != [2]int{5000, 5000} || counts["/news /a/0.a?"] != [2]int{5000, 5000} {
		t.Errorf("counts are %v", counts)
	}
}
