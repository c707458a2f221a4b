package boilerplate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	disclaimer = "声明：本站所载文章均为作者个人看法，读者请自行核实相关内容。"
	subscribe  = "欢迎订阅本站每日早报，第一时间获取最新资讯与深度报道内容"
	share      = "分享到：微信 微博 空间"
)

// What is the site's goes, all of it and from every page.
func TestLearnsFurniture(t *testing.T) {
	for _, tc := range []struct {
		name  string
		pages []Page
		want  []string
	}{
		{name: "a footer", pages: plainSite(30, nil, []string{disclaimer, subscribe, share}), want: []string{disclaimer, subscribe, share}},
		{name: "a footer of a small host", pages: plainSite(4, nil, []string{disclaimer, share}), want: []string{disclaimer, share}},
		{name: "a short line at the very end", pages: plainSite(30, nil, []string{"返回顶部"}), want: []string{"返回顶部"}},
		{name: "a line above the text", pages: plainSite(30, []string{subscribe}, nil), want: []string{subscribe}},
		{name: "the way to the page", pages: plainSite(30, []string{"首页 > 新闻 > 正文"}, nil), want: []string{"首页 > 新闻 > 正文"}},
		{name: "a short sentence among longer lines", pages: plainSite(30, nil, []string{subscribe, "谢谢阅读。", disclaimer}), want: []string{subscribe, "谢谢阅读。", disclaimer}},
		{
			// Thanks end the speech, not the page.
			name: "a short sentence above longer lines", pages: plainSite(30, nil, []string{"谢谢大家！", disclaimer, share}), want: []string{disclaimer, share},
		},
		{name: "both ends", pages: plainSite(30, []string{"字号：大 中 小", subscribe}, []string{share}), want: []string{"字号：大 中 小", subscribe, share}},
		{
			// The pages have another body each, and three lines in common.
			name: "short news under a long footer",
			pages: site(40, func(i int, rng *rand.Rand) (string, []string) {
				return fmt.Sprintf("快讯%d", i), []string{prose(rng, 30), disclaimer, subscribe, share}
			}),
			want: []string{disclaimer, subscribe, share},
		},
		{
			name: "a line that differs is between them",
			pages: site(40, func(i int, rng *rand.Rand) (string, []string) {
				return fmt.Sprintf("新闻%d", i), append(article(rng, 4), disclaimer, fmt.Sprintf("阅读 %d 次", i*31+7), subscribe)
			}),
			want: []string{disclaimer, subscribe},
		},
		{
			name: "a list of other titles follows",
			pages: site(40, func(i int, rng *rand.Rand) (string, []string) {
				lines := append(article(rng, 4), disclaimer)
				for range 8 {
					lines = append(lines, words[rng.IntN(40)]+words[rng.IntN(40)]+words[rng.IntN(40)])
				}
				return fmt.Sprintf("新闻%d", i), lines
			}),
			want: []string{disclaimer},
		},
		{
			name: "a disclaimer of one section",
			pages: in(site(60, func(i int, rng *rand.Rand) (string, []string) {
				a := article(rng, 4)
				if i%3 == 0 {
					a = append(a, disclaimer)
				}
				return fmt.Sprintf("新闻%d", i), a
			}), func(i int) string {
				if i%3 == 0 {
					return fmt.Sprintf("/finance/2020-%d/%d.html", i%12, i)
				}
				return fmt.Sprintf("/sports/%d.html", i)
			}),
			want: []string{disclaimer},
		},
		{
			name: "news of a sentence",
			pages: site(12, func(i int, rng *rand.Rand) (string, []string) {
				return fmt.Sprintf("快讯%d", i), []string{prose(rng, 22), disclaimer}
			}),
			want: []string{disclaimer},
		},
		{
			// Half of the pages at least, followed by anything.
			name: "a note between paragraphs",
			pages: site(40, func(i int, rng *rand.Rand) (string, []string) {
				a := article(rng, 6)
				return fmt.Sprintf("新闻%d", i), slices.Insert(a, 1+rng.IntN(4), subscribe)
			}),
			want: []string{subscribe},
		},
		{
			name: "other widths, cases and signs",
			pages: site(30, func(i int, rng *rand.Rand) (string, []string) {
				notes := []string{"Read MORE on the Daily Post’s App -- today", "read more on the daily post's app, TODAY", "ｒｅａｄ more on the Daily Post's app: today"}
				return fmt.Sprintf("新闻%d", i), append(article(rng, 3), notes[i%3])
			}),
			want: []string{"Read MORE on the Daily Post’s App -- today", "read more on the daily post's app, TODAY", "ｒｅａｄ more on the Daily Post's app: today"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := gone(tc.pages)
			lines := make([]string, 0, len(got))
			for s := range got {
				lines = append(lines, s)
			}
			slices.Sort(lines)
			slices.Sort(tc.want)
			if diff := cmp.Diff(tc.want, lines); diff != "" {
				t.Errorf("removed lines (-want +got):\n%s", diff)
			}
		})
	}
}

// sectionNotes are a sentence and a line of names below the texts of a section.
func sectionNotes(section int) []string {
	name := words[section]
	return []string{
		"本栏目由" + name + "频道独家策划制作，感谢各位读者长期以来的支持与厚爱。",
		"策划统筹 " + name + "编辑部 联系地址 解放路十八号三楼",
	}
}

// some draws half of the lines, in their order.
func some(rng *rand.Rand, lines []string) []string {
	var out []string
	for i, k := range rng.Perm(len(lines)) {
		if 2*k < len(lines) {
			out = append(out, lines[i])
		}
	}
	return out
}

// What recurs and is content stays.
func TestKeepsContent(t *testing.T) {
	copied := article(rand.New(rand.NewPCG(1, 1)), 8)
	note := "编者按：本报今起推出系列报道，讲述一线劳动者平凡而动人的故事。"
	for _, tc := range []struct {
		name  string
		shape func(i int, rng *rand.Rand) (string, []string)
		pages int
		url   string // format of the address, for the page's number, or "section" for six sections
	}{
		{name: "articles alone", pages: 64, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("新闻", i), article(rng, 4)
		}},
		{name: "an article in several pages", pages: 12, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprintf("系列报道（%d/12）", i+1), append([]string{note}, article(rng, 4)...)
		}},
		{name: "mirrors of one article", pages: 40, shape: func(i int, rng *rand.Rand) (string, []string) {
			if i%2 == 0 {
				return "同一篇文章", copied
			}
			return fmt.Sprint("新闻", i), article(rng, 4)
		}},
		{name: "mirrors, each with a line of its own", pages: 12, shape: func(i int, rng *rand.Rand) (string, []string) {
			if i%2 == 0 {
				return "同一篇文章", append(slices.Clone(copied), prose(rng, 12))
			}
			return fmt.Sprint("新闻", i), article(rng, 4)
		}},
		{name: "mirrors under a few titles", pages: 40, shape: func(i int, rng *rand.Rand) (string, []string) {
			if i%2 == 0 {
				return fmt.Sprint("转载", i%6), copied
			}
			return fmt.Sprint("新闻", i), article(rng, 4)
		}},
		{name: "the pages of a gallery", pages: 20, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprintf("春天的河流（%d/20）", i+1), []string{copied[0], prose(rng, 9)}
		}},
		{name: "the pages of an article with other titles", pages: 20, url: "/2020/1234567_%d.html",
			shape: func(_ int, rng *rand.Rand) (string, []string) {
				return prose(rng, 4), []string{copied[0], prose(rng, 9)}
			}},
		{name: "an editor's note on a few of many", pages: 64, shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rng, 5)
			if i%8 == 0 {
				a = append([]string{note}, a...)
			}
			return fmt.Sprint("新闻", i), a
		}},
		{name: "applause", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rng, 3)
			return fmt.Sprint("讲话", i), []string{a[0], "（掌声）", a[1], "（热烈鼓掌）", a[2], "谢谢大家！"}
		}},
		{name: "questions and answers", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rng, 4)
			return fmt.Sprint("访谈", i), []string{"问：", a[0], "答：", a[1], "问：", a[2], "答：", a[3]}
		}},
		{name: "headings", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rng, 4)
			return fmt.Sprint("论文", i), []string{"摘要", a[0], "Abstract", a[1], "一、", a[2], "参考文献", a[3]}
		}},
		{name: "a daily report", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rng, 3)
			return fmt.Sprint("早报", i), []string{"今日要闻", a[0], "国际", a[1], "财经", a[2]}
		}},
		{name: "a dateline that introduces", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("新闻", i), append([]string{"本台消息（新闻联播）："}, article(rng, 3)...)
		}},
		{name: "a table of shares", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			lines := []string{prose(rng, 12)}
			for _, name := range []string{"上证指数", "深证成指", "创业板指", "恒生指数"} {
				lines = append(lines, name, fmt.Sprintf("%d.%02d", 2000+rng.IntN(900), rng.IntN(100)))
			}
			return fmt.Sprint("收盘", i), lines
		}},
		{name: "lines that differ in a number", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("通报", i), append(article(rng, 2), fmt.Sprintf("截至%d时，全省累计报告病例%d例，其中治愈出院%d例。", rng.IntN(24), i*13, i*7))
		}},
		{name: "how announcements end", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("公告", i), append(article(rng, 3), "特此公告。", fmt.Sprintf("2020年3月%d日", i))
		}},
		{name: "signatures above a date", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("通知", i), append(article(rng, 3), "某某市人民政府", fmt.Sprintf("2020年3月%d日", i))
		}},
		{name: "a product's text inside of reviews", pages: 40, shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rng, 4)
			if i%3 == 0 {
				a = []string{a[0], a[1], copied[0], copied[1], copied[2], a[2], a[3]}
			}
			return fmt.Sprint("评测", i), a
		}},
		{name: "one event after the other", pages: 6, shape: func(i int, _ *rand.Rand) (string, []string) {
			return fmt.Sprint("沙龙", i), []string{fmt.Sprintf("第%d期沙龙安排在周六下午，地点为图书馆二楼。", i), copied[0], copied[1]}
		}},
		{name: "sentences that a writer likes", pages: 30, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("新闻", i), append(article(rng, 3), some(rng, copied[:6])...)
		}},
		{name: "sentences that a writer likes, on few pages", pages: 10, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("新闻", i), append(article(rng, 3), some(rng, copied[:5])...)
		}},
		{name: "a sentence on three of four pages of a section", pages: 24, url: "section", shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rng, 4)
			if i/6 != 0 {
				a = append(a, sectionNotes(i%6)...)
			}
			return fmt.Sprint("新闻", i), a
		}},
		{name: "a note above the series of a section", pages: 24, url: "section", shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("新闻", i), append([]string{sectionNotes(i % 6)[0], sectionNotes(i % 6)[1]}, article(rng, 4)...)
		}},
		{name: "a short line that closes a section", pages: 24, url: "section", shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("新闻", i), append(article(rng, 4), words[i%6]+"频道")
		}},
		{name: "copies of an article in each section", pages: 24, url: "section", shape: func(i int, rng *rand.Rand) (string, []string) {
			a := article(rand.New(rand.NewPCG(5, uint64(i%6))), 4)
			return fmt.Sprint("新闻", i%6), append(a[:3:3], prose(rng, 14), a[3])
		}},
		{name: "entries of a form, little of their own", pages: 24, url: "section", shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("通知", i), append([]string{prose(rng, 6)}, sectionNotes(i%6)...)
		}},
		{name: "three pages", pages: 3, shape: func(i int, rng *rand.Rand) (string, []string) {
			return fmt.Sprint("新闻", i), append(article(rng, 3), disclaimer)
		}},
		{name: "pages without text", pages: 30, shape: func(i int, _ *rand.Rand) (string, []string) {
			return fmt.Sprint("空", i), []string{"", "——", "* * *"}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pages := site(tc.pages, tc.shape)
			switch tc.url {
			case "":
			case "section":
				pages = in(pages, func(i int) string { return fmt.Sprintf("/%c/%d.html", 'a'+i%6, i) })
			default:
				pages = in(pages, func(i int) string { return fmt.Sprintf(tc.url, i+1) })
			}
			if diff := cmp.Diff(map[string]int{}, gone(pages)); diff != "" {
				t.Errorf("removed lines (-want +got):\n%s", diff)
			}
		})
	}
}

// A line of the site that is also inside a text stays there.
func TestInsideStays(t *testing.T) {
	l := learn(plainSite(30, nil, []string{share}))
	a := article(rand.New(rand.NewPCG(3, 3)), 2)
	text := a[0] + "\n" + share + "\n" + a[1] + "\n" + share
	rest, removed := l.Remove(text)
	if want := a[0] + "\n" + share + "\n" + a[1]; rest != want {
		t.Errorf("rest = %q, want %q", rest, want)
	}
	if diff := cmp.Diff(Removed{Lines: 1, Characters: 12}, removed); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
}

// Lines without letters go with what they part, and are no text alone.
func TestRemove(t *testing.T) {
	l := learn(plainSite(30, nil, []string{disclaimer, share}))
	a := article(rand.New(rand.NewPCG(3, 3)), 1)[0]
	for _, tc := range []struct {
		name, text, want string
		lines            int
	}{
		{name: "nothing", text: "", want: ""},
		{name: "an article", text: a + "\n", want: a + "\n"},
		{name: "a rule between", text: a + "\n" + disclaimer + "\n-----\n" + share + "\n", want: a + "\n", lines: 2},
		{name: "a rule before", text: a + "\n-----\n" + disclaimer, want: a + "\n-----", lines: 1},
		{name: "nothing else", text: disclaimer + "\n\n" + share + "\n", want: "", lines: 2},
		{name: "nothing but signs else", text: "* * *\n" + disclaimer, want: "", lines: 1},
		{name: "signs alone", text: "* * *\n", want: "* * *\n"},
		{name: "broken bytes", text: a + "\n\xff\xfe\n" + share, want: a + "\n\xff\xfe", lines: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rest, removed := l.Remove(tc.text)
			if rest != tc.want || removed.Lines != tc.lines {
				t.Errorf("Remove = %q, %d lines; want %q, %d", rest, removed.Lines, tc.want, tc.lines)
			}
			if again, more := l.Remove(rest); again != rest || more != (Removed{}) {
				t.Errorf("a second time: %q, %+v", again, more)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	var none *Learned
	rest, removed := none.Remove("a\n")
	if none.Version() != "" || rest != "a\n" || removed != (Removed{}) {
		t.Error("a nil Learned removes something")
	}
	if v := learn(plainSite(30, nil, nil)).Version(); v != "" {
		t.Errorf("version of nothing = %q", v)
	}
	one, other := learn(plainSite(30, nil, []string{share})), learn(plainSite(40, nil, []string{share}))
	if one.Version() != other.Version() || len(one.Version()) != 16 {
		t.Errorf("versions of the same lines: %q, %q", one.Version(), other.Version())
	}
	if more := learn(plainSite(30, nil, []string{disclaimer, share})); more.Version() == one.Version() {
		t.Error("other lines have the same version")
	}
}
