package local_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Without a contact the crawl stays where its seeds are, with any
// scope, and wherever links, redirects and robots.txt lead.
func TestWithoutContactNeverLeaves(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{
		"http://news.demo.test/":           `<title>股市</title>$TEXT<a href=http://out.example.cn/>银行</a><a href=/moved>股市</a><a href=http://allowed.cn/>银行</a><a href=/in>银行</a>`,
		"http://news.demo.test/moved":      "301 http://out.example.cn/there",
		"http://news.demo.test/in":         `<title>银行</title>$TEXT`,
		"http://news.demo.test/robots.txt": "User-agent: *\nSitemap: http://out.example.cn/sitemap.xml\n",
	})
	s := specOf(t, strings.Replace(topicYAML, "SCOPE", "any, allow: [allowed.cn]", 1), "http://news.demo.test/")
	s.Proxies = web.proxy(t)
	sum := run(t, s)
	if sum.Kept != 2 || sum.Rules["redirect_scope"] != 1 || sum.Drops["scope"] != 2 {
		t.Errorf("kept %d, rules %v, drops %v; want 2, a redirect and two links out of scope", sum.Kept, sum.Rules, sum.Drops)
	}
	for at := range web.asked {
		if !strings.Contains(at, ".demo.test/") {
			t.Errorf("%s was asked for", at)
		}
	}
}

// robots.txt may redirect to any host (RFC 9309, 2.3.1.2), but not for a
// crawl without a contact for complaints.
func TestRobotsDoesNotLeadOut(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{
		"http://www.demo.test/robots.txt": "301 http://robots.example.cn/robots.txt",
		"http://www.demo.test/":           `<title>股市</title>$TEXT`,
	})
	s := spec(t, "http://www.demo.test/")
	s.Proxies = web.proxy(t)
	stop, cancel := context.WithCancel(t.Context())
	web.on = func(string) { cancel() } // after the task that asks for robots.txt
	c := open(t, s)
	if _, err := c.Run(t.Context(), stop); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"http://www.demo.test/robots.txt": 1}, web.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// With a contact the topic's scope holds, allow and all.
func TestWithContact(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{
		"http://www.example.cn/":  `<title>股市</title>$TEXT<a href=http://allowed.example/>银行</a><a href=http://other.example/>银行</a>`,
		"http://allowed.example/": `<title>银行</title>$TEXT`,
	})
	s := specOf(t, strings.Replace(topicYAML, "SCOPE", "host, allow: [allowed.example]", 1), "http://www.example.cn/")
	s.Proxies, s.Contact = web.proxy(t), "crawl@example.org"
	sum := run(t, s)
	if sum.Kept != 2 || web.requests("http://other.example/") != 0 {
		t.Errorf("kept %d, want 2; asked for %v", sum.Kept, web.asked)
	}
}

// Loopback is open where the user has named it, port by port.
func TestGuardAllowsNamedSeedOnly(t *testing.T) {
	t.Parallel()
	other := serve(t, map[string]string{"/": `<title>股市</title>$TEXT`})
	web := serve(t, map[string]string{
		"/moved": "301 " + other.URL + "/moved",
	})
	web.pages["/"] = `<title>股市</title>$TEXT<a href=` + other.URL + `/>银行</a><a href=http://10.0.0.1/>银行</a><a href=/moved>股市</a>`
	for _, contact := range []string{"", "crawl@example.org"} {
		s := specOf(t, strings.Replace(topicYAML, "SCOPE", "any", 1), web.URL+"/")
		s.Contact = contact
		sum := run(t, s)
		got := map[string]int64{"kept": sum.Kept, "redirect_address": sum.Rules["redirect_address"], "address": sum.Drops["address"], "scope": sum.Drops["scope"]}
		want := map[string]int64{"kept": 1, "redirect_address": 1, "address": 2, "scope": 0}
		if contact == "" {
			want["address"], want["scope"] = 1, 1 // 10.0.0.1 is not even in scope
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with contact %q (-want +got):\n%s", contact, diff)
		}
	}
	if n := other.total(); n != 0 {
		t.Errorf("%d requests to a port that was not named", n)
	}
}
