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
		{"only content", "忽然三百个十分美丽的城市，当天逐渐各地东北部", []string{"美丽", "城市"}},
		{"traditional", "頭髮與經濟發展", []string{"头发", "经济", "发展"}},
		{"full width", "ＡＢＣ１２３公司，ＧＤＰ", []string{"abc123", "公司", "gdp"}},
		{"new words", "习近平会见丁薛祥、李克强与马克龙，谈微信", []string{"习近平", "会见", "丁薛祥", "李克强", "马克龙", "微信"}},
		{"a long run of loose characters is no word", strings.Repeat("𠮷", 1000), nil},
		{"single characters that are content", "党的，他近，股；达", []string{"党", "股"}},
		{"numbers stay whole and are dropped", "增长3.5个百分点，1,000家，2020-03-30银行", []string{"增长", "银行"}},
		{"Latin words stay whole", "GDP COVID-19 v1.2 F-16 Q4", []string{"gdp", "covid-19", "v1.2", "f-16", "q4"}},
		{"English", "The central bank doesn't raise interest rates, a well-known fact.", []string{"central", "bank", "raise", "interest", "rates", "known", "fact"}},
		{"other scripts", "Банк России; Τράπεζα; 東京の銀行; Việt Nam", []string{"банк", "россии", "τράπεζα", "东京", "银行", "việt", "nam"}},
		{"Korean by spaces", "한국은행이 기준금리를 인하했다", []string{"한국은행이", "기준금리를", "인하했다"}},
		{"kana and Thai are not cut", "テレビを 日本のテレビ ธนาคารกลาง", []string{"テレビを", "日本", "のテレビ", "ธนาคารกลาง"}},
		{"accents, composed or not", "caf\u00e9 CAFE\u0301 Stra\u00dfe", []string{"caf\u00e9", "straße"}},
		{"apostrophes and hyphens", "l’État bank’s well-known rock'n'roll 'quoted' co\u00adop", []string{"l'état", "bank's", "known", "rock'n'roll", "quoted", "coop"}},
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

// A user phrase is found across any white space, and by whole words only.
func TestPhrases(t *testing.T) {
	s := newSegmenter(t, "climate change", "C++", ".NET", "AT&T", "中国 银行", "state-owned bank", "100%")
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"white space", "Climate\n\t change", []string{"climate change"}},
		{"ideographic space", "中國　銀行", []string{"中国 银行"}},
		{"no space", "中国银行", []string{"中国银行"}},
		{"inside longer words", "climate changes, aclimate change", []string{"climate", "changes", "aclimate", "change"}},
		{"punctuation", "c++与.net，at&t", []string{"c++", ".net", "at&t"}},
		{"three words", "state-owned bank", []string{"state-owned bank"}},
		{"percent", "增长100%，不是200%", []string{"增长", "100%"}},
		{"cut short", "climate ", []string{"climate"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, s.Words(test.text)); diff != "" {
				t.Errorf("Words(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// Of phrases that begin alike the longest one that continues as the text does is
// found; where none does, the words are.
func TestPhrasesThatBeginAlike(t *testing.T) {
	s, err := NewFor("en", []string{"interest rates", "interest rate of banks", "interest rates银行", "interest-free"})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"interest rate of bank":   {"interest rate of bank"},
		"interest rate of a bank": {"interest rate", "bank"},
		"interest rates银行":        {"interest rates银行"},
		"interest rate银行":         {"interest rate", "银行"},
		"interest-free interest":  {"interest-free", "interest"},
		"interest x interests ":   {"interest"},
	} {
		if diff := cmp.Diff(want, s.Words(text)); diff != "" {
			t.Errorf("Words(%q) (-want +got):\n%s", text, diff)
		}
	}
}

// However many phrases begin alike, a text that repeats their beginning costs no
// more than one: looking at each would take minutes here.
func TestManyPhrases(t *testing.T) {
	words := make([]string, 20_000)
	for i := range words {
		words[i] = fmt.Sprintf("climate of %d", i)
	}
	s := newSegmenter(t, words...)
	text := strings.Repeat("climate of ", 200_000) + "19999"
	if diff := cmp.Diff([]string{"climate", "climate of 19999"}, s.Words(text)); diff != "" {
		t.Errorf("Words (-want +got):\n%s", diff)
	}
}

func TestTokens(t *testing.T) {
	s := newSegmenter(t, "增长")
	var got []Token
	for token := range s.Tokens("GDP增长3.5%，增长的是中国的GDP；a 忽然，当天" + strings.Repeat("x", 65)) {
		got = append(got, token)
	}
	want := []Token{
		{"gdp", true}, {"增长", true}, {"3.5%", false}, {"增长", true}, {"中国", true}, {"gdp", true}, {"当天", false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Tokens (-want +got):\n%s", diff)
	}
	for token := range s.Tokens("银行，股市 bank") {
		if token.Text != "银行" {
			t.Errorf("Tokens yields %q after break", token.Text)
		}
		break
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

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{
		"", "南京市长江大桥", "A股 3.5% v1.2 COVID-19", "climate change", "ＡＢＣ　１２３", "頭髮\xff發展",
		"C++c++x", "5g手机5G手机", "a\u0301b\u200d", "𠮷野家", "don't-2,3.4_5", "·〇々", "習近平會見馬克龍", "H\u0331 Climate\n changes’s",
	} {
		f.Add(seed)
	}
	user := []string{"A股", "C++", "climate change", "5G手机", "的"}
	chinese, err := New(user)
	if err != nil {
		f.Fatal(err)
	}
	english, err := NewFor("en", user)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		folded := Fold(text)
		if again := Fold(folded); again != folded {
			t.Fatalf("Fold(%q) = %q, and again %q", text, folded, again)
		}
		for token := range chinese.Tokens(text) {
			if !chinese.user[token.Text] && !strings.Contains(folded, token.Text) || utf8.RuneCountInString(token.Text) > maxWordRunes {
				t.Fatalf("Tokens(%q) has %q: too long or not of the text", text, token.Text)
			}
		}
		for language, s := range map[string]*Segmenter{"zh": chinese, "en": english} {
			var distinct []string
			for token := range s.Tokens(text) {
				if form, err := Form(language, token.Text); err != nil || form != token.Text {
					t.Fatalf("Form(%s, %q) = %q, %v: want what Tokens gives", language, token.Text, form, err)
				}
				if token.Content && !slices.Contains(distinct, token.Text) {
					distinct = append(distinct, token.Text)
				}
			}
			if got := s.Words(text); !slices.Equal(got, distinct) {
				t.Fatalf("Words(%q) = %q, Tokens has %q", text, got, distinct)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	s := newSegmenter(b, "央行")
	s.Words("银行")
	english, err := NewFor("en", []string{"interest rate"})
	if err != nil {
		b.Fatal(err)
	}
	page := strings.Repeat("中国人民银行宣布，下调金融机构存款准备金率0.5个百分点，GDP增长3.5%。", 100)
	for _, bench := range []struct {
		name, text string
		segmenter  *Segmenter
	}{
		{"anchor", "央行下调存款准备金率", s},
		{"page", page, s},
		{"english", strings.Repeat("The central bank lowered its interest rates, as economists had predicted. ", 100), english},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				bench.segmenter.Words(bench.text)
			}
		})
	}
}
