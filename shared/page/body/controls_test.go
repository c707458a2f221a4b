package body

import "testing"

func TestControl(t *testing.T) {
	tests := map[string]bool{
		"【打印】 【关闭】":          true,
		"更多>>":               true,
		"收藏":                 true,
		"[关闭] [打印]":          true,
		"字体：大 中 小":           true,
		"字級：小 中 大":           true,
		"点赞(3) 收藏 转发":        true,
		"0人打赏":               true,
		"全部评论 59条":           true,
		"打开APP阅读全文":          true,
		"下载客户端，看更多精彩":        true,
		"（全文共1234字，阅读约需3分钟）": true,
		"登录后发表评论":            true,
		"阅读原文":               true,
		"請繼續往下閱讀...":         true,
		"设为首页 | 加入收藏":        true,
		"—END—":              true,
		"Advertisement":      true,
		"Share on Twitter":   true,
		"Back to top ↑":      true,

		"收藏家":          false,
		"字体":           false,
		"微信":           false,
		"微信 微博":        false,
		"大 中 小":        false,
		"打印机":          false,
		"他在收藏和打印之间犹豫。": false,
		"打开APP，输入手机号即可查询。": false,
		"End":                          false,
		"Print":                        false,
		"The end of the war":           false,
		"Share this with your readers": false,
		"Follow us to the river":       false,
		"2024":                         false,
	}
	for line, want := range tests {
		t.Run(line, func(t *testing.T) {
			if got := blockOf(t, line).furniture; got != want {
				t.Errorf("furniture %v, want %v", got, want)
			}
		})
	}
}
