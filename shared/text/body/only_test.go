package body

import (
	"errors"
	"strings"
	"testing"
)

func TestFurnitureOnly(t *testing.T) {
	const (
		copyright = "版权声明：凡本网注明来源为新闻网的所有作品，均为本网合法拥有版权的作品，未经本网授权不得转载。"
		icp       = "京ICP备12345678号-1 京公网安备11010102001234号 Copyright 2024 All Rights Reserved"
		related   = `<p>相关阅读：</p><ul><li><a href=/1>博览会的门票仍然有效</a><li><a href=/2>博览会的筹备工作仍在继续</a></ul>`
	)
	index := strings.Repeat(`<li><a href="/a">一条新闻的标题，说了些什么</a>`, 12)
	around := func(article string) string { return newsPage("空页", "2020年03月30日", article) }
	tests := map[string]struct {
		html string
		want error
	}{
		"credit, copyright, number": {around(paragraphs("责任编辑：张三", copyright, icp)), ErrFurniture},
		"no template around":        {"<title>空页</title>" + paragraphs("责任编辑：张三", "版权所有"), ErrFurniture},
		"a credit alone":            {around(paragraphs("责任编辑：张三")), ErrFurniture},
		"a share bar":               {around(paragraphs("分享到：微信 微博 QQ空间")), ErrFurniture},
		"a list of other pages":     {around(related), ErrFurniture},
		"its heading is a link":     {around(strings.Replace(related, "相关阅读：", "<a href=/m>相关阅读</a>", 1) + paragraphs(icp)), ErrFurniture},
		"lines by br":               {around("责任编辑：张三<br>" + copyright + "<br>分享到：微信"), ErrFurniture},
		"a label beside":            {around(paragraphs("新闻网", "责任编辑：张三")), ErrFurniture},
		"too deep for a tree":       {strings.Repeat("<div>", 600) + copyright, ErrFurniture},

		"nothing":                    {around(""), ErrNoText},
		"no body":                    {"<title>空页</title>", ErrNoText},
		"a small picture":            {around(`<img src=/1.png>`), ErrNoText},
		"source and author":          {around(paragraphs("来源：新闻网", "作者：张三")), ErrNoText},
		"a frame alone":              {`<title>空页</title><nav><a href=/>首页</a></nav><footer>` + icp + `</footer>`, ErrNoText},
		"a list of links":            {"<title>列表</title><ul>" + index + "</ul>", ErrNoText},
		"a list with its copyright":  {"<title>列表</title><ul>" + index + "</ul><div>" + icp + "</div>", ErrNoText},
		"entries, and its copyright": {"<title>列表</title><ul>" + index + "</ul><p>热线：12345</p><div>" + icp + "</div>", ErrNoText},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, tt.html, "http://www.example.test/a.html")
			if !errors.Is(err, tt.want) || !errors.Is(err, ErrNoText) || errors.Is(err, ErrFurniture) != (tt.want == ErrFurniture) { //nolint:errorlint // the table's own value
				t.Errorf("body %+v, error %v; want %v", b, err, tt.want)
			}
		})
	}

	t.Run("media", func(t *testing.T) {
		b, err := extract(t, around(`<img width=640 src=/1.jpg>`+paragraphs("责任编辑：张三", copyright)), "http://www.example.test/a.html")
		if err != nil || !b.MediaOnly {
			t.Errorf("body %+v, error %v; want media only", b, err)
		}
	})
	t.Run("an article", func(t *testing.T) {
		b, err := extract(t, around(paragraphs(para1, "责任编辑：张三", copyright)), "http://www.example.test/a.html")
		if err != nil || b.Text != para1 {
			t.Errorf("body %+v, error %v; want the text", b, err)
		}
	})
}
