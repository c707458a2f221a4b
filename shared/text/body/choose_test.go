package body

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// prose makes blocks of paragraphs.
func prose(texts ...string) (blocks []block) {
	for _, text := range texts {
		w := &walker{layout: new(layout)}
		w.text(text)
		w.flush()
		blocks = append(blocks, w.blocks...)
	}
	return blocks
}

func TestChoose(t *testing.T) {
	long := para1 + para2 + para3 + para1 + para2 + para3 + para1 + para2 + para3 + para1 + para2 + para3
	tests := map[string]struct {
		readable, dense []string
		want            []string
		method          string
	}{
		"alike":                       {[]string{para1, para2}, []string{para1, para2}, []string{para1, para2}, MethodReadability},
		"furniture in one":            {[]string{para1, para2, para3}, []string{para1, para2}, []string{para1, para2}, MethodDensity},
		"furniture in the other":      {[]string{para1, para2}, []string{para1, para2, para3}, []string{para1, para2}, MethodReadability},
		"lost by one":                 {nil, []string{para1}, []string{para1}, MethodDensity},
		"lost by the other":           {[]string{para1}, nil, []string{para1}, MethodReadability},
		"all but a line lost":         {[]string{"门票仍然有效。"}, []string{long}, []string{long}, MethodDensity},
		"lead in the longer":          {[]string{para2}, []string{para1, para2}, []string{para1, para2}, MethodReadability},
		"lead in the other":           {[]string{para1, para2, para3}, []string{para2, para3}, []string{para1, para2, para3}, MethodDensity},
		"a lead is not said twice":    {[]string{para2, para1}, []string{para1, para2, para1}, []string{para2, para1}, MethodReadability},
		"a caption is no lead":        {[]string{para2}, []string{"展馆外景，工人们正在布置会场，预计五月完工。（张三摄）", para2}, []string{para2}, MethodReadability},
		"a line of words is no lead":  {[]string{para2}, []string{"来源：新闻网 关键字：博览会;推迟;门票 作者：张三 2020-03-30 10:21", para2}, []string{para2}, MethodReadability},
		"too far up to be a lead":     {[]string{para3 + para1}, []string{para1, para1, para2, para2, para1, para3 + para1}, []string{para3 + para1}, MethodReadability},
		"nothing in common, no leads": {[]string{para3}, []string{para1, para2}, []string{para3}, MethodReadability},
		"nothing":                     {nil, nil, nil, MethodDensity},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			main, method := choose(prose(tt.readable...), prose(tt.dense...), "")
			var got []string
			for _, b := range main {
				got = append(got, b.text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || method != tt.method {
				t.Errorf("by %s, want %s (-want +got):\n%s", method, tt.method, diff)
			}
		})
	}
}

// TestChooseBelow has two readings with nothing in common: the text is the one that
// has the paragraph below the headline, however long the other is.
func TestChooseBelow(t *testing.T) {
	for _, tt := range []struct {
		name, below string
		method      string
	}{
		{"density has it", para1, MethodDensity},
		{"readability has it", para3, MethodReadability},
		{"neither has it", para2, MethodReadability},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, method := choose(prose(para3), prose(para1, para1+para2), tt.below); method != tt.method {
				t.Errorf("by %s, want %s", method, tt.method)
			}
		})
	}
	if _, method := choose(prose(para3), prose(para1), para1); method != MethodDensity {
		t.Errorf("by %s, want %s", method, MethodDensity)
	}
	if _, method := choose(prose(para1, para2, para3), prose(para3), para1); method != MethodDensity {
		t.Errorf("by %s where they have a paragraph in common, want %s", method, MethodDensity)
	}
}

// TestOnly asks for a method alone on a page whose furniture density trims and
// readability keeps.
func TestOnly(t *testing.T) {
	text := []byte(newsPage("博览会拟推迟一年举行", "2020年03月30日", paragraphs(para1, para2, para3)))
	for _, method := range []string{MethodDensity, MethodReadability} {
		b, err := Extract(text, "http://www.example.test/a.html", nil, Options{Fetched: fetched, Only: method})
		if err != nil {
			t.Fatal(err)
		}
		if b.Method != method || b.Text == "" {
			t.Errorf("by %s, want %s; text %q", b.Method, method, b.Text)
		}
	}
}
