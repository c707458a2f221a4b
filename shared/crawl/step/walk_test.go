package step_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/structure"
)

// newShop is a structured crawl of archive.
func newShop(t *testing.T, archive string) *world {
	t.Helper()
	w := newWorld(t, archive)
	w.plan.Structured, w.plan.Strategy, w.plan.PriorityThreshold = true, nil, 0
	w.plan.Reader = &reading.Reader{Structured: true, Topic: "shop", TopicVersion: "v1"}
	return w
}

// cards are the records of a list, with links to /p/NAME.html.
func cards(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, `<div class=card><a href=/p/%s.html><img src=/i/%s.jpg></a><h3><a href=/p/%s.html>Item %s</a></h3><b class=price>$9.50</b></div>`, name, name, name, name)
	}
	return "<div class=grid>" + b.String() + "</div>"
}

// shopPage is a page of the shop with a menu.
func shopPage(url, head, main string) string {
	return "-- http://shop.test" + url + " --\n<title>Shop</title>" + head +
		"<div class=menu><a href=/c/lamps>Lamps</a> <a href=/c/rugs>Rugs</a> <a href=/c/cups>Cups</a> <a href=/help>Help</a></div>" + main + "\n"
}

func product(name, beside string) string {
	return shopPage("/p/"+name+".html", "", "<h1>Item "+name+"</h1><b class=price>$9.50</b>$TEXT"+beside)
}

// A list may have so few records that it looks like details: its last page, and a category
// that no other list leads to. What it links besides is not followed, and neither
// is what products link that the page of the seed shows.
func TestShortLists(t *testing.T) {
	t.Parallel()
	sorts := `<p><a href="/c/lamps?sort=price">by price</a></p>`
	most := "<div class=most><ol>"
	for i := range 14 {
		most += fmt.Sprintf("<li><a href=/p/most-%[1]d.html>The item that is bought most in week %[1]d of the year</a></li>", 40+i)
	}
	most += "</ol></div>"
	bags := func(from, to int) (list string) {
		for i := from; i < to; i++ {
			list += fmt.Sprintf("<li><a href=/p/bag-%[1]d.html>A bag of size %[1]d</a> <i>$9.50</i></li>", i)
		}
		return "<ul class=all>" + list + "</ul>"
	}
	archive := shopPage("/", "", "$TEXT<p>New: <a href=/p/hot-lamp-1.html>Hot lamp</a> <a href=/c/bags>Bags</a></p>") +
		shopPage("/c/lamps", "", cards("old-lamp-2", "red-lamp-3", "tin-lamp-4", "big-lamp-5")+sorts+`<div class=pages><b>1</b> <a href="/c/lamps?page=2">2</a> <a href="/c/lamps?page=2">Next</a></div>`) +
		shopPage("/c/lamps?page=2", "", cards("last-lamp-6")+sorts+"$TEXT") +
		shopPage("/c/bags", "", most+bags(20, 26)+`<div class=pages><b>1</b> <a href="/c/bags?page=2">2</a></div>`) +
		shopPage("/c/bags?page=2", "", most+bags(26, 29)+"$TEXT") +
		shopPage("/c/rugs", "<meta name=robots content=noindex>", cards("old-rug-7", "red-rug-8", "tin-rug-9", "big-rug-10")) +
		shopPage("/c/cups", "", cards("old-cup-11", "red-cup-12")+"$TEXT") +
		shopPage("/help", "", "<h1>Help</h1>$TEXT<p>Rare: <a href=/c/jars>Jars</a></p>") +
		shopPage("/c/jars", "", cards("old-jar-14")+"<p>$TEXT <a href=/p/odd-jar-15.html>Odd jar</a></p>") +
		product("hot-lamp-1", "<p>Like this: <a href=/p/other-lamp-13.html>Other lamp</a></p>")
	want := map[string]string{
		"http://shop.test/c/lamps?page=2": "kept", "http://shop.test/c/lamps?sort=price": "dropped " + step.DropFacet,
		"http://shop.test/c/rugs": "rejected noindex", "http://shop.test/p/other-lamp-13.html": "dropped " + step.DropLayer,
		"http://shop.test/p/odd-jar-15.html": "dropped " + step.DropLayer,
	}
	for _, name := range strings.Fields("old-lamp-2 red-lamp-3 tin-lamp-4 big-lamp-5 last-lamp-6 old-rug-7 red-rug-8 tin-rug-9 big-rug-10 old-cup-11 red-cup-12 old-jar-14 bag-20 bag-25 bag-26 bag-28") {
		archive += product(name, "")
		want["http://shop.test/p/"+name+".html"] = "kept"
	}
	w := newShop(t, archive)
	w.crawl(t, seed("http://shop.test/"))
	w.wantFates(t, want)
	for url, layer := range map[string]string{"http://shop.test/c/lamps?page=2": "list", "http://shop.test/p/last-lamp-6.html": "detail"} {
		if got := w.documents(t)[url].Layer; got != layer {
			t.Errorf("%s is of the layer %q, want %q", url, got, layer)
		}
	}
}

// A department leads to its sections beside its best records, and they to theirs; a list
// all of whose records were read leads to nothing else, and nor do its filters.
func TestSections(t *testing.T) {
	t.Parallel()
	filters := func(at string) string {
		var b strings.Builder
		for _, by := range []string{"red", "blue", "green", "white", "black"} {
			fmt.Fprintf(&b, `<li><a href="%s?colour=%s">%[2]s</a> (3)</li>`, at, by)
		}
		return "<aside class=side><h4>Colour</h4><ul>" + b.String() + "</ul></aside>"
	}
	best := []string{"old-lamp-2", "red-lamp-3", "tin-lamp-4", "big-lamp-5"}
	floor := []string{"oak-lamp-6", "ash-lamp-7", "elm-lamp-8", "fir-lamp-9"}
	tall := []string{"tall-oak-10", "tall-ash-11", "tall-elm-12", "tall-fir-13"}
	var colours strings.Builder
	for i := range 30 {
		fmt.Fprintf(&colours, `<li><a href="/c/rugs?colour=%d">Colour %[1]d</a> (3)</li>`, i)
	}
	archive := shopPage("/", "", "$TEXT") +
		shopPage("/c/rugs", "", "<div class=box><ul>"+colours.String()+"</ul></div>"+cards("lone-rug-15", "last-rug-16")) +
		shopPage("/c/lamps", "", "<p class=way><a href=/s/floor>Floor</a> | <a href=/s/best>Best</a></p>"+cards(best...)+filters("/c/lamps")) +
		shopPage("/s/floor", "", "<ul class=way><li><a href=/t/tall>Tall</a></li></ul>"+cards(floor...)+filters("/s/floor")) +
		shopPage("/t/tall", "", cards(tall...)+"<p>More: <a href=/u/taller>Taller</a></p>") +
		shopPage("/s/best", "", cards(best...)+"<p>As a list: <a href=/b/list>List</a></p>")
	want := map[string]string{
		"http://shop.test/c/lamps?colour=red": "dropped " + step.DropFacet, "http://shop.test/s/floor?colour=red": "dropped " + step.DropFacet,
		"http://shop.test/s/best": "kept", "http://shop.test/b/list": "dropped " + step.DropLayer, "http://shop.test/u/taller": "dropped " + step.DropLayer,
	}
	want["http://shop.test/c/rugs?colour=7"] = "dropped " + step.DropFacet
	for _, name := range slices.Concat(best, floor, tall, []string{"lone-rug-15", "last-rug-16"}) {
		archive += product(name, "")
		want["http://shop.test/p/"+name+".html"] = "kept"
	}
	w := newShop(t, archive)
	w.crawl(t, seed("http://shop.test/"))
	w.wantFates(t, want)
}

// Pages that a script or the head links are followed like those that the page shows.
func TestHiddenPages(t *testing.T) {
	t.Parallel()
	cards := cards("old-lamp-2", "red-lamp-3", "tin-lamp-4", "big-lamp-5")
	w := newShop(t, shopPage("/", "", "<a href=/n/>Notices</a>")+
		shopPage("/c/lamps", "", cards+`<script>createPageHTML(3, 0, "lamps", "html")</script>`)+
		shopPage("/c/rugs", `<link rel=next href="/c/rugs?page=2">`, cards))
	w.crawl(t, seed("http://shop.test/"))
	w.wantFates(t, map[string]string{
		"http://shop.test/c/lamps_1.html": "rejected http_404", "http://shop.test/c/lamps_2.html": "rejected http_404",
		"http://shop.test/c/rugs?page=2": "rejected http_404",
	})
}

// A list that shows its last page again and again has come to its end; one with other
// records on each page, or with records that lead nowhere, has not.
func TestRepeatedPages(t *testing.T) {
	t.Parallel()
	more := func(n int) string { return fmt.Sprintf(`<a href="/?p=%d">Load more</a>`, n) }
	plain := "<div class=grid>" + strings.Repeat("<div class=card><img src=/i/1.jpg><h3>Red pear</h3><b class=price>$9.50</b></div>", 12) + "</div>"
	last := cards("old-rug-7", "red-rug-8", "tin-rug-9", "big-rug-10")
	for name, tt := range map[string]struct {
		pages []string
		read  int // of the pages
	}{
		"the last page repeated": {[]string{cards("old-lamp-2", "red-lamp-3", "tin-lamp-4", "big-lamp-5"), last, last, last, last}, 3},
		"other records":          {[]string{cards("old-lamp-2", "red-lamp-3", "tin-lamp-4", "big-lamp-5"), last, cards("a-1", "b-2", "c-3", "d-4"), cards("e-1", "f-2", "g-3", "h-4")}, 4},
		"records without links":  {[]string{plain, plain, plain}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := ""
			for i, main := range tt.pages {
				url := "/"
				if i > 0 {
					url = fmt.Sprintf("/?p=%d", i+1)
				}
				archive += "-- http://shop.test" + url + " --\n<title>Shop</title>" + main + more(i+2) + "\n"
			}
			w := newShop(t, archive)
			w.crawl(t, seed("http://shop.test/"))
			read := 0
			for url := range w.documents(t) {
				if !strings.Contains(url, "/p/") {
					read++
				}
			}
			if read != tt.read {
				t.Errorf("%d pages of the list were read, want %d", read, tt.read)
			}
		})
	}
}

// The days of a calendar are not followed, and the pages of a list are, by numbers too.
func TestCalendar(t *testing.T) {
	t.Parallel()
	days, pages := "", ""
	for n := 1; n <= 30; n++ {
		days += fmt.Sprintf("<td><a href=/events/2024-05-%02d>%d</a>", n, n)
		pages += fmt.Sprintf("<p><a href=/part/%d>%d</a>", n, n)
	}
	w := newShop(t, shopPage("/", "", "$TEXT<table><tr>"+days+"</table><a href=/events/2024-06>Next month</a>"+pages))
	w.crawl(t, seed("http://shop.test/"))
	w.wantFates(t, map[string]string{
		"http://shop.test/events/2024-05-01": "dropped calendar", "http://shop.test/events/2024-05-30": "dropped calendar",
		"http://shop.test/events/2024-06": "rejected http_404", "http://shop.test/part/1": "rejected http_404", "http://shop.test/part/30": "rejected http_404",
	})
}

// A category whose products name their sellers is no thread, and a list of people leads to
// them; people beside other records are not where a list leads.
func TestSellersAndPeople(t *testing.T) {
	t.Parallel()
	goods, people, pages := "", "", ""
	for n, name := range []string{"ann", "bob", "cem", "dan", "eve"} {
		goods += fmt.Sprintf("<div class=row><div>Lamp of %s</div><p>It gives a warm light in the evening.</p><a href=/p/%d>View</a> by <a href=/user/%[1]s>%[1]s</a> %[2]d hours ago</div>", name, n+2)
		people += fmt.Sprintf("<div class=row><a href=/user/%s>%[1]s</a><p>Makes lamps since the year %d, in a shop by the sea.</p></div>", name, 1990+n)
		pages += shopPage("/p/"+strconv.Itoa(n+2), "", "<h1>Lamp of "+name+"</h1>$TEXT") + shopPage("/user/"+name, "", "<h1>"+name+"</h1>$TEXT")
	}
	for at, test := range map[string]struct {
		main     string
		products float64 // priority of a link to one
		users    float64
	}{
		"/c/lamps": {"<div class=rows>" + goods + "</div>", reading.RecordPriority, 0},
		"/members": {"<div class=rows>" + people + "</div>", 0, reading.RecordPriority},
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			w := newShop(t, shopPage("/", "<a href="+at+">More</a>", "<p>Welcome to our shop.</p>")+shopPage(at, "", test.main)+pages)
			w.crawl(t, seed("http://shop.test/"))
			documents := w.documents(t)
			if got := documents["http://shop.test"+at].Layer; got != structure.ListLayer {
				t.Errorf("the layer of %s is %q", at, got)
			}
			for url, want := range map[string]float64{"/p/3": test.products, "/user/bob": test.users} {
				if got := float64(documents["http://shop.test"+url].Path.Priority.Value); got != want {
					t.Errorf("%s has priority %v, want %v", url, got, want)
				}
			}
		})
	}
}

// A thread that a list led to is one record, whatever its posts lead to; the posts are those
// of the list if it is the seed.
func TestThreads(t *testing.T) {
	t.Parallel()
	rows, threads := "", ""
	for n, title := range []string{"The pump of the north well", "Red paint for a boat", "A lamp in the river", "Bread without salt"} {
		by := fmt.Sprintf("<a href=/member/m%d>m%d</a> %d hours ago", n, n, n+2)
		rows += fmt.Sprintf("<div class=row><h3><a href=/t/%d>%s</a></h3><p>%s</p></div>", n, title, by)
		posts := ""
		for range n + 3 {
			posts += "<div class=post><b>" + by + "</b><p>Nobody knows why, and nobody has asked before.</p></div>"
		}
		threads += shopPage(fmt.Sprintf("/t/%d", n), "", "<h1>"+title+"</h1><div class=posts>"+posts+"</div>")
	}
	archive := shopPage("/b/1", "", "<div class=rows>"+rows+"</div>") + threads + shopPage("/", `<a href=/boards>Boards</a>`, "") +
		shopPage("/boards", `<a href=/b/1>Wells and boats</a>`, "<p>Ask, and answer what others ask.</p>")
	for seeded, want := range map[string]map[string]string{
		"/b/1": {"/b/1": "list", "/t/0": "detail", "/t/1": "detail", "/t/2": "detail", "/t/3": "detail"},
		"/":    {"/boards": "detail", "/b/1": "list", "/t/0": "detail", "/t/1": "detail", "/t/2": "detail", "/t/3": "detail"},
		"/t/3": {"/t/3": "list"},
	} {
		t.Run(seeded, func(t *testing.T) {
			t.Parallel()
			w := newShop(t, archive)
			w.crawl(t, seed("http://shop.test"+seeded))
			got := map[string]string{}
			for url, d := range w.documents(t) {
				got[strings.TrimPrefix(url, "http://shop.test")] = d.Layer
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("layers (-want +got)\n%s", diff)
			}
		})
	}
}
