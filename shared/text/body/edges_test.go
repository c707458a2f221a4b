package body

import (
	"strings"
	"testing"
)

// TestNotices holds that a notice keeps whom it addresses and who signs it,
// whatever its lines are made with.
func TestNotices(t *testing.T) {
	lines := []string{"各有关单位：", para1, para2, "特此通知。", "青岭市交通运输局"}
	items := []string{"申报时间：自即日起至四月三十日止。", "申报材料：申请表一式三份、营业执照复印件。"}
	tests := map[string]struct{ html, want string }{
		"paragraphs": {paragraphs(lines...) + "<p>2020年3月30日</p>", strings.Join(lines, "\n")},
		"lines":      {strings.Join(lines, "<br>　　") + "<br>2020年3月30日", strings.Join(lines, "\n")},
		"divs":       {"<div>" + strings.Join(lines, "</div><div>") + "</div><div>2020年3月30日</div>", strings.Join(lines, "\n")},
		"a list": {"<p>各有关单位：</p><ol><li>" + strings.Join(items, "</li><li>") + "</li></ol><p>特此公告。</p><p>青岭市交通运输局</p><p>2020年3月30日</p>",
			"各有关单位：\n" + strings.Join(items, "\n") + "\n特此公告。\n青岭市交通运输局"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, newsPage("关于桥梁养护的通知", "发布时间：2020-03-30", tt.html), "http://www.example.test/a.html")
			if got := strings.TrimSuffix(b.Text, "\n2020年3月30日"); err != nil || got != tt.want {
				t.Errorf("text by %s, error %v:\n%s\nwant:\n%s", b.Method, err, b.Text, tt.want)
			}
		})
	}
}

func TestFirstSubheading(t *testing.T) {
	html := "<h3>改造什么</h3><p>" + para1 + "</p><h3>花多少钱</h3><p>" + para2 + "</p><h3>何时完工</h3><p>" + para3 + "</p>"
	want := strings.Join([]string{"改造什么", para1, "花多少钱", para2, "何时完工", para3}, "\n")
	b, err := extract(t, newsPage("老旧小区改造开工", "2020年03月30日 来源：新闻网", html), "http://www.example.test/a.html")
	if err != nil || b.Text != want {
		t.Errorf("text by %s, error %v:\n%s", b.Method, err, b.Text)
	}
}

// TestNoEdges holds that labels around a text do not become part of it.
func TestNoEdges(t *testing.T) {
	html := "<div>个股查询：</div><h3>新闻详情</h3>" + paragraphs(para1, para2) + "<div>青岭新闻网编辑部</div><div>2020年3月30日</div>"
	b, err := extract(t, newsPage("博览会拟推迟一年举行", "", html), "http://www.example.test/a.html")
	if err != nil || b.Method == MethodDensity && b.Text != para1+"\n"+para2 {
		t.Errorf("text by %s, error %v:\n%s", b.Method, err, b.Text)
	}
}
