package textfile

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPlainText(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "数学是研究数量的学科。", "数学是研究数量的学科。"},
		{"emphasis", "'''数学'''是''研究''的it's", "数学是研究的it's"},
		{"links", "[[数学]]和[[物理学|物理]]，[[化学|]]", "数学和物理，化学"},
		{"files", "前[[File:a.jpg|thumb|说明[[数学]]和{{x}}]]后[[文件:b.png]]", "前后"},
		{"categories and languages", "正文[[Category:数学]][[en:Mathematics]][[zh-min-nan:X]]\n[[:分类:数学]]", "正文\n分类:数学"},
		{"link inside a namespace of text", "[[Wikipedia:首页|首页]]", "首页"},
		{"external", "[http://a.test/b 网站 名]与[https://a.test]与[//c.test d]，见 https://a.test/x?y。完", "网站 名与与 d，见 。完"},
		{"templates", "前{{Infobox\n| a = {{b|c}}\n| d = [[e]]\n}}后", "前后"},
		{"parameters", "前{{{1|默认}}}后{{a|{{{2}}}}}完", "前后完"},
		{"table", "前\n{| class=x\n|-\n| a || {{b}}\n|}\n后", "前\n后"},
		{"table in a table", "前\n{|\n|\n{|\n| x\n|}\n| y\n|}\n后", "前\n后"},
		{"table in a template", "前{{a|\n{|\n| x\n|}}}后", "前后"},
		{"table without end", "前\n{|\n| a\n后", "前"},
		{"template ends after a bar", "前{{a\n|}}后", "前后"},
		{"references", "前<ref>注</ref>中<ref name=\"a\" />后<REF name=b>{{cite}}</REF>", "前中后"},
		{"comment", "前<!-- [[x]] -->后<!-- 无尾", "前后"},
		{"formula and code", "设<math>x < y</math>，<code>a</code>", "设，a"},
		{"nowiki", "<nowiki>[[原样]]</nowiki>", "[[原样]]"},
		{"breaks", "一<br/>二<div class=x>三</div>", "一\n二\n三"},
		{"less than", "a < b，1<2", "a < b，1<2"},
		{"headings and lists", "== 历史 ==\n=== 古代===\n* 一\n## 二\n: 三\n----\n__NOTOC__", "历史\n古代\n一\n二\n三"},
		{"entities", "甲&nbsp;乙&amp;丙&lt;丁", "甲 乙&丙<丁"},
		{"variants", "-{zh-hans:数字;zh-hant:數位}-的-{計算機}-，-{zh-tw:網路; zh-cn:网络;}-", "数字的計算機，网络"},
		{"rules of variants", "-{H|zh-cn:网络;zh-tw:網路}--{A|zh-cn:网络;zh-tw:網路}-", "网络"},
		{"one-way rule", "-{巨集=>zh-cn:宏}-", "宏"},
		{"hyphens", "a-b - {c} -", "a-b - {c} -"},
		{"unclosed", "[[甲\n{{乙\n[http://a.test 丙\n'''丁", "甲\n乙\n丙\n丁"},
		{"crossed", "{{a|[[b}}c]]", "c]]"},
		{"only closed", "甲]]}}|}-}", "甲]]|}-}"},
		{"left over of a table", "| a = b\n正文", "正文"},
		{"empty brackets", "数学（{{lang|en|x}}）是", "数学是"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, plainText(tc.in)); diff != "" {
				t.Errorf("plainText(%q) (-want +got):\n%s", tc.in, diff)
			}
		})
	}
}

// However text is nested, work is linear: each of these takes hours else.
func TestPlainTextIsLinear(*testing.T) {
	const n = 512 << 10
	for _, unit := range []string{"{{", "[[", "-{", "\n{|", "<ref>", "<ref", "<!--", "</", "[http://", "'", "{", "|}", "\n::::", "&"} {
		plainText(strings.Repeat(unit, n/len(unit)))
	}
	for _, pair := range [][2]string{{"{{", "}}"}, {"[[", "]]"}, {"-{", "}-"}, {"\n{|", "\n|}"}} {
		half := n / 2 / len(pair[0])
		plainText(strings.Repeat(pair[0], half) + strings.Repeat(pair[1], half))
		plainText(strings.Repeat(pair[0]+"x", half) + strings.Repeat("y"+pair[1], half))
	}
}

func FuzzPlainText(f *testing.F) {
	f.Add("'''甲'''{{a|[[b|c]]}}\n{|\n|-\n|}<ref name=x>y</ref>-{zh-cn:a;zh-tw:b}-")
	f.Add("[[File:a|{{b}}]]}}]]{{{")
	f.Add("<nowiki>[[</nowiki>&lt;<br/>[http://a b]")
	f.Fuzz(func(t *testing.T, wikitext string) {
		out := plainText(wikitext)
		if utf8.ValidString(wikitext) && !utf8.ValidString(out) {
			t.Errorf("valid text became invalid: %q", out)
		}
		for line := range strings.Lines(out) {
			if strings.TrimSpace(line) == "" {
				t.Errorf("blank line in %q", out)
			}
		}
	})
}
