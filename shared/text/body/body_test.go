package body

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

var fetched = time.Date(2021, 6, 1, 12, 0, 0, 0, time.UTC)

const (
	para1 = "受疫情影响，博览会指导委员会昨日发布声明称，由于疫情仍在蔓延，原定于今年举行的博览会将考虑推迟一年举行。"
	para2 = "据报道，委员会举行了远程会议，会上各方同意就推迟举行的可能性展开研究，最终决定将在下次会议上做出。"
	para3 = "主办方表示，推迟有助于各参展方克服眼前的困难，筹备工作仍在继续，已售出的门票在新的日期同样有效。"
)

// newsPage wraps an article into the furniture of a portal.
func newsPage(title, line, article string) string {
	var s strings.Builder
	s.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"><title>` + title + `-新闻网</title><script>var a=1;</script></head><body><div class="nav">`)
	for i := range 12 {
		fmt.Fprintf(&s, `<a href="/c%d/">栏目%d</a>`, i, i)
	}
	s.WriteString(`</div><div class="crumb">您的位置：<a href="/">首页</a> &gt; 正文</div><h1>` + title + `</h1><div class="left-t">` + line + `</div><div class="content" id="content">` + article + `</div><div class="rel"><h3>相关阅读</h3><ul>`)
	for i := range 8 {
		fmt.Fprintf(&s, `<li><a href="/n/%d.shtml">另一条新闻的标题，与本文没有关系%d</a></li>`, i, i)
	}
	s.WriteString(`</ul></div><div class="foot">关于我们 | 版权声明 | 联系方式 Copyright ©1999-2020 新闻网 All Rights Reserved 未经授权禁止转载、摘编、复制及建立镜像，违者将依法追究法律责任。<br>本网站所刊载信息，不代表本网观点。</div></body></html>`)
	return s.String()
}

func paragraphs(p ...string) string { return "<p>　　" + strings.Join(p, "</p>\n<p>　　") + "</p>" }

// extract runs both steps as the crawl does.
func extract(t testing.TB, text, pageURL string) (*Body, error) {
	t.Helper()
	u, err := urlnorm.Parse(pageURL)
	if err != nil {
		t.Fatal(err)
	}
	hint, err := page.Parse([]byte(text), "utf-8", u)
	if err != nil {
		t.Fatal(err)
	}
	return Extract([]byte(text), pageURL, hint, Options{Fetched: fetched})
}

// Sentences of articles in words that furniture is made of.
const (
	ports   = "公告称，进境的船舶和列车等运输工具上，一律作封存处理，在境内停留或者运行期间，未经海关许可，不得启封动用。"
	hotline = "市监管局表示，执法行动目前处于排查阶段，将重点关注反映强烈的违法线索，也欢迎市民通过热线或者平台进行举报。"
)

func TestExtract(t *testing.T) {
	tests := map[string]struct {
		title, line, article string
		want                 string
	}{
		"long":                     {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2, para3, para1+para3, para2+para3), strings.Join([]string{para1, para2, para3, para1 + para3, para2 + para3}, "\n")},
		"two paragraphs":           {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2), para1 + "\n" + para2},
		"one sentence":             {"博览会拟推迟一年举行", "2020年03月30日", paragraphs("博览会今日宣布推迟一年，门票仍然有效。"), "博览会今日宣布推迟一年，门票仍然有效。"},
		"one phrase":               {"博览会拟推迟一年举行", "2020年03月30日", paragraphs("某网站联合某日报调查您家里装修是否遭遇过增项"), "某网站联合某日报调查您家里装修是否遭遇过增项"},
		"lines by br":              {"博览会拟推迟一年举行", "2020年03月30日", "　　" + para1 + "<br><br>　　" + para2 + "<br>" + para3, para1 + "\n" + para2 + "\n" + para3},
		"credits dropped":          {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2, "【编辑:张三】"), para1 + "\n" + para2},
		"furniture dropped":        {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2, "版权声明：本文版权归新闻网所有，未经许可不得转载。", "延伸阅读：另一条新闻"), para1 + "\n" + para2},
		"more furniture than text": {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2, "责任编辑：张三", "分享到：微信 微博", "版权声明：未经本网授权不得转载。", "京ICP备12345678号", "上一篇：另一条新闻", "下一篇：又一条新闻"), para1 + "\n" + para2},
		"words of furniture":       {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, ports, hotline, para2), strings.Join([]string{para1, ports, hotline, para2}, "\n")},
		"a notice at the end":      {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2, "未经本网许可，任何单位和个人不得以任何方式使用这些作品，也不得用于商业的用途，更不得改动。"), para1 + "\n" + para2},
		"the same, but short":      {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, "扫描下面的二维码，看更多博览会的新闻。", para2), para1 + "\n" + para2},
		"a notice in the text":     {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, "版权声明："+ports, para2), para1 + "\n" + para2},
		"headline dropped":         {"博览会拟推迟一年举行", "2020年03月30日", paragraphs("博览会拟推迟一年举行", para1, para2), para1 + "\n" + para2},
		"links in the text":        {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, strings.Replace(para2, "委员会", `<a href="/x">委员会</a>`, 1)), para1 + "\n" + para2},
		"hidden text":              {"博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2) + `<p style="display: none">隐藏的文字，不应出现。</p><p hidden>` + para3 + `</p>`, para1 + "\n" + para2},
		"named like furniture":     {"博览会拟推迟一年举行", "2020年03月30日", `<div class="main-nav hot">` + paragraphs(para1, para2) + `</div>`, para1 + "\n" + para2},
		"inside a link":            {"博览会拟推迟一年举行", "2020年03月30日", `<a href="/x">` + para1 + para2 + "<br>" + para2 + para3 + para1 + `</a>`, para1 + para2 + "\n" + para2 + para3 + para1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, newsPage(tt.title, tt.line, tt.article), "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, b.Text); diff != "" {
				t.Errorf("%s: text (-want +got):\n%s", b.Method, diff)
			}
			if b.Title != tt.title || b.MediaOnly {
				t.Errorf("title %q, media only %v", b.Title, b.MediaOnly)
			}
		})
	}
}

// TestShortNewsBesideMedia holds that a sentence longer than a caption, or beside
// a picture, is news.
func TestShortNewsBesideMedia(t *testing.T) {
	tests := map[string]struct{ article, want string }{
		"video":   {`<video src="/1.mp4"></video>` + paragraphs(para1), para1},
		"picture": {`<img width="640" src="/1.jpg">` + paragraphs("博览会今日宣布推迟一年举行，已售出的门票仍然有效。"), "博览会今日宣布推迟一年举行，已售出的门票仍然有效。"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, newsPage("博览会拟推迟一年举行", "", tt.article), "http://www.example.test/a.html")
			if err != nil || b.MediaOnly || b.Text != tt.want {
				t.Errorf("body %+v, error %v; want the text", b, err)
			}
		})
	}
}

// TestLetOff sets sentences into an article that begin like furniture, or have
// a word of it: those that tell something stay between paragraphs.
func TestLetOff(t *testing.T) {
	tests := map[string]struct {
		line string
		kept bool
	}{
		"back home":             {"上一篇论文发表后，他开始种植蓝莓。", true},
		"more":                  {"更多报道说他在展厅里待了一天。", true},
		"a talk":                {"推荐阅读会上，他讲述了支教的经历。", true},
		"a comment":             {"网友评论认为，这一做法值得推广。", true},
		"how often":             {"点击量在一夜之间突破百万次。", true},
		"a quotation":           {"网友评论说：“这一做法值得推广。”", true},
		"registration":          {"工信部要求所有小程序在年底前完成ICP备案，逾期将予以下架处理，这让不少开发者感到焦虑。", true},
		"who has the copyright": {"法院认为，该公司享有涉案软件的版权，版权归属清晰，被告未经许可使用构成侵权，应当赔偿损失。", true},
		"a contract":            {"业主的举报信说，销售合同附件中存在违反政府样板间政策的免责条款，样板间在交付前已被拆除，房屋品质下降。", true},
		"a credit":              {"编辑：张三丰。", false},
		"two credits":           {"来源：新闻网 编辑：张三丰。", false},
		"a label":               {"相关报道：博览会的门票仍然有效。", false},
		"no sentence":           {"更多内容，更多机会", false},
		"to the reader":         {"点击图片，观看博览会的视频。", false},
		"of the site":           {"本文版权归新闻网和作者共同所有。", false},
		"a number":              {"本市工信委粤ICP备12345678号。", false},
		"a button":              {"返回首页。", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, newsPage("博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, tt.line, para2)), "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.Text, tt.line); got != tt.kept || !strings.Contains(b.Text, para1) {
				t.Errorf("kept %v, want %v; text:\n%s", got, tt.kept, b.Text)
			}
		})
	}
}

func TestExtractWithoutText(t *testing.T) {
	tests := map[string]struct {
		html      string
		mediaOnly bool // else ErrNoText
	}{
		"video":                 {newsPage("一段视频", "2020年03月30日 10:21　来源：新闻网　参与互动", `<div class="video"><object data="/player.swf"></object></div>`), true},
		"frame with a player":   {newsPage("一段视频", "", `<iframe src="http://v.qq.com/iframe/player.html"></iframe>`), true},
		"pictures":              {newsPage("一组图片", "", `<img width="640" src="/1.jpg"><p>第一张</p><img width="640" src="/2.jpg"><p>第二张</p>`), true},
		"nothing but furniture": {newsPage("空页", "2020年03月30日", ""), false},
		"list of links":         {`<title>列表</title><ul>` + strings.Repeat(`<li><a href="/a">一条新闻的标题，说了些什么</a> <span>3-9</span></li>`, 30) + `</ul>`, false},
		"nothing":               {"", false},
		"script alone":          {"<script>" + strings.Repeat("document.write('正文，正文。');", 50) + "</script>", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, tt.html, "http://www.example.test/a.html")
			switch {
			case !tt.mediaOnly && !errors.Is(err, ErrNoText):
				t.Errorf("body %+v, error %v; want ErrNoText", b, err)
			case tt.mediaOnly && (err != nil || !b.MediaOnly):
				t.Errorf("body %+v, error %v; want media only", b, err)
			}
		})
	}
}

func TestExtractHostile(t *testing.T) {
	article := paragraphs(para1, para2)
	tests := map[string]struct {
		html string
		want string // part of the text, "" for ErrNoText
	}{
		"200,000 open tags":        {"<title>财经</title><body>" + strings.Repeat("<div>", 200_000) + para1, para1},
		"600 open tags":            {"<title>财经</title><body>" + strings.Repeat("<div>", 600) + para1, para1},
		"formatting never closed":  {"<title>财经</title>" + strings.Repeat("<b><i><font>", 9_000) + article, para1},
		"tables in tables":         {"<title>财经</title>" + strings.Repeat("<table><tr><td>", 150) + article, para1},
		"text put before tables":   {"<title>财经</title>" + strings.Repeat("<table>x", 10_000) + article, para1},
		"attributes on html":       {strings.Repeat("<html a=b><body c=d>", 10_000) + article, para1},
		"different attributes":     {numbered("<body a%d=1>", 39_000) + article, para1},
		"formatting compared":      {strings.Repeat("<b "+numbered("a%d ", 5_000)+">", 40) + article, para1},
		"formatting, few compared": {article + numbered("<p><b a b c d e f g h i j=%d></p>", 16_000), para1},
		"100,000 attributes":       {"<p " + strings.Repeat("x=1 ", 100_000) + ">" + para1 + "</p>", para1},
		"10 MB of text":            {"<p>" + strings.Repeat(para1, 10<<20/len(para1)) + "</p>", para1},
		"300,000 paragraphs":       {strings.Repeat("<p>x</p>", 300_000), ""},
		"30,000 lines":             {article + strings.Repeat("<br>x", 30_000), para1},
		"broken linked data":       {`<script type="application/ld+json">` + strings.Repeat("[", 100_000) + `</script>` + article, para1},
		"select in select":         {"<title>财经</title>" + strings.Repeat("<select><option>", 10_000) + "</select>" + article, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := Extract([]byte(tt.html), "http://www.example.test/", nil, Options{Fetched: fetched})
			switch {
			case tt.want == "" && err != nil && !errors.Is(err, ErrNoText):
				t.Errorf("error %v, want ErrNoText or a body", err)
			case tt.want != "" && (err != nil || !strings.Contains(b.Text, tt.want)):
				t.Errorf("error %v, want the text", err)
			}
		})
	}
}

// numbered repeats format with the numbers from 0.
func numbered(format string, n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, format, i)
	}
	return s.String()
}

func FuzzExtract(f *testing.F) {
	f.Add("<title>标题-新闻网</title><h1>标题</h1><p>2020年03月30日 10:21　来源：新闻网<p>" + para1 + "<p>（记者 张三）")
	f.Add("<title>标题</title><video src=x></video><div class=rel><a href=/x>另一条</a></div>版权所有")
	f.Add("<p>二〇一七年三月十五日，记者 张三")
	f.Add(`<script type="application/ld+json">{"@graph":[{"datePublished":"2020-03-30","author":[{"name":"x"}]}]}</script>`)
	f.Add("<table><a><b><table><tr><a>")
	f.Add("<div><p>" + para1 + "</p><table><tr><th>a<td>b<tr><td>c<td>d</table><ul><li>x</ul></div>")
	f.Add("<h1>标题标题标题标题</h1><p>" + para1 + strings.Repeat("<div><a>另一条新闻的标题</a><p>另一条新闻的开头，说了些什么…</div>", 5))
	f.Fuzz(func(t *testing.T, text string) {
		b, err := Extract([]byte(text), "http://www.example.test/2020/03-30/1.shtml", nil, Options{Fetched: fetched})
		switch {
		case err != nil && !errors.Is(err, ErrNoText):
			t.Errorf("error %v is not ErrNoText", err)
		case err == nil && b.Text == "" && !b.MediaOnly:
			t.Error("no text, no media and no error")
		case err == nil && (b.Published.After(fetched.Add(24*time.Hour)) || !b.Published.IsZero() && b.Published.Year() < 1989):
			t.Errorf("published %v", b.Published)
		}
	})
}

// An article among the lists of a portal: most blocks of such a page are links.
func BenchmarkExtract(b *testing.B) {
	var article []string
	for range 8 {
		article = append(article, para1+para2, para3+para1)
	}
	var lists strings.Builder
	for i := range 120 {
		fmt.Fprintf(&lists, `<div><a href="/l/%d.shtml">又一条新闻的标题，列在文章的下面，长短也和别的标题一样%d</a></div><span>2020-03-30</span>`, i, i)
	}
	text := []byte(newsPage("博览会拟推迟一年举行", "2020年03月30日 10:21　来源：新闻网", paragraphs(article...)+`</div><div class="lists">`+lists.String()))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Extract(text, "http://www.example.test/a.html", nil, Options{Fetched: fetched}); err != nil {
			b.Fatal(err)
		}
	}
}
