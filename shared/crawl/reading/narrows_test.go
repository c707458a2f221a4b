package reading

import (
	"testing"

	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// A list filtered has parameters more than the list, of which a later page is a part; a home
// page has other pages below its address.
func TestNarrows(t *testing.T) {
	for _, test := range []struct {
		list, parent, url string
		want              bool
	}{
		{"/c/lamps", "", "/c/lamps?colour=red", true},
		{"/c/lamps?colour=red", "", "/c/lamps?brand=a&colour=red", true},
		{"/c/lamps?colour=red", "", "/c/lamps?brand=a", false},
		{"/c/lamps?colour=red", "", "/c/lamps", false},
		{"/c/lamps?page=2", "/c/lamps", "/c/lamps?colour=red", true},
		{"/c/lamps?page=3", "/c/lamps?page=2", "/c/lamps?colour=red", true},
		{"/list?cat=3&page=2", "/list?cat=3", "/list?cat=4", false},
		{"/list?cat=3&page=2", "/list?cat=3", "/list?cat=3&sort=price", true},
		{"/c/lamps", "", "/c/rugs?colour=red", false},
		{"/", "", "/?cat=3", false},
		{"/index.php", "", "/index.php?catid=6", false},
		{"/?colour=red", "", "/?brand=a&colour=red", true},
	} {
		l := &frontier.Link{URL: "http://a.test" + test.list}
		if test.parent != "" {
			l.Parent, l.Priority = "http://a.test"+test.parent, PagePriority
		}
		u, err := urlnorm.Parse("http://a.test" + test.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := Narrows(ListOf(l), u); got != test.want {
			t.Errorf("%s on %s, below %q: %t, want %t", test.url, test.list, test.parent, got, test.want)
		}
	}
}
