package step_test

import (
	"errors"
	"strings"
	"testing"

	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/topic"
)

// A list that scripts add to is followed whole, also where its layer is static for want of
// such lists; what is no list, or has another page, is not asked for more.
func TestGrowingLists(t *testing.T) {
	t.Parallel()
	short := []string{"old-lamp-2", "red-lamp-3", "tin-lamp-4", "big-lamp-5"}
	const button = "<button>Load more</button>"
	archive := shopPage("/about", "", "$TEXT<p><a href=/c/bags>Bags</a></p>") +
		shopPage("/c/lamps", "", cards(short...)) +
		shopPage("/c/rugs", "", cards("old-rug-7", "red-rug-8", "tin-rug-9", "big-rug-10")+`<div class=pages><b>1</b> <a href="/c/rugs?page=2">2</a> <a href="/c/rugs?page=2">Next</a></div>`) +
		shopPage("/c/cups", "", cards("old-cup-11", "red-cup-12", "tin-cup-13", "big-cup-14")) +
		shopPage("/c/bags", "", cards("old-bag-15", "red-bag-16", "tin-bag-17", "big-bag-18")+button) +
		shopPage("/c/jars", "", cards("old-jar-21", "red-jar-22", "tin-jar-23", "big-jar-24")+button) +
		shopPage("/c/jugs", "", cards("old-jug-25", "red-jug-26", "tin-jug-27", "big-jug-28")+button) +
		product("old-lamp-2", "")
	w := newShop(t, archive)
	b := &browser{grown: map[string]string{
		"http://shop.test/c/bags": cards("old-bag-15", "red-bag-16", "tin-bag-17", "big-bag-18", "odd-bag-19", "new-bag-20"),
		"http://shop.test/c/rugs": cards("a-1", "b-2", "c-3", "d-4", "e-5", "f-6"),
	}}
	w.plan.Render, w.ports.Browser = topic.RenderAuto, b
	for _, path := range []string{"/about", "/c/lamps", "/c/rugs", "/c/cups", "/c/bags", "/p/old-lamp-2.html"} {
		w.crawl(t, link("http://shop.test"+path))
	}
	if got := strings.Join(b.asked, " "); got != "http://shop.test/c/lamps http://shop.test/c/cups http://shop.test/c/bags" && got != "http://shop.test/c/lamps http://shop.test/c/bags" {
		t.Errorf("asked for more: %s", got)
	}
	w.wantFates(t, map[string]string{"http://shop.test/p/new-bag-20.html": "rejected http_404", "http://shop.test/p/f-6.html": "absent"})
	b.fails = map[string]error{"http://shop.test/c/jugs": fault.New(fault.Permanent, "crashed", errors.New("the page's process ended"))}
	w.crawl(t, link("http://shop.test/c/jugs"))
	if r := w.rendering(t, "http://shop.test/c/jugs"); r.Shown || r.Error == "" {
		t.Errorf("rendering of a list that breaks the browser: %+v", r)
	}
	w.step, w.ports.Browser = nil, nil
	w.crawl(t, link("http://shop.test/c/jars"))
	if r := w.rendering(t, "http://shop.test/c/jars"); r.Kind != step.Static || r.Error == "" {
		t.Errorf("rendering of a list without a browser: %+v", r)
	}
	w.wantFates(t, map[string]string{"http://shop.test/c/jars": "kept", "http://shop.test/c/jugs": "kept"})
	if r := w.rendering(t, "http://shop.test/c/bags"); !r.More || !r.Shown {
		t.Errorf("rendering of the list that grows: %+v", r)
	}
}
