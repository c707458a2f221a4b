package fidelity

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	headline = "博览会拟推迟一年举行"
	first    = "中新网三月三十日电 受疫情影响，博览会指导委员会发布声明称，今年的博览会将考虑推迟一年举行。"
	second   = "据报道，委员会举行了远程会议，声明指出，各方同意就此展开研究。"
	third    = "已售出的门票在新的日期同样有效，最终决定将在下次会议上做出。"
	share    = "分享到：微信 微博 QQ空间 更多"
)

func lines(s ...string) string { return strings.Join(s, "\n") }

// size counts the characters that are not white space.
func size(s ...string) int { return len(split(lines(s...)).characters) }

func TestCompare(t *testing.T) {
	whole := lines(first, second, third)
	all := Comparison{Source: size(whole), Kept: size(whole), Text: size(whole), Own: size(whole)}
	with := func(change func(*Comparison)) Comparison {
		c := all
		change(&c)
		return c
	}
	for _, test := range []struct {
		name, title, text, source string
		want                      Comparison
	}{
		{"the same", headline, whole, whole, all},
		{"other white space", headline, "　　" + strings.ReplaceAll(whole, "\n", " \n\n\t"), strings.ReplaceAll(whole, "\n", ""), all},
		{"furniture behind", headline, lines(whole, share), whole, with(func(c *Comparison) {
			c.Text += size(share)
			c.Foreign = []string{share}
		})},
		{"furniture between", headline, lines(first, share, second, third), whole, with(func(c *Comparison) {
			c.Text += size(share)
			c.Foreign = []string{share}
		})},
		{"a paragraph is lost", headline, lines(first, third), whole, with(func(c *Comparison) {
			c.Kept, c.Text, c.Own = size(first, third), size(first, third), size(first, third)
			c.Missing = []string{second}
		})},
		{"out of order", headline, lines(second, first), lines(first, second), Comparison{
			Source: size(first, second), Kept: size(first), Text: size(first, second), Own: size(first),
			Missing: []string{second}, Foreign: []string{second},
		}},
		{"the source begins with the headline", headline, whole, headline + "　" + whole, with(func(c *Comparison) {
			c.Source, c.Kept = size(headline, whole), size(headline, whole)
		})},
		{"the headline is lost", "", whole, headline + "　" + whole, with(func(c *Comparison) { c.Source = size(headline, whole) })},
		{"the text begins as the headline does", headline, headline + "，各方同意。", headline + "，各方同意。", Comparison{
			Source: 16, Kept: 16, Text: 16, Own: 16,
		}},
		{"a title is no furniture", headline + "_新闻网", whole, whole, all},
		{"the editor is cut off", headline, whole, lines(whole, "【编辑:李明】"), with(func(c *Comparison) {
			c.Source += 7
			c.Credits = 7
		})},
		{"the editor is kept", headline, lines(whole, "责任编辑：李明"), lines(whole, "责任编辑：李明"), Comparison{
			Source: size(whole) + 7, Kept: size(whole) + 7, Text: size(whole) + 7, Own: size(whole) + 7, Credits: 7, CreditsKept: 7,
		}},
		{"the same twice, once kept", headline, first, lines(first, first), Comparison{
			Source: 2 * size(first), Kept: size(first), Text: size(first), Own: size(first), Missing: []string{first},
		}},
		{"strangers", headline, share, third, Comparison{
			Source: size(third), Text: size(share), Missing: []string{third}, Foreign: []string{share},
		}},
		{"no document", "", "", first, Comparison{Source: size(first), Missing: []string{first}}},
		{"nothing", "", "", "", Comparison{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Compare(Document{Title: test.title, Text: test.text}, &Source{Text: test.source})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Compare (-want +got):\n%s", diff)
			}
		})
	}
}

// A page whose paragraphs repeat each other's phrases is aligned as it is.
func TestCompareRepeated(t *testing.T) {
	rules := []string{
		"一、禁止输入来自甲国的马属动物及其相关产品，违者一律作退回或者销毁处理。",
		"二、进境船舶上如发现来自甲国的马属动物及其相关产品，一律作封存处理。",
		"三、非法入境的来自甲国的马属动物及其相关产品，一律在海关的监督下作销毁处理。",
	}
	got := Compare(Document{Text: lines(rules[0], rules[2])}, &Source{Text: lines(rules...)})
	want := Comparison{
		Source: size(rules...), Kept: size(rules[0], rules[2]), Text: size(rules[0], rules[2]), Own: size(rules[0], rules[2]),
		Missing: []string{rules[1]},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Compare (-want +got):\n%s", diff)
	}
}

// Texts of one character, and of one phrase, take no longer than others.
func TestCompareHostile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var noise strings.Builder
	for range 50_000 {
		noise.WriteRune(rune('一' + rng.IntN(3)))
	}
	for name, s := range map[string]string{
		"one character": strings.Repeat("哈", 100_000), "one phrase": strings.Repeat("更多精彩请关注我们", 20_000), "noise": noise.String(),
	} {
		c := Compare(Document{Text: lines(s, share)}, &Source{Text: "开头的几个字" + s})
		if c.Kept < size(s) || c.Own < size(s) || c.Kept > c.Source || c.Own > c.Text {
			t.Errorf("%s: %d of %d kept, %d of %d own", name, c.Kept, c.Source, c.Own, c.Text)
		}
	}
}

func FuzzAlign(f *testing.F) {
	f.Add(first+second, second+first)
	f.Add("ababababab", "babababa")
	f.Add("\xff哈哈哈哈哈", "哈哈哈哈\u200b哈")
	f.Fuzz(func(t *testing.T, a, b string) {
		left, right := split(a), split(b)
		al := align(left.characters, right.characters)
		// Partners come in the same order, so what has them reads the same.
		if x, y := pick(left.characters, al.inA), pick(right.characters, al.inB); x != y {
			t.Errorf("paired are %q and %q", x, y)
		}
		if a == b && strings.Count(pick(left.characters, al.inA), "") != len(left.characters)+1 {
			t.Errorf("of %q beside itself %q is paired", a, pick(left.characters, al.inA))
		}
	})
}

func pick(all []rune, paired []bool) string {
	var s strings.Builder
	for i, r := range all {
		if paired[i] {
			s.WriteRune(r)
		}
	}
	return s.String()
}

func BenchmarkCompare(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	for i := range 2000 {
		text.WriteRune(rune('一' + rng.IntN(2000)))
		if i%80 == 79 {
			text.WriteString("。\n")
		}
	}
	d, s := Document{headline, lines(text.String(), share)}, &Source{Text: headline + text.String()}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if c := Compare(d, s); c.Kept != c.Source {
			b.Fatal(c)
		}
	}
}
