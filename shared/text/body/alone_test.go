package body

import (
	"errors"
	"strings"
	"testing"
)

const (
	flash   = "昨天上午，青岭市第三座跨河大桥正式通车。"
	contact = "地址：青岭市河滨路88号河滨大厦 邮编：310000 电话：0571-12345678 传真：0571-12345679"
	keeper  = "主办单位：青岭市人民政府办公室 承办单位：青岭市大数据发展管理局网络中心"
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
		"not named": `<div class="bottom"><p>` + contact + `</p></div>`,
		"a cell":    `<table><tr><td align=center>` + keeper + `</td></tr></table>`,
		"lines":     `<center>` + keeper + `<br>` + contact + `<br>技术支持：青岭软件有限公司 建议使用1024*768分辨率浏览</center>`,
		"no label":  `<div><p>青岭市融媒体中心新闻网编辑部 互联网新闻信息服务许可证编号一二三四五六七</p></div>`,
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

func TestNoTextBesideContact(t *testing.T) {
	footer := "<div class=bottom><p>" + contact + "</p><p>" + keeper + "</p></div>"
	tests := map[string]struct {
		title, html string
		mediaOnly   bool
	}{
		"contact alone":           {"青岭新闻网", "<div></div>", false},
		"a headline":              {"要闻_青岭新闻网", "<h1>跨河大桥通车仪式在青岭市北岸公园举行 市民到场观礼</h1><div id=player></div>", false},
		"a headline in a box":     {"要闻_青岭新闻网", `<div class="title">跨河大桥通车仪式在青岭市北岸公园举行 市民到场观礼</div><p><img src=a.jpg></p>`, false},
		"a headline and a player": {"要闻_青岭新闻网", "<h1>跨河大桥通车仪式在青岭市北岸公园举行 市民到场观礼</h1><embed src=a.swf>", true},
		"a greeting":              {"青岭新闻网", "<p>欢迎来到青岭新闻网，今天也有新的消息等着您！</p>", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<title>"+tt.title+"</title>"+tt.html+footer, "http://www.example.test/a.html")
			switch {
			case tt.mediaOnly && (err != nil || !b.MediaOnly):
				t.Errorf("text %q, error %v; want media only", b.Text, err)
			case !tt.mediaOnly && !errors.Is(err, ErrNoText):
				t.Errorf("text %q, error %v; want ErrNoText", b.Text, err)
			}
		})
	}
}

func TestIsContact(t *testing.T) {
	tests := map[string]bool{
		contact:                  true,
		keeper:                   true,
		"Address: 12 River Road": true,
		"电 话：12345678":           true,
		"建议使用IE8以上浏览器，1024*768分辨率": true,
		"建议使用公共交通工具前往":             false,
		"地址：河滨路88号。活动免费。":          false,
		"记者：大桥何时通车":                false,
		"大桥位于河滨路":                  false,
		"電話：02-1234-5678":          true,
		"欢迎来到青岭新闻网！":               true,
		"未知的标签字数特别多的一行文字里面才有：冒号":   false,
	}
	for text, want := range tests {
		if got := isContact(text); got != want {
			t.Errorf("isContact(%q) = %v", text, got)
		}
	}
}
