package page

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/fault"
	"sluice/shared/web/urlnorm"
)

func mustURL(t testing.TB, raw string) urlnorm.URL {
	t.Helper()
	u, err := urlnorm.Parse(raw)
	if err != nil {
		t.Fatalf("parse %q: %v", raw, err)
	}
	return u
}

func parse(t testing.TB, text string) *Page {
	t.Helper()
	p, err := Parse([]byte(text), "utf-8", mustURL(t, "http://www.example.test/dir/page.html"))
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return p
}

func TestParseHead(t *testing.T) {
	p := parse(t, `<!DOCTYPE html><html lang="zh-CN"><head>
		<title>
		  财经&amp;新闻　首页 </title><title>second</title>
		<meta name="Description" content=" 股市 &lt;行情&gt;  报道 ">
		<meta name="keywords" content="股市，基金、银行; 债券 期货,machine learning, 股市">
		<meta name="robots" content="NOINDEX, nofollow"><meta name="sluice" content="noarchive">
		<meta http-equiv="X-Robots-Tag" content="noai">
		<meta http-equiv="refresh" content="5; URL='next.html?a=1&amp;b=2'">
		<link rel="stylesheet canonical" href="/canonical.html">
		<base href="/base/"><base href="/other/">
		</head><body>正文</body></html>`)
	want := &Page{
		Title:       "财经&新闻 首页",
		Description: "股市 <行情> 报道",
		Keywords:    []string{"股市", "基金", "银行", "债券", "期货", "machine learning"},
		Lang:        "zh-CN",
		Charset:     "utf-8",
		MetaRobots:  []string{"noindex", "nofollow", "noarchive", "noai"},
		Sample:      "正文",
		Canonical:   "http://www.example.test/canonical.html",
		TextLen:     2,
		Digest:      p.Digest,
		Refresh:     "http://www.example.test/base/next.html?a=1&b=2",
	}
	if diff := cmp.Diff(want, p, cmp.AllowUnexported(urlnorm.URL{}), cmpopts.IgnoreFields(Page{}, "Tree")); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func TestParseReservations(t *testing.T) {
	const usage = "Content-Signal: search=yes, ai-train=no"
	for name, tt := range map[string]struct{ html, tdm, usage string }{
		"name":               {html: `<meta name="TDM-Reservation" content=1><meta name=tdm-policy content="https://a.test/p">`, tdm: "1 https://a.test/p"},
		"name, underscore":   {html: `<meta name=tdm_reservation content=1>`, tdm: "1"},
		"http-equiv":         {html: `<meta http-equiv="TDM-Reservation" content=true>`, tdm: "1"},
		"denied":             {html: `<meta http-equiv=tdm_reservation content=false>`, tdm: "0"},
		"signal":             {html: `<meta http-equiv="content-signal" content="search=yes, ai-train=no">`, usage: usage},
		"signals":            {html: `<meta http-equiv=Content-Signal content="search=yes"><meta http-equiv=Content-Signal content="ai-train=no">`, usage: usage},
		"usage":              {html: `<meta http-equiv="Content-Usage" content="train-ai=n">`, usage: "Content-Usage: train-ai=n"},
		"usage that allows":  {html: `<meta http-equiv="Content-Usage" content="train-ai=y">`},
		"something else":     {html: `<meta name=description content="ai-train=no"><meta name=tdm content=1>`},
		"name and equiv":     {html: `<meta name=viewport http-equiv=Content-Signal content="search=yes, ai-train=no">`, usage: usage},
		"in a comment alone": {html: `<!-- <meta http-equiv=Content-Signal content="ai-train=no"> -->`},
	} {
		t.Run(name, func(t *testing.T) {
			p := parse(t, tt.html)
			if p.MetaTDM.String() != tt.tdm || p.MetaUsage != tt.usage {
				t.Errorf("TDM %q, usage %q; want %q, %q", p.MetaTDM, p.MetaUsage, tt.tdm, tt.usage)
			}
		})
	}
}

func TestParseTitle(t *testing.T) {
	tests := map[string]struct{ html, want string }{
		"plain":            {"<title>标题</title>", "标题"},
		"og when none":     {`<meta property="og:title" content="分享 标题">`, "分享 标题"},
		"og when empty":    {`<title> </title><meta property="og:title" content="分享">`, "分享"},
		"svg title":        {`<svg><title>图标</title></svg><title>标题</title>`, "标题"},
		"svg title alone":  {`<svg><title>图标</title></svg>`, ""},
		"in a comment":     {`<!-- <title>旧</title> --><title>新</title>`, "新"},
		"in a template":    {`<template><title>旧</title></template><title>新</title>`, "新"},
		"in a script":      {`<script>"<title>旧</title>"</script><title>新</title>`, "新"},
		"without end tag":  {"<title>标题", "标题"},
		"tags inside":      {"<title>a<b>c</title>", "a<b>c"},
		"self-closing svg": {"<svg/><title>标题</title>", "标题"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := parse(t, tt.html).Title; got != tt.want {
				t.Errorf("title = %q, want %q", got, tt.want)
			}
		})
	}
}

// linkLines renders links for comparison: URL, anchor, and ! for nofollow.
func linkLines(links []Link) []string {
	var lines []string
	for _, l := range links {
		s := strings.TrimPrefix(l.URL.String(), "http://www.example.test") + " " + l.Anchor
		if l.NoFollow {
			s += " !"
		}
		lines = append(lines, s)
	}
	return lines
}

func TestParseLinks(t *testing.T) {
	tests := map[string]struct {
		html string
		want []string
	}{
		"relative and absolute": {
			`<a href="a.html">甲</a><a href="/b.html">乙</a><a href="//other.test/c">丙</a><A HREF='?q=1'>丁</A>`,
			[]string{"/dir/a.html 甲", "/b.html 乙", "http://other.test/c 丙", "/dir/page.html?q=1 丁"},
		},
		"base after a link": {`<a href=a>甲</a><base href="http://base.test/x/"><a href=b>乙</a>`, []string{"http://base.test/x/a 甲", "http://base.test/x/b 乙"}},
		"base is not a URL": {`<base href="javascript:1"><a href=a>甲</a>`, []string{"/dir/a 甲"}},
		"no links":          {`<a>x</a><a href="">x</a><a name=x>x</a><a href="#top">x</a>`, nil},
		"other schemes": {
			`<a href="javascript:void(0)">a</a><a href="mailto:a@b.c">b</a><a href="data:text/html,x">c</a><a href="tel:1">d</a><a href=" JavaScript:x">e</a><a href="java&#9;script:x">f</a><a href="file:///etc/passwd">g</a>`,
			nil,
		},
		"white space in anchor": {"<a href=a> \n 股市 <b>行</b>情　上涨\n</a>", []string{"/dir/a 股市 行情 上涨"}},
		"blocks part words":     {"<a href=a><h3>标题</h3><p>摘要</p></a>", []string{"/dir/a 标题 摘要"}},
		"entities":              {`<a href="a?x=1&amp;y=2">A&amp;B &#20013;</a>`, []string{"/dir/a?x=1&y=2 A&B 中"}},
		"image alt":             {`<a href=a><img src=x.png alt="图片 说明"></a>`, []string{"/dir/a 图片 说明"}},
		"image title":           {`<a href=a><img src=x.png title="图片"></a>`, []string{"/dir/a 图片"}},
		"link title last":       {`<a href=a title="链接"><img src=x.png></a>`, []string{"/dir/a 链接"}},
		"text over alt":         {`<a href=a><img alt="很长很长的图片说明">文字</a>`, []string{"/dir/a 文字"}},
		"cut text completed":    {`<a href=a title="全文标题在此">全文标题...</a>`, []string{"/dir/a 全文标题在此"}},
		"other title kept out":  {`<a href=a title="点击查看">标题</a>`, []string{"/dir/a 标题"}},
		"merged: longest text":  {`<a href=a>更多</a><a href=b>乙</a><a href=./a>股市今日上涨</a>`, []string{"/dir/a 股市今日上涨", "/dir/b 乙"}},
		"merged: text over alt": {`<a href=a><img alt="图片说明文字"></a><a href=a>文字</a>`, []string{"/dir/a 文字"}},
		"merged: fragments":     {`<a href="a#1">甲</a><a href="a#2">甲甲</a>`, []string{"/dir/a 甲甲"}},
		"nofollow":              {`<a href=a rel="external NoFollow">甲</a><a href=b rel=nofollow>乙</a><a href=b>乙</a>`, []string{"/dir/a 甲 !", "/dir/b 乙"}},
		"area":                  {`<map><area href=a alt="区域"></map>`, []string{"/dir/a 区域"}},
		"frames":                {`<frameset><frame src=a.html title="左"><frame src=b.html><noframes><a href=c>丙</a></noframes></frameset>`, []string{"/dir/a.html 左", "/dir/b.html ", "/dir/c 丙"}},
		"frame without a set":   {`<div><frame src="/f" title="左"></div><a href=b>乙</a>`, []string{"/dir/b 乙", "/f 左"}},
		"frames in a body":      {`<body><frameset><frame src=/f></frameset>`, []string{"/f "}},
		"frames below text":     {`<body>目录<frameset><FRAME SRC=/f><frame src=/g></frameset>`, []string{"/f ", "/g "}},
		"frames that are not":   {`<p>文<!-- <frame src=/a> --><script>"<frame src=/b>"</script><template><frame src=/c></template>`, nil},
		"frame in noframes":     {`<p>文<noframes><frame src=/f></noframes>`, []string{"/f "}},
		"stray frame player":    {`<p>文<frame src=/player/1>`, nil},
		"iframe page":           {`<iframe src=/inner.html>x<a href=no>y</a></iframe><a href=b>乙</a>`, []string{"/inner.html ", "/dir/b 乙"}},
		"iframe player":         {`<iframe src="//player.youku.com/embed/X"></iframe>`, nil},
		"noscript":              {`<noscript><a href=a>甲</a></noscript>`, []string{"/dir/a 甲"}},
		"template":              {`<template><a href=a>甲</a></template><a href=b>乙</a>`, []string{"/dir/b 乙"}},
		"comment":               {`<!-- <a href=a>甲</a> --><a href=b>乙</a>`, []string{"/dir/b 乙"}},
		"script":                {`<script>document.write("<a href=a>甲</a>")</script><a href=b>乙</a>`, []string{"/dir/b 乙"}},
		"anchors not closed":    {`<a href=a>甲<a href=b>乙`, []string{"/dir/a 甲", "/dir/b 乙"}},
		"repeated attribute":    {`<a href=a href=b>甲</a>`, []string{"/dir/a 甲"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, linkLines(parse(t, tt.html).Links)); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseLegacyQuery(t *testing.T) {
	p, err := Parse([]byte(`<a href="/s?q=中文">查</a><a href="/路径">径</a>`), "gb18030", mustURL(t, "http://www.example.test/"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/s?q=%D6%D0%CE%C4 查", "/%E8%B7%AF%E5%BE%84 径"}
	if diff := cmp.Diff(want, linkLines(p.Links)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}

func TestParseMeasures(t *testing.T) {
	p := parse(t, `<title>标题</title><style>p{}</style><p>正文 四字 <a href=a>链接</a></p><script>var x</script><textarea>输入</textarea>
		<video src=v.mp4></video><object data=p.swf></object><img width=640 src=p.jpg><img width=16 src=i.gif><iframe src="http://v.qq.com/x"></iframe>`)
	got := []int{p.TextLen, p.Media}
	if diff := cmp.Diff([]int{6, 4}, got); diff != "" {
		t.Errorf("text and media (-want +got):\n%s", diff)
	}
}

func TestParseDigest(t *testing.T) {
	digest := func(s string) uint64 { return parse(t, s).Digest }
	page := digest(`<title>标题</title><p>股市 上涨</p><a href="/1">链接</a>`)
	same := map[string]string{
		"other link":    `<title>标题</title><p>股市 上涨</p><a href="/2?sid=9">链接</a>`,
		"other mark-up": `<title>标题</title><div class=x><b>股市</b>&#32;上涨</div><a href="/1">链接</a>`,
		"other spacing": "<title> 标题\n</title><p>股市\n\t　上涨</p><a href=\"/1\">链接</a>  ",
		"other script":  `<title>标题</title><script>var t=17</script><p>股市 上涨</p><a href="/1">链接</a>`,
		"other comment": `<title>标题</title><!-- 12:01 --><p>股市 上涨</p><a href="/1">链接</a>`,
	}
	for name, s := range same {
		if digest(s) != page {
			t.Errorf("%s: digest differs", name)
		}
	}
	for name, s := range map[string]string{
		"other title": `<title>题</title><p>股市 上涨</p><a href="/1">链接</a>`,
		"other text":  `<title>标题</title><p>股市 下跌</p><a href="/1">链接</a>`,
		"joined text": `<title>标题</title><p>股市上涨</p><a href="/1">链接</a>`,
		"nothing":     ``,
	} {
		if digest(s) == page {
			t.Errorf("%s: digest is equal", name)
		}
	}
}

func TestParseHostile(t *testing.T) {
	manyLinks := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, `<a href="/%d">链接</a>`, i)
		}
		return s.String()
	}
	tests := map[string]struct {
		html  string
		links int
	}{
		"200,000 open tags":     {"<title>财经</title>" + strings.Repeat("<div>", 200_000) + "<a href=a>股市</a>", 1},
		"megabyte attribute":    {`<title>财经</title><a title="` + strings.Repeat("长", 1<<20) + `" href=a>股市</a>`, 1},
		"megabyte href":         {`<title>财经</title><a href="/` + strings.Repeat("x", 1<<20) + `">股市</a>`, 0},
		"megabyte anchor":       {`<title>财经</title><a href=a>` + strings.Repeat("长 ", 1<<20), 1},
		"100,000 attributes":    {`<title>财经</title><a ` + strings.Repeat("x=1 ", 100_000) + `href=a>股市</a>`, 1},
		"unclosed quote":        {`<title>财经</title><a href="a>股市</a><p>`, 0},
		"unclosed comment":      {`<title>财经</title><!-- <a href=a>股市</a>`, 0},
		"20,000 links":          {`<title>财经</title>` + manyLinks(20_000), maxLinks},
		"only left angles":      {`<title>财经</title>` + strings.Repeat("<", 1<<20), 0},
		"entities without end":  {`<title>财经</title>` + strings.Repeat("&amp", 1<<18), 0},
		"half a million frames": {`<title>财经</title>` + strings.Repeat("<frame src=a>", 1<<16), 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := parse(t, tt.html)
			if p.Title != "财经" || len(p.Links) != tt.links {
				t.Errorf("title %q and %d links, want 财经 and %d", p.Title, len(p.Links), tt.links)
			}
			for _, l := range p.Links {
				if n := len([]rune(l.Anchor)); n > maxAnchor {
					t.Errorf("anchor of %d runes", n)
				}
			}
		})
	}
}

func TestParseFeeds(t *testing.T) {
	p := parse(t, `<base href=/x/><link rel="alternate" type="application/rss+xml" href="rss">
<link rel="ALTERNATE home" type="Application/Atom+XML; charset=utf-8" href="http://b.test/atom">
<link rel=alternate type=application/rss+xml href="./rss"><link rel=alternate type=application/rss+xml>
<link rel=alternate type=application/rss+xml href="javascript:x"><link rel="alternate nofollow" type=application/rss+xml href=no>
<link rel=alternate type=text/html hreflang=en href=en><link rel=alternate type=application/json href=json>
<link rel=stylesheet type=application/rss+xml href=css><template><link rel=alternate type=application/rss+xml href=t></template>`)
	want := []urlnorm.URL{mustURL(t, "http://www.example.test/x/rss"), mustURL(t, "http://b.test/atom")}
	if !slices.Equal(p.Feeds, want) {
		t.Errorf("feeds %v, want %v", p.Feeds, want)
	}
}

// What is beyond the limits of a page is counted: each URL once, whatever its spellings,
// unless there are more than can be remembered.
func TestParseBeyond(t *testing.T) {
	var s strings.Builder
	for i := range maxLinks + 7 {
		fmt.Fprintf(&s, `<a href="/%d">a</a><a href="/./%d">b</a>`, i, i)
	}
	if p := parse(t, s.String()); len(p.Links) != maxLinks || p.Beyond != 7 {
		t.Errorf("%d links and %d beyond, want %d and 7", len(p.Links), p.Beyond, maxLinks)
	}
	s.Reset()
	for i := range maxRefs + 7 {
		fmt.Fprintf(&s, `<a href="/%d">a</a>`, i)
	}
	if p := parse(t, s.String()); len(p.Links) != maxLinks || p.Beyond != maxRefs+7-maxLinks {
		t.Errorf("%d links and %d beyond, want %d and %d", len(p.Links), p.Beyond, maxLinks, maxRefs+7-maxLinks)
	}
}

func TestParseNotText(t *testing.T) {
	for name, body := range map[string]string{
		"png":       "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\xff", 500),
		"controls":  strings.Repeat("\x01\x02ab", 50),
		"not UTF-8": "<p>\xd6\xd0\xce\xc4",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(body), "utf-8", mustURL(t, "http://www.example.test/"))
			if !errors.Is(err, errNotText) || fault.Of(err).Class != fault.Permanent {
				t.Errorf("error = %v, want permanent ErrNotText", err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "<title>财经</title><a href=a>股市</a>", `<base href="//x"><a href=?q=中>`, "<svg><title>x</svg>", "<template><a href=b>",
		"<meta http-equiv=refresh content='0;url=\"x'>", "<a href='", "<noscript><iframe src=x></noscript>", "<plaintext><a href=x>",
		"<![CDATA[<a href=x>]]>", "<a href=x rel=NOFOLLOW><img alt=y></a>", nestedTags(100, 1000),
	} {
		f.Add([]byte(s))
	}
	base := mustURL(f, "http://www.example.test/dir/")
	f.Fuzz(func(t *testing.T, body []byte) {
		text, charset := Decode(body, "text/html")
		p, err := Parse(text, charset, base)
		if err != nil {
			if !errors.Is(err, errNotText) {
				t.Fatalf("error %v is not ErrNotText", err)
			}
			return
		}
		seen := map[urlnorm.URL]bool{}
		for _, l := range p.Links {
			if l.URL.IsZero() || seen[l.URL] {
				t.Errorf("link %q is empty or repeated", l.URL)
			}
			seen[l.URL] = true
			if strings.TrimSpace(l.Anchor) != l.Anchor || len([]rune(l.Anchor)) > maxAnchor {
				t.Errorf("anchor %q is not folded or too long", l.Anchor)
			}
		}
		again, _ := Parse(text, charset, base)
		if diff := cmp.Diff(p, again, cmp.AllowUnexported(urlnorm.URL{}), cmpopts.IgnoreFields(Page{}, "Tree")); diff != "" {
			t.Errorf("second run differs:\n%s", diff)
		}
	})
}

// newsPage is a page as portals serve them: about 45 KB, 250 links.
func newsPage() []byte {
	var s strings.Builder
	s.WriteString(`<!DOCTYPE html><html lang="zh"><head><meta charset="utf-8"><title>受疫情影响 博览会拟推迟一年举行-新闻网</title><meta name="keywords" content="博览会,推迟"><script>` + strings.Repeat("var a=function(){return 1};\n", 200) + `</script></head><body>`)
	for i := range 220 {
		fmt.Fprintf(&s, `<li class="item"><a href="/gn/2020/03-%02d/%d.shtml" title="要闻" target="_blank">国内要闻第%d条标题文字</a></li>`+"\n", i%30+1, 9142000+i, i)
	}
	for range 40 {
		s.WriteString(`<p>　　` + simplified + `</p>` + "\n")
	}
	for i := range 30 {
		fmt.Fprintf(&s, `<a href="http://www%d.example.test/">友情链接%d</a>`, i, i)
	}
	return []byte(s.String())
}

func BenchmarkParse(b *testing.B) {
	text, base := newsPage(), mustURL(b, "http://www.example.test/gn/2020/03-30/1.shtml")
	for name, read := range map[string]func([]byte, string, urlnorm.URL) ([]byte, *Page, error){"plain": Read, "contexts": ReadContexts} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := read(text, "text/html; charset=utf-8", base); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeGBK(b *testing.B) {
	body := encode(b, simplifiedGBK(), string(newsPage()))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, charset := Decode(body, "text/html; charset=gbk"); charset != nameGB18030 {
			b.Fatal(charset)
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"<title>t</title><p>one<a href=/x>two</a><ul><li>three<li>four</ul><script>no</script><style>no</style><noscript>five</noscript>": "one two three fourfive",
		"<meta charset=gbk><p>\xd6\xd0\xce\xc4": "中文",
		"\x00\x01\x02\x03\x04\x05\x06\x07":      "",
	} {
		if got, _ := Visible([]byte(page), "text/html", 100, urlnorm.URL{}); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	_, links := Visible([]byte("<meta charset=gbk><base href=/c/><a href=1>one</a><a href='?q=\xd6\xd0'>two</a><a href=1#x>three"), "text/html", 3, mustURL(t, "http://a.test/b/"))
	var got []string
	for _, l := range links {
		got = append(got, l.URL.String())
	}
	if want := []string{"http://a.test/c/1", "http://a.test/c/?q=%D6%D0"}; !slices.Equal(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
	if got, _ := Visible([]byte("<p>one <p>two"), "text/html", 6, urlnorm.URL{}); got != "one tw" {
		t.Errorf("six runes are %q", got)
	}
}
