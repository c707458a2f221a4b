package body

import (
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"sluice/shared/text/segment"
)

func TestControl(t *testing.T) {
	tests := map[string]bool{
		"【打印】 【关闭】": true, "[关闭] [打印]": true, "打印 关闭": true, "更多>>": true, "收藏": true, "字体：大 中 小": true,
		"字号：A+ A-": true, "点赞(3) 收藏 转发": true, "全部评论 59条": true, "打开APP阅读全文": true,
		"阅读原文": true, "设为首页 | 加入收藏": true,
		"—END—": true, "[END]": true, "Advertisement": true, "Back to top ↑": true,

		"收藏家": false, "微信": false, "微信 微博": false, "大 中 小": false, "关闭": false, "打印机": false, "字体、字号": false, "《收藏》": false, "“返回！”": false,
		"打开APP → 登录 → 首页": false, "2、评论": false, "更多企业，更多机会": false, "返回家乡": false, "评论：延期一个月": false,
		"2024-05-01 10:20 评论 收藏": false, "2024-05-01 分享": false, "10:20 [打印] [关闭]": false,
		"他在收藏和打印之间犹豫。": false, "打开APP，输入手机号即可查询。": false, "2024": false, "": false, "…": false,
		"End": false, "The end of the war": false, "Print": false, "Log in.": false, "Share this with your readers": false, "Follow us to the river": false,
	}
	for line, want := range tests {
		t.Run(line, func(t *testing.T) {
			simple := segment.Simplify(line)
			if got := isControl(simple, len([]rune(line)), atom.P); got != want {
				t.Errorf("control %v, want %v", got, want)
			}
			if isControl(simple, len([]rune(line)), atom.H3) || isControl(simple, len([]rune(line)), atom.Li) {
				t.Error("a heading and an item are controls")
			}
		})
	}
}

// Controls stand at both ends of an article, and between its paragraphs: they go,
// and take neither a short paragraph with them nor the date beside them.
func TestControlsInText(t *testing.T) {
	const lead = "博览会昨日闭幕。"
	for _, line := range []string{"字体：大 中 小", "点赞 12 收藏 3", "【打印】 【关闭】", "打开APP阅读全文"} {
		t.Run(line, func(t *testing.T) {
			article := paragraphs(lead, line, para1, line, para2, para3, line)
			b, err := extract(t, newsPage("博览会拟推迟一年举行", "", "<p>2020-03-30 10:21 收藏 打印</p>"+article), "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if want := lead + "\n" + para1 + "\n" + para2 + "\n" + para3; b.Text != want {
				t.Errorf("text:\n%s", b.Text)
			}
			if got := b.Published.Format("2006-01-02"); got != "2020-03-30" {
				t.Errorf("published %s", got)
			}
		})
	}
}

// The rows of a table of data, and the steps of a manual, are no controls.
func TestControlsToldOf(t *testing.T) {
	table := `<table><tr><th>功能</th><th>快捷键</th></tr><tr><td>打印</td><td>Ctrl+P</td></tr><tr><td>关闭窗口</td><td>Ctrl+W</td></tr><tr><td>加载更多</td><td>F5</td></tr></table>`
	steps := `<h3>关键词：稳</h3><p>` + para2 + `</p><ul><li>下载APP</li><li>打开APP，登录</li><li>查看全部评论</li></ul>`
	b, err := extract(t, newsPage("博览会拟推迟一年举行", "", paragraphs(para1)+table+steps+paragraphs(para3)), "http://www.example.test/a.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{para1, "打印 Ctrl+P", "关闭窗口 Ctrl+W", "加载更多 F5", "关键词：稳", "下载APP", "打开APP，登录", "查看全部评论", para3} {
		if !strings.Contains(b.Text, want) {
			t.Errorf("the text has no %q:\n%s", want, b.Text)
		}
	}
}
