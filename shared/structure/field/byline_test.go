package field_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/shared/structure/field"
)

// notice is an article of a Chinese site: the line below its headline has several labels,
// and the editor is named at the end, after as many paragraphs as there are.
func notice(n int, byline string) string {
	var text strings.Builder
	if n == 2 {
		text.WriteString("<p>　　冯女士告诉记者：这几年的变化很大，公告的事项都已经办好了。</p>")
	}
	for i := range 2 + n {
		fmt.Fprintf(&text, "<p>　　第%d次会议之后，第%d批事项现在公告如下，请各单位遵照执行。</p>", i, n)
	}
	return fmt.Sprintf("<meta name=description content='某市人民政府门户网站'><h1>第%d批事项的公告</h1><div class=line>%s</div>%s<p>　　（记者:王%c）有关会议日前召开。</p>",
		n, byline, &text, []rune("明华强军")[n])
}

func TestAnalyzeByline(t *testing.T) {
	sources := []string{"市财政局", "县教育局", "市人社局", "区住建局"}
	for form, byline := range map[string]string{
		"date first":   "2024年05月0%d日 10:58　来源：%s　参与互动",
		"labels":       "发布时间：2024-05-0%d 来源：%s 浏览次数：12次 【字体：大 中 小】",
		"source first": "",
	} {
		t.Run(form, func(t *testing.T) {
			var pages []field.Page
			for n, source := range sources {
				line := fmt.Sprintf("来源：%s 发布时间：2024-05-0%d", source, n+1)
				if byline != "" {
					line = fmt.Sprintf(byline, n+1, source)
				}
				pages = append(pages, pageOf(t, notice(n, line)))
			}
			news := load(t, "news")
			found := field.Analyze(news, pages)
			if _, ok := texts(found)["summary"]; ok {
				t.Error("the description of the site is a summary")
			}
			x, err := field.NewExtractor(news, found)
			if err != nil {
				t.Fatal(err)
			}
			for n, p := range pages {
				got := x.Extract(p)
				for name, want := range map[string]string{"source": sources[n], "author": "王" + string([]rune("明华强军")[n])} {
					if got[name].Text != want {
						t.Errorf("page %d: %s is %q, want %q", n, name, got[name].Text, want)
					}
				}
				if want := fmt.Sprintf("2024-05-0%d", n+1); !strings.HasPrefix(got["date"].Date, want) {
					t.Errorf("page %d: date is %+v, want %s", n, got["date"], want)
				}
			}
		})
	}
}

// What stands beside a name without a space is no part of it.
func TestBylineOfTwoTexts(t *testing.T) {
	for form, want := range map[string]string{
		"<div class=byline><span>%s</span><span>Political editor</span></div>":  "",
		"<div class=byline><span>%s</span> <span>Political editor</span></div>": " Political editor",
	} {
		var pages []field.Page
		names := []string{"Jane Doe", "Ann Lee", "Raj Patel"}
		for i, name := range names {
			pages = append(pages, pageOf(t, fmt.Sprintf("<h1>Council votes for bridge %d</h1>", i)+fmt.Sprintf(form, name)+strings.Repeat("<p>The council voted for the bridge after a long debate, and the work begins in spring.</p>", 4)))
		}
		subset(t, texts(field.Analyze(load(t, "news"), pages)), map[string]string{"author": names[0] + want})
	}
}

// Each value of a line ends where another one begins. A sentence is one value.
func TestLineOfSeveralValues(t *testing.T) {
	for line, want := range map[string]map[string]string{
		"来源：新华网　2026-05-20 08:10:12　阅读：3":                    {"source": "新华网", "date": "2026-05-20 08:10"},
		"作者：李明  2026-03-10 10:00 【打印】":                       {"author": "李明", "date": "2026-03-10 10:00"},
		"2026-03-10 来源：新华网 【字体：大 中】":                         {"source": "新华网", "date": "2026-03-10"},
		"Source: Post | Date: March 10, 2026":                {"source": "Post", "date": "March 10, 2026"},
		"By Ann Reid | March 10, 2026 | 4 min read":          {"author": "Ann Reid", "date": "March 10, 2026"},
		"March 10, 2026 by Ann Reid":                         {"author": "Ann Reid", "date": "March 10, 2026"},
		"By ANN REID March 10, 2026":                         {"author": "ANN REID", "date": "March 10, 2026"},
		"<i class=summary>Sail, May 4, 2026, and a walk</i>": {"summary": "Sail, May 4, 2026, and a walk"},
		"Posted by admin on March 10, 2026 in News":          {"author": "admin", "date": "March 10, 2026"},
		"Ann Reid, 10 March 2026":                            {"author": "", "date": "10 March 2026"},
		"<i class=author>Ann Reid, 10 March 2026</i>":        {"author": "Ann Reid", "date": "10 March 2026"},
		"by <a>Ann Reid</a> <a>2 Comments</a>":               {"author": "Ann Reid"},
		"Man bitten by Dog":                                  {"author": ""},
		"By using this site you accept cookies":              {"author": ""},
		"<i class=summary>Work ends before May 4, 2026</i>":  {"summary": "Work ends before May 4, 2026"},
		"<i class=summary>将于 2026年5月4日 完成</i>":               {"summary": "将于 2026年5月4日 完成"},
	} {
		p := pageOf(t, "<title>Council votes for bridge</title><h1>Council votes for bridge</h1><p>"+line+"</p><p>The council voted.</p>")
		got := texts(field.Analyze(load(t, "news"), []field.Page{p}))
		for name, value := range want {
			if got[name] != value {
				t.Errorf("%s: %s = %q, want %q", line, name, got[name], value)
			}
		}
	}
}

// An element that is called as a field has other values behind its own.
func TestFirstOfParts(t *testing.T) {
	for text, want := range map[string]string{
		"Vintage / 2008 / Paperback": "Vintage",
		"Vintage | 320":              "Vintage",
		"Vintage · Paperback · 2008": "Vintage",
		"Vintage / Knopf":            "Vintage / Knopf",
		"2008 / Vintage":             "2008 / Vintage",
		"Vintage/2008":               "Vintage/2008",
	} {
		p := pageOf(t, "<h1>A Long Walk</h1><div class=publisher>"+text+"</div><p>By the sea.</p>")
		subset(t, texts(field.Analyze(load(t, "book"), []field.Page{p})), map[string]string{"publisher": want})
	}
}

// An element that is called author has the author, and not when or the label of that.
func TestDateOfAuthor(t *testing.T) {
	for line, date := range map[string]string{
		"发表于 2026-5-1 09:12:03":                     "2026-05-01T09:12",
		"发表于 2026-5-1 09:12":                        "2026-05-01T09:12",
		"Posted 10 March 2026 09:12:03":             "2026-03-10T09:12",
		"<b>发表于</b> <span>2026-5-1 09:12:03</span>": "2026-05-01T09:12",
		"发表于": "",
	} {
		p := pageOf(t, "<h1>Where to park?</h1><p><a href=/space-uid-9.html>Ann Reid</a></p><em id=authorposton1>"+line+"</em><p>I have not found a place.</p>")
		found := field.Analyze(load(t, "news"), []field.Page{p})
		subset(t, texts(found), map[string]string{"author": "Ann Reid"})
		for _, f := range found {
			if f.Name == "date" && f.Date != date {
				t.Errorf("%s: date is %q, want %q", line, f.Date, date)
			}
		}
		if _, ok := texts(found)["date"]; ok != (date != "") {
			t.Errorf("%s: a date is %v", line, ok)
		}
	}
}
