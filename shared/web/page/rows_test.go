package page

import "testing"

func TestBeside(t *testing.T) {
	const link = "<a href=a>银行开了一家新店</a>"
	tests := map[string]struct{ html, want string }{
		"behind":            {"<ul><li>" + link + "<span>2024-05-01</span></li><li><a href=b>河边的小树扶正了</a><span>2024-05-02</span></li></ul>", "2024-05-01"},
		"before":            {"<p>2024-05-01 " + link + "</p><p>2024-05-02 <a href=b>河边的小树扶正了</a></p>", "2024-05-01"},
		"cells":             {"<table><tr><td>1</td><td>" + link + "</td><td>2024-05-01</td></tr></table>", "1\n2024-05-01"},
		"inside the anchor": {"<a href=a><b>银行开了一家新店</b><i>[05-01]</i></a>", "[05-01]"},
		"in two lines":      {"<li><em><b>28</b>2024-05</em>" + link + "</li>", "28\n2024-05"},
		"a year in it":      {"<li><a href=a>银行2024年开了一家新店</a><i>2024-05-01</i></li>", "2024-05-01"},
		"with a section":    {"<li><a href=s>[财经]</a>" + link + "<i>2024-05-01</i></li>", "2024-05-01"},
		"two anchors":       {"<li><a href=a><img></a>" + link + "<i>2024-05-01</i></li>", "2024-05-01"},
		"two headlines":     {"<li>" + link + "<a href=b>河边的小树扶正了</a><i>2024-05-01</i></li>", ""},
		"the row, not more": {"<p>2024-06-30</p><li>" + link + "<i>2024-05-01</i></li>", "2024-05-01"},
		"long":              {"<li>" + link + "<p>从2024年5月1日起，银行在河边的新店开门营业，营业时间是每天上午九点到下午五点，周末和节日不休息，来办事的人可以先打电话问一问。</p></li>", ""},
		"no digits":         {"<li>" + link + "<i>昨天</i></li>", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, l := range parse(t, tt.html).Links {
				if l.Anchor[:6] == "银行" && l.Beside != tt.want {
					t.Errorf("beside %s: %q, want %q", l.URL, l.Beside, tt.want)
				}
			}
		})
	}
}
