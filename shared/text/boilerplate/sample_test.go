package boilerplate

import "testing"

func TestSectionOf(t *testing.T) {
	for _, tc := range []struct{ url, want string }{
		{"http://a.test/finance/2020-03-30/12.html", "/finance/0-0-0"},
		{"http://a.test/finance/2021-04-01/x.html", "/finance/0-0-0"},
		{"http://a.test/news.php?id=7", "/"},
		{"http://a.test/", "/"},
		{"%", ""},
	} {
		if got := sectionOf(tc.url); got != tc.want {
			t.Errorf("sectionOf(%q) = %q, want %q", tc.url, got, tc.want)
		}
	}
}

func TestWithoutCount(t *testing.T) {
	for _, tc := range []struct{ title, want string }{
		{"春天（3/12）", "春天"},
		{"春天 (3)", "春天"},
		{"春天【2】 ", "春天"},
		{"春天 第3页", "春天"},
		{"春天 3", "春天 3"},
		{"春天（组图）", "春天（组图）"},
		{"（3）", "（3）"},
		{"春天（）", "春天（）"},
		{"春天(/)", "春天(/)"},
		{"", ""},
	} {
		if got := withoutCount(tc.title); got != tc.want {
			t.Errorf("withoutCount(%q) = %q, want %q", tc.title, got, tc.want)
		}
	}
}

func TestLooks(t *testing.T) {
	var f folder
	for _, tc := range []struct {
		text        string
		columns     int
		kind        kind
		long, prose bool
		closing     bool
		any         bool
	}{
		{text: "分享到：", columns: 8, kind: plain, any: true},
		{text: "谢谢大家！”\n", columns: 8, kind: sentence, closing: true, any: true},
		{text: "记者在现场看到，工人正在抢修。", columns: 28, kind: sentence, prose: true, closing: true, any: true},
		{text: disclaimer, columns: 56, kind: sentence, long: true, prose: true, any: true},
		{text: "首页 > 新闻", columns: 8, kind: crumbs, long: true, any: true},
		{text: "——"},
	} {
		l, ok := f.line(tc.text)
		if ok != tc.any {
			t.Errorf("%q is a line: %v, want %v", tc.text, ok, tc.any)
		}
		if k := l.look; ok && (k.columns() != tc.columns || k.kind() != tc.kind || k.long() != tc.long || k.prose() != tc.prose || k.closing() != tc.closing) {
			t.Errorf("%q: %d columns, kind %d, long %v, prose %v, closing %v; want %+v",
				tc.text, k.columns(), k.kind(), k.long(), k.prose(), k.closing(), tc)
		}
	}
}
