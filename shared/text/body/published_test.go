package body

import (
	"strings"
	"testing"
	"time"
)

// publishedOf returns the day of publication of a page, "" for none.
func publishedOf(t *testing.T, html string) string {
	t.Helper()
	b, err := extract(t, html, "http://www.example.test/a.html")
	if err != nil {
		t.Fatal(err)
	}
	if b.Published.IsZero() {
		return ""
	}
	return b.Published.Format(time.DateTime)[:len("2006-01-02 15:04")]
}

// TestPublishedAmongDates reads pages that show other dates beside their own.
func TestPublishedAmongDates(t *testing.T) {
	const day, minute = "2020-03-30 00:00", "2020-03-30 10:21"
	tests := map[string]struct{ line, want string }{
		"day of the visit":          {"<p>今天是2021年5月30日 星期日</p><p>发布时间：2020-03-30</p>", day},
		"day of the visit alone":    {"<p>今天是 2021年5月30日 星期日</p>", ""},
		"weekday, day of the visit": {"<p>您好，现在是星期日，2021年5月30日</p>", ""},
		"a paper of today":          {"<p>青岭今日报2020-03-30</p>", day},
		"of an event, later":        {"<p>2020-03-30</p><p>时间：2020年4月20日下午两点</p>", day},
		"meeting":                   {"<p>会议时间：2020年4月20日</p>", ""},
		"meeting without a colon":   {"<p>会议时间 2020年4月20日</p>", ""},
		"meeting, then published":   {"<p>报名时间：2020年4月20日</p><p>2020-03-30</p>", day},
		"term":                      {"<p>报名截止：2020年4月20日</p>", ""},
		"until":                     {"<p>截至2020年4月20日</p>", ""},
		"public day":                {"<p>索引号：000014349/2020-00012 公开日期：2020-03-30 发文单位：某某市财政局办公室</p>", day},
		"composed alone":            {"<p>成文日期：2020年3月30日</p>", day},
		"first of a site":           {"<p>首发时间：2020-03-30</p>", day},
		"site glued to a label":     {"<p>来源： 新闻网时间：2020-03-30 10:21</p>", minute},
		"cells":                     {"<table><tr><td>发布日期：</td><td>2020-03-30</td></tr></table>", day},
		"cells without colons":      {"<table><tr><td>索引号</td><td>2020-00012</td><td>发布日期</td><td>2020-03-30</td></tr></table>", day},
		"teaser behind the text":    {"<p>2020-03-30</p>" + paragraphs(para1) + "<p>发布时间：2020-02-02</p>", day},
		"two digits, no time":       {"<p>20-03-30</p>", ""},
		"republic or a number":      {"<p>109/03/30</p>", ""},
		"month first":               {"<p>03/30/2020</p>", day},
		"day first":                 {"<p>30.03.2020 10:21</p>", minute},
		"month or day first":        {"<p>03/04/2020</p>", ""},
		"month and day alike":       {"<p>03/03/2020</p>", "2020-03-03 00:00"},
		"mixed separators":          {"<p>03/30-2020</p>", ""},
		"month first, afternoon":    {"<p>3/30/2020 10:21 PM</p>", "2020-03-30 22:21"},
		"english, day first":        {"<p>30 March 2020</p>", day},
		"english day of the visit":  {"<p>Today is May 30, 2021</p><p>30 March 2020</p>", day},
		"english, in a byline":      {"<p>By Jane Doe, Economics Correspondent, March 30, 2020</p>", day},
		"english deadline":          {"<p>Deadline: March 30, 2020</p>", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			html := newsPage("博览会拟推迟一年举行", tt.line, paragraphs(para1, para2, para3))
			if got := publishedOf(t, html); got != tt.want {
				t.Errorf("published %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzFindDates(f *testing.F) {
	for _, line := range []string{
		"发布时间：2020-03-30 10:21", "發布日期：109/03/30", "20-03-30 10:21", "03/30/2020 10:21 PM", "今天是2020年3月30日",
		"２０２０年３月３０日", "By Jane Doe, March 30, 2020", "时间：13/13/2020", "\xff1\xe6109年3月30日",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		line = narrowDigits(line)
		for _, d := range findDates(line) {
			if !d.valid() || d.at < 0 || d.at+len(d.text) > len(line) || line[d.at:d.at+len(d.text)] != d.text {
				t.Fatalf("findDates(%q): %+v is not in the line", line, d)
			}
		}
		if name := englishByline(line); name != "" && !strings.Contains(strings.Join(strings.Fields(line), " "), strings.Fields(name)[0]) {
			t.Fatalf("englishByline(%q) = %q", line, name)
		}
	})
}
