package segment

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// newSegmenter returns a segmenter with a few user words, its dictionary not
// loaded yet.
func newSegmenter(t testing.TB, userWords ...string) *Segmenter {
	t.Helper()
	s, err := New(userWords)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWords(t *testing.T) {
	s := newSegmenter(t, "大模型", "A股", "C++", "climate change", "5G手机", "GPT-4", "党建", "我们")
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"nothing but separators", " \t\n。，！—— …", nil},
		{"ambiguous cuts", "南京市长江大桥。研究生命的起源", []string{"南京市", "长江大桥", "研究", "生命", "起源"}},
		{"distinct, in order", "银行和股市，股市和银行", []string{"银行", "股市"}},
		{"stop words", "他们正在进行的是一种关于银行的研究", []string{"银行", "研究"}},
		{"only content", "忽然三百个十分美丽的城市", []string{"美丽", "城市"}},
		{"traditional", "頭髮與經濟發展", []string{"头发", "经济", "发展"}},
		{"full width", "ＡＢＣ１２３公司，ＧＤＰ", []string{"abc123", "公司", "gdp"}},
		{"numbers stay whole and are dropped", "增长3.5个百分点，1,000家，2020-03-30银行", []string{"增长", "银行"}},
		{"Latin words stay whole", "GDP COVID-19 v1.2 F-16 Q4", []string{"gdp", "covid-19", "v1.2", "f-16", "q4"}},
		{"English", "The central bank doesn't raise interest rates, a well-known fact.", []string{"central", "bank", "raise", "interest", "rates", "known", "fact"}},
		{"other scripts", "Банк России; 東京の銀行; Việt Nam", []string{"банк", "россии", "东京", "银行", "việt", "nam"}},
		{"user words bypass the filters", "我们的大模型", []string{"我们", "大模型"}},
		{"user words with Latin", "A股大涨，购买5G手机", []string{"a股", "涨", "购买", "5g手机"}},
		{"user words with punctuation", "GPT-4与C++和C", []string{"gpt-4", "c++"}},
		{"user phrase", "Climate change and climate changes", []string{"climate change", "climate", "changes"}},
		{"mixed dictionary words", "U盘与B超", []string{"u盘", "b超"}},
		{"invalid UTF-8", "银行\xff\xfe股市", []string{"银行", "股市"}},
		{"a word that is data", strings.Repeat("x", maxWordRunes+1) + " bank", []string{"bank"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := s.Words(test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Words(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// A user word is never cut into parts, however frequent the parts are.
func TestUserWordsStayWhole(t *testing.T) {
	words := []string{"中国经济", "一个我们", "自己的", "发展问题", "人民银行业务", "是的", "三会一课", "不忘初心", "全面从严治党"}
	s := newSegmenter(t, words...)
	for _, word := range words {
		for _, text := range []string{word, "，" + word + "。", "abc " + word + "x"} {
			if got := s.Words(text); !slices.Contains(got, word) {
				t.Errorf("Words(%q) = %q, want it to hold %q", text, got, word)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	_, err := New([]string{"银行", "——", "", strings.Repeat("长", maxWordRunes+1), "\xff银行"})
	if err == nil {
		t.Fatal("New = nil error, want problems")
	}
	for _, part := range []string{"user word 2", "user word 3", "user word 4", "user word 5", "longer than 64"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("New: %v, want it to say %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "user word 1") {
		t.Errorf("New: %v, want no complaint about 银行", err)
	}
}

// Segmenters load at the same time and cut at the same time; the race detector
// watches.
func TestConcurrentUse(t *testing.T) {
	var segmenters []*Segmenter
	for i := range 2 {
		segmenters = append(segmenters, newSegmenter(t, fmt.Sprintf("新词%d号", i)))
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			n := i % len(segmenters)
			text := fmt.Sprintf("新词%d号银行", n)
			want := []string{fmt.Sprintf("新词%d号", n), "银行"}
			if diff := cmp.Diff(want, segmenters[n].Words(text)); diff != "" {
				t.Errorf("Words(%q) (-want +got):\n%s", text, diff)
			}
		})
	}
	all.Wait()
}

// Long runs are cut in slices, which must neither lose nor invent words.
func TestLongRun(t *testing.T) {
	s := newSegmenter(t)
	text := strings.Repeat("中央银行", 3*maxRun/12)
	for _, word := range s.Words(text) {
		if !strings.Contains(text, word) || !utf8.ValidString(word) {
			t.Errorf("Words of a long run holds %q", word)
		}
	}
	if got := s.Words(text); !slices.Contains(got, "中央银行") && !slices.Contains(got, "银行") {
		t.Errorf("Words of a long run = %q, want the bank", got)
	}
}

func TestDataIsSound(t *testing.T) {
	lines := 0
	for line := range strings.Lines(unpack("data/words.txt.gz")) {
		lines++
		if fields := strings.Fields(line); len(fields) != 3 || strings.IndexFunc(fields[0], func(r rune) bool { return !isWord(r) }) >= 0 {
			t.Fatalf("words.txt line %d is %q", lines, line)
		}
	}
	if lines < 100_000 {
		t.Errorf("words.txt has %d lines, want 100,000 and more", lines)
	}
	for word := range stopWords() {
		if Fold(word) != word {
			t.Errorf("stop word %q is not folded", word)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{
		"", "南京市长江大桥", "A股 3.5% v1.2 COVID-19", "climate change", "ＡＢＣ　１２３", "頭髮\xff發展",
		"C++c++x", "5g手机5G手机", "a\u0301b\u200d", "𠮷野家", "don't-2,3.4_5", "·〇々",
	} {
		f.Add(seed)
	}
	s := newSegmenter(f, "A股", "C++", "climate change", "5G手机")
	f.Fuzz(func(t *testing.T, text string) {
		folded := Fold(text)
		if again := Fold(folded); again != folded {
			t.Fatalf("Fold(%q) = %q, and again %q", text, folded, again)
		}
		seen := make(map[string]bool)
		for _, word := range s.Words(text) {
			if seen[word] || !strings.Contains(folded, word) || utf8.RuneCountInString(word) > maxWordRunes {
				t.Fatalf("Words(%q) holds %q: twice, too long or not of the text", text, word)
			}
			seen[word] = true
		}
	})
}

func BenchmarkWords(b *testing.B) {
	s := newSegmenter(b, "央行")
	s.Words("银行")
	page := strings.Repeat("中国人民银行宣布，下调金融机构存款准备金率0.5个百分点，GDP增长3.5%。", 100)
	for _, bench := range []struct{ name, text string }{
		{"anchor", "央行下调存款准备金率"},
		{"page", page},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				s.Words(bench.text)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		newSegmenter(b, "央行").Words("银行")
	}
}
