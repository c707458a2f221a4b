package local_test

import (
	"strings"
	"testing"
)

// A page that names neither its date nor its title has those of the list or feed that
// led to it; its own come first.
func TestListed(t *testing.T) {
	t.Parallel()
	const article = "<article>$TEXT<p>银行说，股市很好；股市说，银行很好，明天也是这样。</p></article>"
	web := serve(t, map[string]string{
		"/": "<title>股市</title><ul><li><a href=/bare.html>银行开了一家新店</a><span>2024-05-01</span></li>" +
			"<li><a href=/own.html>股市今天休息</a><span>2024-05-02</span></li></ul>" +
			"<a href=/often.html>银行股市</a>",
		"/bare.html": article,
		"/own.html":  "<title>股市休息</title><meta name=publishdate content='2024-04-30'>" + article,
		"/feed": `<?xml version="1.0"?><rss><channel><item><title>银行上了新闻</title><link>/fed.html</link>` +
			`<pubDate>Fri, 03 May 2024 08:00:00 +0800</pubDate></item></channel></rss>`,
		"/fed.html":   "<title>银行新闻</title>" + article,
		"/list":       "<title>银行</title><ul><li><span>2024-05-04</span><a href=/often.html>2024年的消息都在这里</a></li></ul>",
		"/often.html": "<title>银行新店</title>" + article,
	})
	s := specOf(t, strings.NewReplacer("SCOPE", "domain", "body: 0", "body: 0.05").Replace(topicYAML), web.URL+"/", web.URL+"/feed", web.URL+"/list")
	run(t, s)
	docs := documents(t, s.Dir)
	for path, want := range map[string][3]string{
		"/bare.html":  {"银行开了一家新店", "2024-05-01", "2024-05-01"},
		"/own.html":   {"股市休息", "2024-04-30", "2024-05-02"},
		"/fed.html":   {"银行新闻", "2024-05-03", "2024-05-03"},
		"/often.html": {"银行新店", "2024-05-04", "2024-05-04"}, // the home page leads to it, too
	} {
		d := docs[path]
		if d == nil {
			t.Errorf("%s is not kept", path)
		} else if date, _, _ := strings.Cut(d.DatePublished, "T"); d.Title != want[0] || date != want[1] || d.Path.Listed != want[2] {
			t.Errorf("%s: %q of %s, listed %s; want %v", path, d.Title, date, d.Path.Listed, want)
		}
	}
}
