package body

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCounter(t *testing.T) {
	tests := map[string]bool{
		"本文阅读量123次，点赞12个":         true,
		"本文阅读量123次，点赞12个。":        true,
		"阅读 1.2万 评论 35":           true,
		"阅读1.2万评论35":              true,
		"浏览次数：812次":               true,
		"浏览次数：812 次":              true,
		"【浏览次数：1,812】":            true,
		"（点击：35）":                 true,
		"浏览次数： 次":                 true,
		"访问量：3502":                true,
		"1,024次阅读":                true,
		"35 条评论":                  true,
		"阅读(1024) 评论(35) 收藏 举报":   true,
		"播放 1.2万 · 弹幕 35 · 点赞 12": true,
		"已有35人评论":                 true,
		"閱讀 1024 留言":              false,
		"閱讀 1024 點讚 35":           true,
		"文章已被浏览 812 次":            true,
		"阅读 10w+ 在看 120 赞 35":     true,

		"阅读":                 false,
		"阅读量：":               false,
		"阅读量达到1.2万次":         false,
		"播放 1200次":           false,
		"点击率 3.5%":           false,
		"阅读 25 分钟":           false,
		"阅读第12章":             false,
		"一年评论35部影片":          false,
		"访问35个国家":            false,
		"2024年阅读人数增长3.5%":    false,
		"全年接待游客812万人次":       false,
		"视频播放量1.2亿次，点赞300万个": false,
		"35人":         false,
		"1.2万":        false,
		"评论：这一做法值得推广": false,
		"该文阅读量123次，他点赞12个以示支持": false,
	}
	for line, want := range tests {
		t.Run(line, func(t *testing.T) {
			if got := isCounter(line, utf8.RuneCountInString(strings.ReplaceAll(line, " ", ""))); got != want {
				t.Errorf("counter %v, want %v", got, want)
			}
		})
	}
}
