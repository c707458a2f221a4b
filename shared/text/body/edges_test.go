package body

import (
	"strings"
	"testing"
)

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
