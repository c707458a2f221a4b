package step_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// TestSkippedLinks has one link for each rule on a relevant page, each of
// which would pass eq. 5.
func TestSkippedLinks(t *testing.T) {
	t.Parallel()
	page := `
-- http://a.test/on --
<title>股市</title>$TEXT<a href=HREF REL>银行</a>
`
	tests := []struct {
		name, href, rel string
		depth           int
		want            string
	}{
		{name: "nothing against it", href: "http://a.test/x", want: "waiting"},
		{name: "as deep as allowed", href: "http://a.test/x", depth: 4, want: "waiting"},
		{name: "too deep", href: "http://a.test/x", depth: 5, want: "dropped depth"},
		{name: "out of scope", href: "http://b.test/x", want: "dropped scope"},
		{name: "nofollow", href: "http://a.test/x", rel: "rel='external nofollow'", want: "dropped nofollow"},
		{name: "repeated segments", href: "http://a.test/x/x/x/x", want: "dropped path_repeats"},
		{name: "endless calendar", href: "http://a.test/calendar/2093/12", want: "dropped calendar"},
		{name: "inside address", href: "http://127.0.0.1/x", want: "dropped address"},
		{name: "inside address in disguise", href: "http://0x7f.1/x", want: "dropped address"},
		{name: "inside name", href: "http://metadata.internal/x", want: "dropped address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, strings.NewReplacer("HREF", tt.href, "REL", tt.rel).Replace(page))
			if strings.HasPrefix(tt.want, "dropped scope") {
				w.plan.Scope = scope(t, urlnorm.ModeHost, "http://a.test/")
			}
			w.plan.MaxDepth = 5
			l := link("http://a.test/on")
			l.Depth = tt.depth
			w.run(t, l)
			u, err := urlnorm.Parse(tt.href)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.fate(t, u.String()); got != tt.want {
				t.Errorf("the link is %s, want %s", got, tt.want)
			}
			e := w.trail(t, "http://a.test/on").Entry
			if rule, dropped := strings.CutPrefix(tt.want, "dropped "); dropped {
				if diff := cmp.Diff(map[string]int{rule: 1}, e.Drops); diff != "" {
					t.Errorf("drops (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestPagesNotKept has one page for each rule that keeps a page on topic out
// of the corpus.
func TestPagesNotKept(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page string
		want       string
		child      string // fate of /x
	}{
		{
			name: "meta robots noindex", want: "rejected noindex", child: "waiting",
			page: `<meta name=robots content=noindex><title>股市</title>$TEXT<a href=/x>银行</a>`,
		},
		{
			name: "meta robots nofollow", want: "kept", child: "absent",
			page: `<meta name=robots content="index, NoFollow"><title>股市</title>$TEXT<a href=/x>银行</a>`,
		},
		{
			name: "meta robots none", want: "rejected noindex", child: "absent",
			page: `<meta name=robots content=none><title>股市</title>$TEXT<a href=/x>银行</a>`,
		},
		{
			name: "a video and its caption", want: "rejected media_only", child: "waiting",
			page: `<title>股市</title><body><video src=/v.mp4></video><a href=/x>银行</a>`,
		},
		{
			name: "nothing but links", want: "rejected no_text", child: "waiting",
			page: `<title>股市</title><body><ul><li><a href=/x>银行</a><li><a href=/y>股市</a></ul>`,
		},
		{
			name: "furniture in the place of the text", want: "rejected boilerplate_only", child: "waiting",
			page: `<title>股市</title><body><h1>股市</h1><p>责任编辑：张三</p><p>版权所有，未经授权禁止转载。</p><p>京ICP备12345678号</p><a href=/x>银行</a>`,
		},
		{
			name: "a file", want: "rejected not_html", child: "absent",
			page: "200\nContent-Type: application/pdf\n\n%PDF-1.7 <a href=/x>银行</a>",
		},
		{
			name: "binary data that claims to be HTML", want: "rejected not_html", child: "absent",
			page: "200\nContent-Type: text/html\n\n\x00\x01\x02\x03<a href=/x>\x00\x00",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const url = "http://a.test/page"
			w := newWorld(t, "-- "+url+" --\n"+tt.page+"\n")
			w.run(t, link(url))
			want := map[string]string{url: tt.want, "http://a.test/x": tt.child}
			w.wantFates(t, want)
			rule, rejected := strings.CutPrefix(tt.want, "rejected ")
			r, recorded := w.rejects(t)[url]
			if recorded != rejected || r.Rule != map[bool]string{true: rule}[rejected] {
				t.Errorf("reject record %+v, want rule %q", r, rule)
			}
			if inHistory := len(w.history(t, 0)) == 1; inHistory == rejected {
				t.Errorf("in the history: %t", inHistory)
			}
		})
	}
}

// A page that has many URLs is a trap: from the ninth on it is
// rejected, and its links lead nowhere.
func TestMirrors(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	var links []frontier.Link
	for i := range 10 {
		url := fmt.Sprintf("http://a.test/m/%d", i)
		fmt.Fprintf(&archive, "-- %s --\n<title>股市</title><p>%s</p><a href=/from/%d>银行</a>\n", url, strings.Repeat("每一页都是同样的话。", 20), i)
		links = append(links, link(url))
	}
	w := newWorld(t, archive.String())
	w.run(t, links[:5]...)
	w.run(t, links[5:]...) // the host remembers from task to task
	for i := range 10 {
		want := map[string]string{links[i].URL: "kept", fmt.Sprintf("http://a.test/from/%d", i): "waiting"}
		if i >= 8 {
			want = map[string]string{links[i].URL: "rejected mirror", fmt.Sprintf("http://a.test/from/%d", i): "absent"}
		}
		if diff := cmp.Diff(want, w.fates(t, want)); diff != "" {
			t.Errorf("page %d (-want +got):\n%s", i+1, diff)
		}
	}
}

// A link to the page itself and one to a page that is done are no links.
func TestKnownLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- http://a.test/1 --
<title>股市</title>$TEXT<a href=/1#top>银行</a><a href=/2>银行</a>
-- http://a.test/2 --
<title>股市</title>$TEXT<a href=/1>银行</a>
`)
	w.crawl(t, seed("http://a.test/1"))
	if diff := cmp.Diff(map[string]int{"http://a.test/1": 1, "http://a.test/2": 1}, w.web.requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if e := w.trail(t, "http://a.test/2").Entry; e.Enqueued != 0 || e.Dropped != 0 {
		t.Errorf("the link back counts: %+v", e)
	}
}

// Sitemaps and feeds are read as sources of links, as a seed whole, else with
// their titles judged.
func TestSources(t *testing.T) {
	t.Parallel()
	const sitemap = `
-- http://a.test/sitemap.xml --
200
Content-Type: text/xml

<?xml version="1.0"?><urlset><url><loc>http://a.test/bare</loc></url><url><loc>http://a.test/x/x/x/x</loc></url></urlset>
`
	const index = `
-- http://a.test/sitemap.xml --
200
Content-Type: text/xml

<?xml version="1.0"?><sitemapindex><sitemap><loc>http://a.test/part.xml</loc></sitemap></sitemapindex>
`
	const feed = `
-- http://a.test/feed --
200
Content-Type: application/rss+xml

<?xml version="1.0"?><rss version="2.0"><channel>
<item><title>股市</title><link>http://a.test/on</link></item>
<item><title>天气预报</title><link>http://a.test/off</link></item>
</channel></rss>
`
	const list = `
-- http://a.test/urls.txt --
200
Content-Type: text/plain

http://a.test/bare
`
	source := func(url string) frontier.Link { l := link(url); l.IsSource = true; return l }
	tests := []struct {
		name, archive string
		link          frontier.Link
		want          map[string]string
	}{
		{"sitemap as a seed", sitemap, seed("http://a.test/sitemap.xml"), map[string]string{"/sitemap.xml": "source", "/bare": "waiting", "/x/x/x/x": "dropped path_repeats"}},
		{"sitemap that robots.txt named", sitemap, source("http://a.test/sitemap.xml"), map[string]string{"/sitemap.xml": "source", "/bare": "waiting"}},
		{"sitemap index", index, seed("http://a.test/sitemap.xml"), map[string]string{"/sitemap.xml": "source", "/part.xml": "waiting"}},
		{"feed as a seed is followed whole", feed, seed("http://a.test/feed"), map[string]string{"/feed": "source", "/on": "waiting", "/off": "waiting"}},
		{"feed that a page linked to", feed, link("http://a.test/feed"), map[string]string{"/feed": "source", "/on": "waiting", "/off": "dropped priority"}},
		{"list of URLs as a seed", list, seed("http://a.test/urls.txt"), map[string]string{"/urls.txt": "source", "/bare": "waiting"}},
		{"list of URLs that a page linked to", list, link("http://a.test/urls.txt"), map[string]string{"/urls.txt": "rejected not_html", "/bare": "absent"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tt.archive)
			w.run(t, tt.link)
			want := map[string]string{}
			for path, fate := range tt.want {
				want["http://a.test"+path] = fate
			}
			w.wantFates(t, want)
			if l := w.trail(t, "http://a.test/part.xml").Waiting; l != nil && !l.IsSource {
				t.Error("the part of the index does not wait as a source")
			}
			if l := w.trail(t, "http://a.test/bare").Waiting; l != nil && l.Priority != w.plan.PriorityThreshold {
				t.Errorf("an entry without title waits with %v, want the threshold: after everything better", l.Priority)
			}
		})
	}
}
