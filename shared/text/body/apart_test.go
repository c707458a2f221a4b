package body

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// others are the beginnings of n other articles, under a heading of their own.
func others(n int, class, end string) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<div class="%s"><h3>最新消息</h3>`, class)
	for i := range n {
		text := []rune([]string{para1, para2, para3}[i%3])[:35+i%3]
		fmt.Fprintf(&s, `<div><h4><a href="/%d.html">另外第%d条新闻的标题</a></h4><p>%s%s</p></div>`, i, i, string(text), end)
	}
	return s.String() + "</div>"
}

// TestShortNewsAboveTeasers sets news of all lengths above other articles'
// beginnings, which are no part of it and make no list of it.
func TestShortNewsAboveTeasers(t *testing.T) {
	articles := map[string][]string{
		"a sentence":       {flash},
		"a paragraph":      {para1},
		"three paragraphs": {flash, para2, "市民可以步行或者骑车过桥。"},
		"six paragraphs":   {para1, para2, para3, para1 + para2, para2 + para3, para3 + para1},
	}
	titles := map[string]string{"of the article": "跨河大桥通车了_青岭新闻网", "of the section": "要闻_青岭新闻网"}
	for name, article := range articles {
		for of, title := range titles {
			for _, class := range []string{"", "related", "list"} {
				for _, n := range []int{4, 8, 15} {
					for _, end := range []string{"", "…"} {
						t.Run(fmt.Sprint(name, "/", of, "/", class, n, end), func(t *testing.T) {
							b, err := extract(t, "<title>"+title+"</title><h1>青岭市第三座跨河大桥</h1><div>2020-03-30 来源：青岭日报</div><div class=con>"+
								paragraphs(article...)+"</div>"+others(n, class, end)+"<p>版权所有 青岭日报社</p>", "http://www.example.test/a.html")
							if want := strings.Join(article, "\n"); err != nil || b.Text != want {
								t.Errorf("text by %s, error %v:\n%s\nwant:\n%s", b.Method, err, b.Text, want)
							}
						})
					}
				}
			}
		}
	}
}

func TestSectionsStayLists(t *testing.T) {
	tests := map[string]string{
		"a name":                      "<h1>要闻</h1>" + others(10, "list", "…"),
		"a longer name":               "<h1>青岭新闻网经济要闻频道</h1>" + others(10, "list", "…"),
		"dates between the two":       "<h1>要闻</h1>" + strings.ReplaceAll(others(10, "list", "…"), "</h4>", "</h4><span>2020-03-30 10:21</span><br>"),
		"a heading below the teasers": others(10, "list", "…") + "<h2>本月阅读最多的新闻</h2><p>" + flash + "</p>" + others(10, "list", "…"),
	}
	for name, html := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<title>要闻_青岭新闻网</title>"+html, "http://www.example.test/")
			if !errors.Is(err, ErrList) {
				t.Errorf("error %v, want ErrList; text %.200s", err, b.Text)
			}
		})
	}
}
