package body

import (
	"strings"
	"testing"
)

// TestTitleFront holds that a name in front of a title is cut only where the
// page shows the rest.
func TestTitleFront(t *testing.T) {
	const (
		headline = "博览会拟推迟一年举行"
		notice   = "关于做好今年高校毕业生就业补贴申报发放工作有关事项的通知"
	)
	tests := map[string]struct{ title, head, want string }{
		"heading":              {"青岭日报：" + headline, "<h1>" + headline + "</h1>", headline},
		"second heading":       {"青岭日报：" + headline, "<h2>" + headline + "</h2>", headline},
		"declared":             {"青岭日报：" + headline, `<meta property="og:title" content="` + headline + `">`, headline},
		"bar":                  {"青岭日报 | " + headline, "<h1>" + headline + "</h1>", headline},
		"both ends":            {"青岭日报-" + headline + "_青岭网", "<h1>" + headline + "</h1>", headline},
		"english":              {"Herald: Expo may be put off", "<h1>Expo may be put off</h1>", "Expo may be put off"},
		"a line":               {"青岭日报数字报-" + headline, "<div>" + headline + "</div>", headline},
		"traditional":          {"青嶺新聞：" + headline, "<div>" + headline + "</div>", headline},
		"a name is shown, too": {"青岭市人力资源和社会保障局-" + notice, "<div>青岭市人力资源和社会保障局</div><div>" + notice + "</div>", "青岭市人力资源和社会保障局-" + notice},
		"and a tail":           {"青岭市人力资源和社会保障局-" + notice + "-信息公开", "<div>青岭市人力资源和社会保障局</div><div>" + notice + "</div>", "青岭市人力资源和社会保障局-" + notice + "-信息公开"},
		"a tail is shown, too": {notice + "-青岭市人力资源和社会保障局", "<div>青岭市人力资源和社会保障局</div><div>" + notice + "</div>", notice},
		"no name of a site":    {"一位主办方代表：" + headline, "<div>" + headline + "</div>", "一位主办方代表：" + headline},
		"nothing shows it":     {"青岭日报：" + headline, "", "青岭日报：" + headline},
		"another heading":      {"青岭日报：" + headline, "<h1>青岭日报</h1>", "青岭日报：" + headline},
		"no separator":         {"快讯" + headline, "<h1>" + headline + "</h1>", "快讯" + headline},
		"words go on":          {"青岭日报：" + headline + "了吗", "<h1>" + headline + "</h1>", "青岭日报：" + headline + "了吗"},
		"heading of a column":  {"主办方昨日在发布会上正式宣布：博览会推迟", "<h3>博览会推迟</h3>", "主办方昨日在发布会上正式宣布：博览会推迟"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			html := "<title>" + tt.title + "</title>" + tt.head + paragraphs(para1, para2, para3)
			b, err := extract(t, html, "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if b.Title != tt.want {
				t.Errorf("title %q, want %q", b.Title, tt.want)
			}
		})
	}
}

// TestTitleOfSite holds that a title that only names the site gives way to the line above
// the text.
func TestTitleOfSite(t *testing.T) {
	const line = "青岭博览会拟推迟一年举行"
	tests := map[string]struct{ title, above, want string }{
		"a line":                  {"青岭新聞網", "<div>" + line + "</div>", line},
		"who wrote it below":      {"青岭新闻网", "<div>" + line + "</div><div>记者：赵某</div><div>2020-03-30 10:21</div><div>青岭新闻网 赵某某报道</div>", line},
		"a link":                  {"青岭新闻网", `<a href="/x">` + line + "</a>", "青岭新闻网"},
		"nothing":                 {"青岭新闻网", "", "青岭新闻网"},
		"a title that says what":  {"博览会的筹备", "<div>" + line + "</div>", "博览会的筹备"},
		"a line too far above it": {"青岭新闻网", "<div>" + line + "</div>" + strings.Repeat("<div>导航</div>", 6), "青岭新闻网"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<title>"+tt.title+"</title>"+tt.above+paragraphs(para1, para2, para3), "http://www.example.test/a.html")
			if err != nil || b.Title != tt.want {
				t.Errorf("title %q, error %v, want %q", b.Title, err, tt.want)
			}
		})
	}
}
