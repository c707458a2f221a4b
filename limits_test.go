package sluice_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"sluice/shared/state/limits"
)

var update = flag.Bool("update", false, "write the generated tables of the documents")

// language is how the table of limits is worded in one document.
type language struct {
	document, head string
	words          func(text string) string
}

// chinese has the words of the limits, by those of package limits.
var chinese = map[string]string{
	"fetch N pages at most":                        "最多抓取 N 个页面",
	"fetch N pages of one host at most":            "每个主机最多抓取 N 个页面",
	"follow N links from a seed at most":           "从种子起最多跟随 N 层链接",
	"crawl for D at most, as in 90s, 30m or 2h30m": "最多抓取时间 D，如 90s、30m、2h30m",
	"stay within the MODE of the seeds: domain (the registrable one), host (with and without www.), prefix (host and folder) or any":     "只抓种子范围 MODE 之内的链接：domain（可注册域名）、host（主机，不论有无 www.）、prefix（主机与目录）或 any（不限）",
	"ENTRY that is in scope as well: example.com, *.example.com, https://example.com/news/ or a pattern; repeatable":                     "额外纳入范围的条目 ENTRY：example.com、*.example.com、https://example.com/news/ 或模式；可重复",
	"ENTRY that is out of scope in any case, such as /print/* or regexp:[?&]sort=; repeatable":                                           "一律排除的条目 ENTRY，如 /print/* 或 regexp:[?&]sort=；可重复",
	"ENTRY with limits for some URLs in place of the crawl's, as in 'forum.example.com delay=10s max_pages=200 max_depth=3'; repeatable": "条目 ENTRY：对部分 URL 以另外的限制代替抓取的限制，如 'forum.example.com delay=10s max_pages=200 max_depth=3'；可重复",
	"1 to 1,000,000,000":                 "1 至 1,000,000,000",
	"1 to 1,000; in a topic file 0, too": "1 至 1,000；主题文件中可为 0",
	"up to ten years":                    "至多十年",
	"at most 1,000":                      "至多 1,000 条",
	"10,000":                             "10,000",
	"50":                                 "50",
	"half of the topic file's max_pages": "主题文件中 max_pages 的一半",
	"no limit":                           "不限",
	"domain":                             "domain",
	"none":                               "无",
	"":                                   "",
}

// The tables of limits are those of package limits. `go test . -update` writes
// them.
func TestLimitsAreDocumented(t *testing.T) {
	for _, l := range []language{
		{"docs/commands.md", "| flag | topic file | meaning | range | default |", func(text string) string { return text }},
		{"docs/commands.zh-CN.md", "| 参数 | 主题文件 | 含义 | 取值 | 默认值 |", func(text string) string {
			words, known := chinese[text]
			if !known {
				t.Errorf("%q has no Chinese words", text)
			}
			return words
		}},
	} {
		text := readFile(t, l.document)
		const mark = "<!-- limits: generated -->\n"
		begin := strings.Index(text, mark)
		if begin < 0 {
			t.Fatalf("%s lacks %q", l.document, mark)
		}
		begin += len(mark)
		end := begin + len(regexp.MustCompile(`^(\|.*\n)*`).FindString(text[begin:]))
		want := l.table()
		if text[begin:end] == want {
			continue
		}
		if !*update {
			t.Errorf("the table of limits in %s is stale: run go test . -update. Want:\n%s", l.document, want)
		} else if err := os.WriteFile(l.document, []byte(text[:begin]+want+text[end:]), 0o644); err != nil {
			t.Error(err)
		}
	}
}

var placeholder = regexp.MustCompile("`([A-Z]+)`")

func (l *language) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n| --- | --- | --- | --- | --- |\n", l.head)
	for _, p := range limits.Parameters() {
		value := placeholder.FindStringSubmatch(p.Usage)[1]
		meaning := l.words(strings.ReplaceAll(p.Usage, "`", ""))
		fmt.Fprintf(&b, "| `--%s %s` | `%s.%s` | %s | %s | %s |\n", p.Flag(), value, p.Section, p.Key, meaning, l.words(p.Range), l.words(p.Default))
	}
	return b.String()
}
