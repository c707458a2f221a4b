package page

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"

	"sluice/shared/fault"
	"sluice/shared/web/urlnorm"
)

// entryLines renders entries for comparison.
func entryLines(entries []Entry) []string {
	var lines []string
	for _, e := range entries {
		parts := []string{strings.TrimPrefix(e.URL.String(), "http://www.example.test")}
		if e.Sitemap {
			parts = append(parts, "sitemap")
		}
		for _, s := range []string{e.Title, e.Description} {
			if s != "" {
				parts = append(parts, s)
			}
		}
		if !e.Time.IsZero() {
			parts = append(parts, e.Time.Format(time.RFC3339))
		}
		lines = append(lines, strings.Join(parts, " | "))
	}
	return lines
}

func TestParseSource(t *testing.T) {
	tests := map[string]struct {
		body string
		kind Kind
		want []string
	}{
		"urlset": {`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
			<url><loc> http://www.example.test/a?x=1&amp;y=2 </loc><lastmod>2020-03-30</lastmod><priority>.5</priority></url>
			<url><loc><![CDATA[/b]]></loc><lastmod>2020-03-30T10:21:00+00:00</lastmod></url>
			<url><loc>/b</loc></url><url><loc>ftp://x.test/</loc></url><url><lastmod>2020</lastmod></url></urlset>`,
			Sitemap, []string{"/a?x=1&y=2 | 2020-03-30T00:00:00+08:00", "/b | 2020-03-30T10:21:00Z"}},
		"index": {`<sitemapindex><sitemap><loc>http://www.example.test/s1.xml.gz</loc><lastmod>2020-03</lastmod></sitemap></sitemapindex>`,
			Sitemap, []string{"/s1.xml.gz | sitemap | 2020-03-01T00:00:00+08:00"}},
		"news and images": {`<urlset xmlns:news="n" xmlns:image="i"><url><loc>/a</loc><lastmod>2021-01-01</lastmod>
			<news:news><news:publication><news:name>某报</news:name></news:publication><news:publication_date>2020-03-30T10:21+08:00</news:publication_date><news:title>股市 上涨</news:title><news:keywords>股市</news:keywords></news:news>
			<image:image><image:loc>/a.jpg</image:loc><image:title>图片</image:title></image:image></url></urlset>`,
			Sitemap, []string{"/a | 股市 上涨 | 股市 | 2020-03-30T10:21:00+08:00"}},
		"prefixed alternates": {`<urlset xmlns:xhtml="x"><url><loc>/a</loc><xhtml:link rel="alternate" href="/en"/></url></urlset>`, Sitemap, []string{"/a"}},
		"prefix on all":       {`<sm:urlset xmlns:sm="x"><sm:url><sm:loc>/a</sm:loc></sm:url></sm:urlset>`, Sitemap, []string{"/a"}},
		"broken tail":         {`<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url><url><loc>/c</l`, Sitemap, []string{"/a", "/b"}},
		"broken syntax":       {`<urlset><url><loc>/a</loc></url><<<<`, Sitemap, []string{"/a"}},
		"entity bomb": {`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><urlset><url><loc>/a</loc><news:title>&b;&b;</news:title></url></urlset>`,
			Sitemap, []string{"/a | &b;&b;"}},
		"empty urlset": {`<urlset></urlset>`, Sitemap, nil},
		"list":         {"\ufeffhttp://www.example.test/a\r\n# note\nhttps://www.example.test/b\n\nhttp://www.example.test/a\n", URLList, []string{"/a", "https://www.example.test/b"}},
		"rss": {`<?xml version="1.0"?><rss version="2.0"><channel><title>频道</title><link>http://www.example.test/</link>
			<item><title><![CDATA[<b>股市</b> &amp; 上涨]]></title><link>http://www.example.test/a</link><description>&lt;p&gt;摘要&lt;/p&gt;</description><pubDate>2024-05-06 07:08:09</pubDate></item>
			<item><title>有时区</title><link>/b</link><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate></item>
			<item><title>中国标准</title><link>/c</link><pubDate>Mon May 06 07:08:09 CST 2024</pubDate></item>
			<item><title>只有标识</title><guid>http://www.example.test/d</guid></item>
			<item><title>没有链接</title></item></channel></rss>`,
			Feed, []string{"/a | 股市 & 上涨 | 摘要 | 2024-05-06T07:08:09+08:00", "/b | 有时区 | 2024-05-06T07:08:09Z", "/c | 中国标准 | 2024-05-06T07:08:09+08:00", "/d | 只有标识"}},
		"atom": {`<feed xmlns="http://www.w3.org/2005/Atom"><title>f</title><entry><title>标题</title><link rel="alternate" href="http://www.example.test/a"/><id>x</id><updated>2024-05-06T07:08:09+08:00</updated><summary>摘要</summary></entry></feed>`,
			Feed, []string{"/a | 标题 | 摘要 | 2024-05-05T23:08:09Z"}},
		"rdf": {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>c</title></channel><item rdf:about="x"><title>标题</title><link>http://www.example.test/a</link></item></rdf:RDF>`,
			Feed, []string{"/a | 标题"}},
		"rss broken off": {`<rss version="2.0"><channel><item><title>甲</title><link>/a</link></item><item><title>乙</title><link>/b</link></item><item><title>丙</ti`,
			Feed, []string{"/a | 甲", "/b | 乙"}},
	}
	base := mustURL(t, "http://www.example.test/sitemap.xml")
	for name, tt := range tests {
		variants := map[string][]byte{"plain": []byte(tt.body), "gzip": gz(t, tt.body)}
		for variant, body := range variants {
			t.Run(name+"/"+variant, func(t *testing.T) {
				entries, kind, err := ParseSource(body, "", base)
				if err != nil || kind != tt.kind {
					t.Fatalf("kind %v, error %v; want %v", kind, err, tt.kind)
				}
				if diff := cmp.Diff(tt.want, entryLines(entries)); diff != "" {
					t.Errorf("entries (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestParseSourceCharset(t *testing.T) {
	base := mustURL(t, "http://www.example.test/")
	for name, text := range map[string]string{
		"sitemap": `<?xml version="1.0" encoding="GB2312"?><urlset><url><loc>/a</loc><news:title>股市上涨</news:title></url></urlset>`,
		"feed":    `<?xml version="1.0" encoding="gb2312"?><rss version="2.0"><channel><item><title>股市上涨</title><link>/a</link></item></channel></rss>`,
	} {
		t.Run(name, func(t *testing.T) {
			entries, _, err := ParseSource(encode(t, simplifiedchinese.GBK, text), "text/xml", base)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"/a | 股市上涨"}, entryLines(entries)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseSourceRefuses(t *testing.T) {
	base := mustURL(t, "http://www.example.test/")
	for name, tt := range map[string]struct {
		body string
		kind Kind
	}{
		"page":         {"<!DOCTYPE html><html>", HTML},
		"binary":       {"\x89PNG\r\n\x1a\n", Other},
		"broken feed":  {"<rss><channel><item>", Feed},
		"broken start": {"<urlset <<", Sitemap},
	} {
		t.Run(name, func(t *testing.T) {
			entries, kind, err := ParseSource([]byte(tt.body), "", base)
			if err == nil || kind != tt.kind || len(entries) > 0 {
				t.Fatalf("entries %v, kind %v, error %v; want none, %v and an error", entries, kind, err, tt.kind)
			}
			if fault.Of(err).Class != fault.Permanent {
				t.Errorf("class %v, want permanent", fault.Of(err).Class)
			}
		})
	}
}

func TestParseSourceLimits(t *testing.T) {
	base := mustURL(t, "http://www.example.test/")
	var list, sitemap strings.Builder
	sitemap.WriteString("<urlset>")
	for i := range maxEntries + 100 {
		fmt.Fprintf(&list, "http://www.example.test/%d\n", i)
		fmt.Fprintf(&sitemap, "<url><loc>/%d</loc></url>", i)
	}
	whole := gz(t, sitemap.String())
	for name, body := range map[string][]byte{
		"list":              []byte(list.String()),
		"sitemap":           []byte(sitemap.String()),
		"compressed, cut":   whole[:len(whole)-8],
		"text without ends": append([]byte(sitemap.String()), bytes.Repeat([]byte("<a>x"), 1<<18)...),
	} {
		t.Run(name, func(t *testing.T) {
			entries, _, err := ParseSource(body, "", base)
			if err != nil || len(entries) != maxEntries {
				t.Errorf("%d entries, error %v; want %d", len(entries), err, maxEntries)
			}
		})
	}
	t.Run("gzip bomb", func(t *testing.T) {
		body := gz(t, "http://a.test/1\n#"+strings.Repeat("#", maxSource)+"\nhttp://a.test/2\n")
		entries, _, err := ParseSource(body, "", base)
		if err != nil || len(entries) != 1 {
			t.Errorf("%d entries, error %v; want those before the limit", len(entries), err)
		}
	})
}

func FuzzSitemap(f *testing.F) {
	for _, s := range []string{
		"", "<url><loc>/a</loc><lastmod>2020-03-30</lastmod></url>", "<sitemap><loc>//x</loc></sitemap>", "<url><loc>&amp;&x;</loc>",
		"<!DOCTYPE x [<!ENTITY a 'b'>]><url>", "<url><loc><![CDATA[/a]]></loc></url></url>",
	} {
		f.Add([]byte("<urlset>" + s))
	}
	fuzzSource(f)
}

func FuzzFeed(f *testing.F) {
	for _, s := range []string{
		"<rss><channel><item><link>/a</link><pubDate>2024-05-06 07:08:09</pubDate></item></channel></rss>",
		"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/a'/></entry></feed>",
		"<rdf:RDF><item><title>x</title><link>/a</link></item>", "<rss version='0.9'><channel><item></item><item>",
	} {
		f.Add([]byte(s))
	}
	fuzzSource(f)
}

func fuzzSource(f *testing.F) {
	base := mustURL(f, "http://www.example.test/dir/")
	f.Fuzz(func(t *testing.T, body []byte) {
		entries, _, err := ParseSource(body, "", base)
		if err != nil && len(entries) > 0 {
			t.Errorf("%d entries and error %v", len(entries), err)
		}
		seen := map[urlnorm.URL]bool{}
		for _, e := range entries {
			if e.URL.IsZero() || seen[e.URL] {
				t.Errorf("entry %q is empty or repeated", e.URL)
			}
			seen[e.URL] = true
		}
	})
}
