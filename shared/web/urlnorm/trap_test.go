package urlnorm

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestTrap(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	query := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf("p%d=1", i))
		}
		return "/?" + strings.Join(parts, "&")
	}
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "/%d", i)
		}
		return b.String()
	}
	tests := []struct {
		want string
		refs []string // paths on http://x.cn
	}{
		{"", []string{
			"/", "/a/a/b", "/a/b/a/b/c", "/a/a", "//", "/a//b//c",
			"/2020/03/03/03.html", "/2011/11/11/11.shtml", "/2011/11/11/11", "/1/1/1/a.jpg", "/1/2/1/2/1/2",
			"/src/main/java/com/x/main/Main.java", "/a/b/c/a/b/c",
			deep(20), deep(20) + "/", query(20), "/?q=" + strings.Repeat("a", 1022), "/s?q=" + strings.Repeat("%E4%B8%AD", 100),
			// dates within reach
			"/gn/2020/04-02/9145168.shtml", "/2012/0327/100653.shtml", "/2026/04/29/VIDEMS8ulHuPYKcXy8s1GcK8260429.shtml",
			"/1990/01/01/a.html", "/2027/11/", "/calendar/2027-11-20", "/?year=2027&month=11", "/?date=20271121", "/?date=1990-01-01",
			"/202003/t20200330_1234.html",
			// numbers that are not dates
			"/20931205/", "/article/20931205.html", "/203105/", "/content_20310502.htm", "/2031/", "/thread/1234/05/", "/2031/13/", "/1899/05/", "/2200/05/",
			"/2031/5/", "/novel/1950/12.html", "/novel/2050/3/7.html", "/thread-2031-5.html", "/t/2031-5/", "/2031-02-30.html", "/2077/0420/1.shtml",
			"/?id=20310502", "/?year=1985", "/?y=2045", "/?page=2045&m=3", "/?year=x&month=3", "/?date=latest", "/?date=2045", "/?day=3&month=2", "/?year=2045x",
			"/day/1234/", "/date/", "/calendar/", "/?date=", "/?date=-", "/?date=2031%2F",
		}},
		{TrapPathRepeats, []string{
			"/a/a/a", "/a/a/a/", "/x/a/a/a/y.html", "/a/b/a/b/a/b", "/a/b/a/b/a/b/c.html", "/x/a/b/c/a/b/c/a/b/c/", "/1/1/1/1", "/1/2/1/2/1/2/1/2",
			"/2020/a/2020/a/2020/a/", "/a/1/a/2/a/3/a/", "/index/index/index", strings.Repeat("/a", 500), strings.Repeat("/a/b/c/d/e/f/g/h/i/j", 3),
		}},
		{TrapPathTooDeep, []string{deep(21), deep(100), "/" + strings.Repeat("/", 30), "/a" + strings.Repeat("/", 25) + "b"}},
		{TrapQueryTooLong, []string{query(21), "/?q=" + strings.Repeat("a", 1023)}},
		{TrapCalendar, []string{
			"/2031/05/", "/2031/05", "/1900/05/", "/2199/05/", "/2031/12/", "/2031/05/02/", "/2031/5/2/", "/2031/05.html", "/news/2031/05/02/123.html", "/2031/05-02/123.shtml",
			"/calendar/2031-05-02", "/calendar/2031-05", "/2031-05-02/", "/2031_05_02.html", "/events/2031-05-02/", "/1985/05/", "/1989-12-31.html", "/2027/12/",
			"/calendar/2031/5/", "/calendar/20310502", "/calendar.php/203105/", "/date/2031/5", "/rili/2031/12.html", "/Calendar/0001-05-02", "/calendar/2045/",
			"/?year=2045&month=3", "/?month=3&year=2045", "/?y=2045&m=03", "/?year=2045", "/?year=1900&month=1", "/?date=20310502", "/?Date=2031-05-02", "/?date=2031-05",
			"/?month=2031-05", "/?ym=203105", "/?date=2031%2F05%2F02", "/?date=2031/5/2", "/?date=2031-05-02T00:00", "/?a=1&tribe-bar-date=2031-05-02", "/?date=0001-01-01", "/?date=9999-01-01",
		}},
	}
	for _, tt := range tests {
		for _, ref := range tt.refs {
			if got := Trap(mustParse(t, "http://x.cn"+ref), now); got != tt.want {
				t.Errorf("Trap(%q) = %q, want %q", ref, got, tt.want)
			}
		}
	}
	if got := Trap(URL{}, now); got != "" {
		t.Errorf("Trap of the zero URL = %q", got)
	}
}

// TestTrapEndsCalendars follows "next day" in every way of writing days: the
// chain must end within two years.
func TestTrapEndsCalendars(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for _, layout := range []string{
		"/2006/01/02/", "/2006/1/2/", "/2006-01-02.html", "/2006/01/", "/2006/01-02/1.html", "/?date=2006-01-02", "/?date=20060102",
		"/?year=2006&month=1&day=2", "/calendar/2006/1/2", "/calendar/20060102/", "/?ym=200601",
	} {
		steps := 0
		for day := now; Trap(mustParse(t, "http://x.cn"+day.Format(layout)), now) == ""; day = day.AddDate(0, 0, 1) {
			if steps++; steps > 730 {
				t.Errorf("%s is followed to %v", layout, day)
				break
			}
		}
	}
}

func FuzzTrap(f *testing.F) {
	f.Add("/2031/05/?year=2045&month=3")
	f.Add("/a/b/a/b/2031-05-02T")
	f.Fuzz(func(t *testing.T, ref string) {
		u, err := mustParse(t, "http://x.cn/").Resolve(ref, nil)
		if err != nil {
			return
		}
		switch rule := Trap(u, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)); rule {
		case "", TrapPathRepeats, TrapPathTooDeep, TrapQueryTooLong, TrapCalendar:
		default:
			t.Errorf("Trap(%q) = %q", u, rule)
		}
	})
}

func BenchmarkTrap(b *testing.B) {
	u, err := Parse("http://www.chinanews.com/gn/2020/04-02/9145168.shtml?page=2")
	if err != nil {
		b.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		Trap(u, now)
	}
}
