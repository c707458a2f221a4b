package body

import (
	"strings"
	"testing"
)

// TestNoticeAtEnd wants a paragraph without the notice at its end, or nothing of what
// is all notice.
func TestNoticeAtEnd(t *testing.T) {
	const said = "主办方表示，推迟有助于各参展方克服眼前的困难，已售出的门票在新的日期同样有效。"
	for text, want := range map[string]string{
		said + "未经授权，不得转载。":             said,
		said + "（本文未经青岭日报许可不得转载）":       said,
		said + "他说：“筹备仍在继续。”版权所有，请勿转载！": said + "他说：“筹备仍在继续。”",
		"他同意。未经授权，不得转载。":                "",
		"本网站的所有文字和图片，均由青岭日报社的记者和编辑采写、拍摄。版权所有，未经许可不得转载。": "",
	} {
		t.Run(text, func(t *testing.T) {
			b, err := extract(t, "<title>博览会</title>"+paragraphs(para1, para2, text), "http://www.example.test/a.html")
			paragraphs := []string{para1, para2}
			if want != "" {
				paragraphs = append(paragraphs, want)
			}
			if all := strings.Join(paragraphs, "\n"); err != nil || b.Text != all {
				t.Errorf("error %v, text:\n%s\nwant:\n%s", err, b.Text, all)
			}
		})
	}
}

func TestOwnAddress(t *testing.T) {
	for line, want := range map[string]bool{
		"青岭新闻网，www.example.test":                  true,
		"【2012/01/17 青岭晚报】@ http://example.test/": true,
		"HTTP://News.Example.Test/a?b=1":          true,
		"来信请寄 editor@example.test":                false,
		"博览会的网站是 www.example.org":                 false,
		"该网站 www.example.test 昨天起停止服务，原因不明。":      false,
		"大家都可以在网上查看这次博览会全部展品的说明 www.example.test": false,
	} {
		t.Run(line, func(t *testing.T) {
			if got := addressed(line, "example.test"); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	for markup, want := range map[string]string{"p": para1 + "\n" + para2, "pre": para1 + "\nwww.example.test\n" + para2} {
		b, err := extract(t, "<title>博览会</title>"+paragraphs(para1)+"<"+markup+">www.example.test</"+markup+">"+paragraphs(para2), "http://www.example.test/a.html")
		if err != nil || b.Text != want {
			t.Errorf("in %s: error %v, text:\n%s", markup, err, b.Text)
		}
	}
}
