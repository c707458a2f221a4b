package body

import (
	"strings"
	"testing"
)

const (
	flash   = "昨天上午，青岭市第三座跨河大桥正式通车。"
	contact = "地址：青岭市河滨路88号河滨大厦 邮编：310000 电话：0571-12345678 传真：0571-12345679"
)

// TestShortNews sets short news above the lines of who keeps the site, which are
// longer.
func TestShortNews(t *testing.T) {
	articles := map[string]string{
		"paragraph": "<div class=c><p>" + flash + "</p></div>",
		"span":      "<div id=zoom><span>" + flash + "</span></div>",
		"cell":      "<table><tr><td>　　" + flash + "</td></tr></table>",
		"lines":     "<div>2020-03-30<br>" + flash + "<br></div>",
	}
	footers := map[string]string{
		"named":     `<div class="footer"><p>` + contact + `</p></div>`,
		"sentences": `<div class="foot"><p>青岭新闻网由青岭日报社主办，内容每日更新，是本市最早的新闻门户，读者来自全国各地。</p></div>`,
	}
	for form, article := range articles {
		for kind, footer := range footers {
			t.Run(form+"/"+kind, func(t *testing.T) {
				b, err := extract(t, "<title>跨河大桥通车了</title><h1>跨河大桥通车了</h1>"+article+footer, "http://www.example.test/a.html")
				if err != nil || b.Text != flash {
					t.Errorf("text %q by %s, error %v; want %q", b.Text, b.Method, err, flash)
				}
			})
		}
	}
}

// TestTextBelowALead holds that a text in a container with a name of furniture
// stays below a lead that is set apart.
func TestTextBelowALead(t *testing.T) {
	const lead = flash + "市民可以步行或者骑车过桥。"
	html := `<div class="summary">` + lead + `</div><div class="share hot">` + paragraphs(para1, para2, para3, para1+para2) + `</div><div class="foot">` + contact + `</div>`
	b, err := extract(t, "<title>跨河大桥通车了</title><h1>跨河大桥通车了</h1>"+html, "http://www.example.test/a.html")
	if want := strings.Join([]string{lead, para1, para2, para3, para1 + para2}, "\n"); err != nil || b.Text != want {
		t.Errorf("text by %s, error %v:\n%s", b.Method, err, b.Text)
	}
}
