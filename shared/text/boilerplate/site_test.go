package boilerplate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// words make sentences that recur by chance only.
var words = strings.Fields(`春天 河流 城市 记者 学校 企业 技术 农民 市场 研究 铁路 医院 海洋 森林 教师 音乐 机场 工人 能源 桥梁
	增长 发现 建设 支持 改善 访问 讨论 完成 恢复 提高 观察 保护 减少 组织 介绍 参加 准备 公布 使用 记录`)

// prose returns a sentence of the given number of words.
func prose(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(words[rng.IntN(len(words))])
	}
	return b.String() + "。"
}

// article returns a text of n paragraphs.
func article(rng *rand.Rand, n int) []string {
	var out []string
	for range n {
		out = append(out, prose(rng, 12+rng.IntN(20)))
	}
	return out
}

// site makes pages: shape says of page i what its lines are.
func site(n int, shape func(i int, rng *rand.Rand) (title string, lines []string)) []Page {
	pages := make([]Page, n)
	for i := range pages {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		title, lines := shape(i, rng)
		pages[i] = Page{
			URL:   fmt.Sprintf("http://news.test/2020/%06d.html", 100000+i*37),
			Title: title, Text: strings.Join(lines, "\n") + "\n",
		}
	}
	return pages
}

// plain is a site of articles with lines before and after.
func plainSite(n int, before, after []string) []Page {
	return site(n, func(i int, rng *rand.Rand) (string, []string) {
		lines := append([]string(nil), before...)
		lines = append(lines, article(rng, 2+rng.IntN(6))...)
		return fmt.Sprintf("第%d号新闻", i), append(lines, after...)
	})
}

// in puts pages at other addresses.
func in(pages []Page, path func(i int) string) []Page {
	for i := range pages {
		pages[i].URL = "http://news.test" + path(i)
	}
	return pages
}

func learn(pages []Page) *Learned {
	var s Sketch
	s.Add(pages...)
	return s.Learned()
}

// gone returns the different lines that are removed from the pages.
func gone(pages []Page) map[string]int {
	l := learn(pages)
	out := map[string]int{}
	for _, p := range pages {
		rest, _ := l.Remove(p.Text)
		left := map[string]int{}
		for s := range strings.Lines(rest) {
			left[strings.TrimSpace(s)]++
		}
		for s := range strings.Lines(p.Text) {
			s = strings.TrimSpace(s)
			if left[s]--; left[s] < 0 {
				out[s]++
			}
		}
	}
	return out
}
