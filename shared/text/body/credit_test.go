package body

import (
	"testing"

	"sluice/shared/web/page"
)

// blockOf is a paragraph as a page has it.
func blockOf(t *testing.T, text string) block {
	t.Helper()
	doc, err := page.Tree([]byte("<p>" + text))
	if err != nil {
		t.Fatal(err)
	}
	return layOut(doc).blocks[0]
}

func TestCredit(t *testing.T) {
	tests := map[string]bool{

		"责编：赵某　校对：周某　监制：陈某": true,

		"责任编辑 赵某":  true,
		"(责编 赵某某)": true,

		"責任編輯：趙某 校對：周某": true,
		"责任编辑：张三":       true,

		"（原标题：一座桥的三十年）":    true,
		"图源：视觉中国":          true,
		"新闻热线：0512-123456": true,
		"原标题：这座桥为什么修了三十年？": true,

		"記者陳某某／攝影":       true,
		"新华社记者廖某某摄":      true,
		"(晚報記者 林某某 文/攝)": true,
		"资料来源：统计局":       true,
		"圖說：通車後的大橋":      true,
		"他从小爱好摄影":        false,
		"记者，也爱好摄影":       false,

		"责任编辑制度":           false,
		"新媒体编辑：3名":         false,
		"视频编辑：2人，会用PR":     false,
		"评论员：你怎么看？":        false,
		"签发：2024年1月":       false,
		"关键词：创新":           false,
		"举报电话：0512-123456": false,
		"编辑 工作":            false,
		"编辑和校对是出版社的两个岗位":   false,
		"编辑 出版 发行":         false,

		"他先后任编辑、主编、总编辑":        false,
		"责编说，校对周某当天没有上班。":      false,
		"导演 赵某 编剧 钱某 主演 孙某 李某": false,
		"主编的话":           false,
		"记者 赵某 摄影 钱某":    false,
		"编辑 赵某 说，稿件已经送审": false,
	}
	for line, want := range tests {
		t.Run(line, func(t *testing.T) {
			b := blockOf(t, line)
			if got := b.credit(); got != want {
				t.Errorf("credit %v, want %v", got, want)
			}
		})
	}
}
