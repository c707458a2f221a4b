package body

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// teaserList is an index of articles: each with its title and its beginning.
func teaserList(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, `<div><h3><a href="/%d.html">第%d条新闻的标题，说了些什么</a></h3><p>%s</p></div>`, i, i, para1)
	}
	return s.String()
}

// led is n beginnings of articles, each followed by its link.
func led(n int, label string) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, `<div><p>%s</p>%s</div>`, []string{para1, para2, para3}[i%3], fmt.Sprintf(label, i))
	}
	return s.String()
}

func TestLists(t *testing.T) {
	linksOnly := strings.Repeat(`<li><a href="/a">一条新闻的标题，说了些什么</a></li>`, 20)
	comments := "<h1>博览会拟推迟一年举行</h1>" + paragraphs(para1, para2) + teaserList(12)
	tests := map[string]struct {
		title, html string
		list        bool
	}{
		"beginnings of articles":       {"滚动新闻", teaserList(12), true},
		"under the name of a section":  {"滚动新闻频道", "<h1>滚动新闻频道</h1>" + teaserList(12), true},
		"few beginnings":               {"滚动新闻", teaserList(3), true},
		"a tag with one article":       {"标签：博览会", "<h1>标签：博览会</h1>" + teaserList(1), true},
		"under a part of the headline": {"博览会拟推迟一年举行", `<h1>博览会拟推迟一年举行</h1><h2><a href="/expo/">博览会专题报道</a></h2>` + paragraphs(para1), false},
		"under a link to itself":       {"新闻网", `<div><h2><a href="/a.html?from=list">博览会拟推迟一年举行</a></h2>` + paragraphs(para1) + "</div>", false},
		"under a share button":         {"新闻网", `<div><h4><a href="javascript:share()">微信扫一扫分享给朋友</a></h4>` + paragraphs(para1) + "</div>", false},
		"under the name of the site":   {"新闻网", `<div><h2><a href="/">博览会的新闻和评论网</a></h2>` + paragraphs(para1) + "</div>", false},
		"an article under a link":      {"新闻网", `<div><h2><a href="/expo/">博览会专题报道</a></h2>` + paragraphs(strings.Repeat(para1, 10)) + "</div>", false},
		"parts of an article":          {"新闻网", `<div><h2><a href="/expo/">博览会专题报道</a></h2>` + paragraphs(para1) + "<h2>主办方的声明</h2>" + paragraphs(para2) + "</div>", false},
		"four beginnings":              {"滚动新闻频道", "<h1>滚动新闻频道</h1>" + teaserList(4), true},
		"links after beginnings":       {"滚动新闻频道", "<h1>滚动新闻频道</h1>" + led(4, `<a href="/%d.html">查看详情</a>`), true},
		"many of them":                 {"滚动新闻频道", "<h1>滚动新闻频道</h1>" + led(20, `<span>2020-03-30</span> <a href="/%d.html">阅读全文</a>`), true},
		"links in brackets":            {"滚动新闻频道", "<h1>滚动新闻频道</h1>" + strings.ReplaceAll(led(5, `<a href="/%d.html">[详细]</a>`), "</p>", ""), true},
		"an article and more":          {"博览会拟推迟一年举行", "<h1>博览会拟推迟一年举行</h1>" + paragraphs(para1, para2) + led(5, `<a href="/%d.html">查看详情</a>`), false},
		"short news and more":          {"博览会拟推迟一年举行", "<h1>博览会拟推迟一年举行</h1><p>博览会今日宣布推迟一年，门票仍然有效。</p>" + teaserList(4), false},
		"one link to the rest":         {"博览会拟推迟一年举行", "<h1>博览会拟推迟一年举行</h1>" + paragraphs(para1, para2, para3, para1+para2) + `<a href="/1.html">阅读全文</a>`, false},
		"sources of an article":        {"博览会拟推迟一年举行", "<h1>博览会拟推迟一年举行</h1>" + paragraphs(para1) + `<a href="/1.html">委员会的声明全文</a>` + paragraphs(para2, para3) + `<a href="/2.html">主办方的会议纪要</a>` + paragraphs(para1+para2, para3+para2), false},
		"a hotline after links":        {"公告", "<ul>" + linksOnly + "</ul><p>全国统一电话：400-000-0000，人工服务时间为周一至周五。</p>", true},
		"an address after links":       {"公告", "<ul>" + linksOnly + "</ul><p>公司地址：青岭市滨海大道6008号报业大厦西区23层 邮编：518034</p><p>传真：0755-21872902 客服邮箱：service@example.test 全国统一客服热线：400-930-6677</p>", true},
		"an entry without a link":      {"滚动", "<ul>" + linksOnly + "<li>(2020-08-16)[社会] 不幸的消息传来，确认了</li>" + linksOnly + "</ul>", true},
		"short news among links":       {"博览会推迟一年", "<ul>" + linksOnly + "</ul><h1>博览会推迟一年</h1><p>博览会今日宣布推迟一年，门票仍然有效，请勿退票。</p><ul>" + linksOnly + "</ul>", false},
		"short news without a heading": {"博览会推迟一年-新闻网", "<p>2020年03月30日</p><p>博览会今日宣布推迟一年，门票仍然有效，请勿退票。</p><ul>" + linksOnly + "</ul>", false},
		"an article with comments":     {"博览会拟推迟一年举行", comments, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<title>"+tt.title+"</title>"+tt.html, "http://www.example.test/a.html")
			switch {
			case tt.list && (!errors.Is(err, ErrList) || !errors.Is(err, ErrNoText)):
				t.Errorf("error %v, want ErrList; text %.300s", err, b.Text)
			case !tt.list && err != nil:
				t.Errorf("error %v, want the text", err)
			}
		})
	}
}
