package body

import "testing"

// TestTitleFront holds that a name in front of a title is cut only where the
// page shows the rest.
func TestTitleFront(t *testing.T) {
	const headline = "博览会拟推迟一年举行"
	tests := map[string]struct{ title, head, want string }{
		"heading":             {"青岭日报：" + headline, "<h1>" + headline + "</h1>", headline},
		"second heading":      {"青岭日报：" + headline, "<h2>" + headline + "</h2>", headline},
		"declared":            {"青岭日报：" + headline, `<meta property="og:title" content="` + headline + `">`, headline},
		"bar":                 {"青岭日报 | " + headline, "<h1>" + headline + "</h1>", headline},
		"both ends":           {"青岭日报-" + headline + "_青岭网", "<h1>" + headline + "</h1>", headline},
		"english":             {"Herald: Expo may be put off", "<h1>Expo may be put off</h1>", "Expo may be put off"},
		"nothing shows it":    {"青岭日报：" + headline, "", "青岭日报：" + headline},
		"another heading":     {"青岭日报：" + headline, "<h1>青岭日报</h1>", "青岭日报：" + headline},
		"no separator":        {"快讯" + headline, "<h1>" + headline + "</h1>", "快讯" + headline},
		"words go on":         {"青岭日报：" + headline + "了吗", "<h1>" + headline + "</h1>", "青岭日报：" + headline + "了吗"},
		"heading of a column": {"主办方昨日在发布会上正式宣布：博览会推迟", "<h3>博览会推迟</h3>", "主办方昨日在发布会上正式宣布：博览会推迟"},
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
