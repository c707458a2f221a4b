package segment

import (
	"strings"
	"testing"
)

func TestSimplify(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"Latin", "GDP 3.5%", "GDP 3.5%"},
		{"simplified", "头发和发展，著名的乾隆", "头发和发展，著名的乾隆"},
		{"one character, two meanings", "頭髮與發展", "头发与发展"},
		{"phrases shield characters", "乾隆皇帝在乾燥的北京", "乾隆皇帝在干燥的北京"},
		{"empress and after", "皇后之後", "皇后之后"},
		{"phrases without traditional characters", "覆蓋與回覆，一目瞭然", "覆盖与回复，一目了然"},
		{"beyond the basic plane", "𠮷野家與銀行", "𠮷野家与银行"},
		{"change at the end", "銀行 bank 銀", "银行 bank 银"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Simplify(test.text); got != test.want {
				t.Errorf("Simplify(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"full width", "ＧＤＰ　３．５％", "gdp 3.5%"},
		{"half-width katakana", "ｶﾅ", "カナ"},
		{"half-width katakana with its mark", "ｶﾞ", "ガ"},
		{"accents", "E\u0301 h\u0331", "\u00e9 \u1e96"},
		{"case before composition", "H\u0331", "\u1e96"},
		{"apostrophe", "bank’s", "bank's"},
		{"invisible", "co\u00adop 人\u2060工\u200d智\ufeff能", "coop 人工智能"},
		{"radicals", "⼈⼯智能", "人工智能"},
		{"compatibility ideographs", "\uf90a", "金"},
		{"case and script", "A股與ÉCU", "a股与écu"},
		{"invalid bytes", "银\xff行", "银\uFFFD行"},
		{"truncated", "银\xe9\x93", "银\uFFFD"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Fold(test.text); got != test.want {
				t.Errorf("Fold(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestFoldedTextCostsNoAllocation(t *testing.T) {
	text := strings.Repeat("央行下调存款准备金率 gdp 覆盖。", 10)
	Fold(text) // loads the table
	if n := testing.AllocsPerRun(10, func() { Fold(text) }); n != 0 {
		t.Errorf("Fold of folded text allocates %v times, want 0", n)
	}
}

func BenchmarkSimplify(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"traditional", strings.Repeat("中國人民銀行宣布，下調金融機構存款準備金率。", 100)},
		{"simplified", strings.Repeat("中国人民银行宣布，下调金融机构存款准备金率。", 100)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				Simplify(bench.text)
			}
		})
	}
}
