package language

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	simplifiedNews  = "央行决定下调存款准备金率零点五个百分点，释放长期资金约一万亿元。市场人士认为，此举有利于降低企业融资成本。"
	traditionalNews = "中央銀行決定調降存款準備率，釋出長期資金約一兆元。市場人士認為，這項措施有助於降低企業的融資成本，對經濟發展是好消息。"
	englishNews     = "The central bank decided to lower the reserve ratio of large banks, which would release funds that the market has been waiting for."
	code            = "func main() { if err := run(ctx, os.Args[1:]); err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(1) } }\n"
)

func TestDetect(t *testing.T) {
	for _, tc := range []struct {
		name, text, want, script string
	}{
		{"empty", "", "", ""},
		{"digits and marks", "2026-11-21 08:00 ¥1,234.56 — ……", "", ""},
		{"one character", "好", "", ""},
		{"two characters", "中国", "zh", ""},
		{"simplified", simplifiedNews, "zh", Simplified},
		{"traditional", traditionalNews, "zh", Traditional},
		{"characters of both scripts", "皇后在田里", "zh", ""},
		{"half of each", simplifiedNews + traditionalNews, "zh", ""},
		{"simplified that quotes traditional", strings.Repeat(simplifiedNews, 4) + traditionalNews[:90], "zh", Simplified},
		{"rare characters of names", "陈喆和李珺说，这个问题还没解决。", "zh", Simplified},
		{"著 is simplified, too", "著名作家乾隆年间的著作发表了", "zh", Simplified},
		{"Cantonese", "佢哋話呢個問題仲未解決，香港嘅經濟發展點算好？", "zh", Traditional},

		{"headline with one kana", "東京大学の研究者", "ja", ""},
		{"Japanese", "日本銀行は金融政策決定会合で政策金利を引き上げることを決めた。", "ja", ""},
		{"katakana", "コンピュータ", "ja", ""},
		{"a shop with の", "优の良品的新店开业了，大家都很喜欢。", "zh", Simplified},
		{"a shop with の, traditional", "優の良品這裡的東西很好吃", "zh", Traditional},
		{"Chinese that quotes Japanese", simplifiedNews + "他的日文名字是「なかもと」，我们就这样叫他了。" + simplifiedNews, "zh", Simplified},
		{"middle dots of names", "亚当・桑德勒、汤姆・汉克斯出席", "zh", Simplified},
		{"Korean", "한국은행은 기준금리를 동결하기로 결정했다.", "ko", ""},
		{"Korean with hanja", "대한민국(大韓民國)은 민주공화국(民主共和國)이다.", "ko", ""},
		{"Chinese that quotes Korean", simplifiedNews + "韩语叫做한국은행。", "zh", Simplified},

		{"Chinese and English words", "机器学习 machine learning", "zh", Simplified},
		{"Chinese with much code", "下面的程序打开数据库连接，处理错误后退出：\n" + strings.Repeat(code, 3), "zh", Simplified},
		{"Chinese with Python", "这段代码读取文件：\nfor line in open(name):\n    if not line and line is not None or x in y: return from_file(line)\n", "zh", Simplified},
		{"Chinese with an English quotation", simplifiedNews + "他说：\"It is what it is, and that is all there is to it.\"", "zh", Simplified},
		{"English with a Chinese name", englishNews + " The bank (中国人民银行) said it would.", "en", ""},
		{"code alone", strings.Repeat(code, 3), Undetermined, ""},
		{"English", englishNews, "en", ""},
		{"a short English sentence", "This is a short sentence about machine learning.", "en", ""},
		{"too short", "Hello world", "", ""},
		{"names", "Mercedes Benz Ferrari", "", ""},
		{"one small word of Latvian many times", "TAs for CS304P (Porter) Fall 1996 TAs, Office Hours TAs", "", ""},
		{"abbreviations that are Estonian", "Weekly Timetable: Mon 10:00 Xun TA, Tue 12:00 Ajit TA, Wed 11:00 Xun TA, Thu 15:00 Lecture Et Taylor Hall, Fri 10:00 Ajit TA", "", ""},
		{"English in capitals", strings.ToUpper(englishNews), "en", ""},
		{"identifiers", strings.Repeat("the_of_to was_were_are have2has that_this_those ", 5), Undetermined, ""},

		{"German", "Die Zentralbank hat beschlossen, den Leitzins nicht zu ändern, und das war für die Märkte keine Überraschung.", "de", ""},
		{"French", "La banque centrale a décidé de ne pas modifier les taux, ce qui est une bonne nouvelle pour les marchés.", "fr", ""},
		{"Spanish", "El banco central decidió no cambiar los tipos de interés, lo que es una buena noticia para las empresas.", "es", ""},
		{"Italian", "La banca centrale ha deciso di non cambiare i tassi, e questo è una buona notizia per le imprese della zona.", "it", ""},
		{"Portuguese", "O banco central decidiu não mudar os juros, o que é uma boa notícia para as empresas que não têm crédito.", "pt", ""},
		{"Dutch", "De centrale bank heeft besloten om de rente niet te wijzigen, wat goed nieuws is voor het bedrijfsleven.", "nl", ""},
		{"Polish", "Bank centralny zdecydował, że nie zmieni stóp procentowych, co jest dobrą wiadomością dla firm, które się zadłużyły.", "pl", ""},
		{"Turkish", "Merkez bankası faiz oranlarını değiştirmedi ve bu karar bir çok şirket için iyi bir haber olarak görüldü.", "tr", ""},
		{"Vietnamese", "Ngân hàng trung ương đã quyết định không thay đổi lãi suất và đó là tin tốt cho các doanh nghiệp của Việt Nam.", "vi", ""},
		{"Indonesian", "Bank sentral memutuskan untuk tidak mengubah suku bunga dan ini adalah kabar baik bagi perusahaan yang berutang.", "id", ""},
		{"Russian", "Центральный банк решил не менять ставку, и это хорошая новость для компаний, которые взяли кредиты.", "ru", ""},
		{"Ukrainian", "Центральний банк вирішив не змінювати ставку, і це добра новина для компаній, які взяли кредити.", "uk", ""},
		{"Arabic", "قرر البنك المركزي عدم تغيير سعر الفائدة في هذا الشهر وهو خبر جيد من وجهة نظر الشركات التي تعتمد على القروض", "ar", ""},
		{"Persian", "بانک مرکزی تصمیم گرفت که نرخ بهره را تغییر ندهد و این خبر خوبی برای شرکت\u200cها است", "fa", ""},
		{"Hindi", "केंद्रीय बैंक ने ब्याज दर नहीं बदलने का फैसला किया है और यह कंपनियों के लिए अच्छी खबर है", "hi", ""},
		{"Thai", "ธนาคารกลาง", "th", ""},
		{"Greek", "Καλημέρα κόσμε", "el", ""},
		{"Hebrew", "שלום עולם", "he", ""},

		{"bytes", "\xff\xfe\x80 \xe4\xb8 \x00", "", ""},
		{"bytes between characters", "\xff中\x80国\xe4", "zh", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := Detect(tc.text)
			if g.Language != tc.want || g.Script != tc.script {
				t.Errorf("got %+v, want %q in script %q", g, tc.want, tc.script)
			}
		})
	}
}

func TestScoreAndHan(t *testing.T) {
	pure, mixed := Detect(simplifiedNews), Detect(simplifiedNews+strings.Repeat(code, 3))
	if pure.Score != 1 || pure.Han != 1 {
		t.Errorf("Chinese alone has %+v", pure)
	}
	if mixed.Language != "zh" || mixed.Score >= pure.Score || mixed.Han >= 0.5 {
		t.Errorf("Chinese with code has %+v", mixed)
	}
	if g := Detect("机器学习abcd"); g.Han != 0.5 {
		t.Errorf("half Han is %v", g.Han)
	}
	if g := Detect(""); g != (Guess{}) {
		t.Errorf("nothing is %+v", g)
	}
}

// Only the beginning counts, and it ends between two characters.
func TestLongText(t *testing.T) {
	long := strings.Repeat("x", 1) + strings.Repeat(simplifiedNews, 1000)
	if diff := cmp.Diff(Detect(long), Detect(long[:maxBytes+100])); diff != "" {
		t.Error(diff)
	}
	if g := Detect(strings.Repeat("\x80", 1<<20)); g != (Guess{}) {
		t.Errorf("bytes are %+v", g)
	}
}

func TestFits(t *testing.T) {
	for _, tc := range []struct {
		name string
		text string
		fits string // tags
		not  string
	}{
		{"simplified", simplifiedNews, "zh zh-CN zh-TW zh-Hant zh_TW ZH cmn yue", "en ja ko de"},
		{"traditional", traditionalNews, "zh zh-CN zh-Hans zh-TW", "en ja"},
		{"English", englishNews, "en en-GB EN", "zh zh-TW de fr ja"},
		{"Japanese", "日本銀行は政策金利を引き上げることを決めた。", "ja ja-JP", "zh en"},
		{"too short", "OK", "zh en ja", ""},
		{"code", strings.Repeat(code, 3), "en de ru", "zh ja ko"},
		{"any text, odd tags", englishNews, "und mul eu  x-klingon", ""},
		{"other names of languages", "Bank sentral memutuskan untuk tidak mengubah suku bunga dan ini adalah kabar baik bagi perusahaan.", "id in ms", "zh"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := Detect(tc.text)
			for tag := range strings.SplitSeq(tc.fits, " ") {
				if !g.Fits(tag) {
					t.Errorf("%+v does not fit %q", g, tag)
				}
			}
			for tag := range strings.FieldsSeq(tc.not) {
				if g.Fits(tag) {
					t.Errorf("%+v fits %q", g, tag)
				}
			}
		})
	}
}

// The character sets of the scripts hold what any reader would put there.
func TestHanVariants(t *testing.T) {
	table := hanVariants()
	for want, characters := range []string{
		0:               "的一是不在人有中大后里面干著乾佛",
		onlySimplified:  "国学会发说这们为问题经济",
		onlyTraditional: "國學會體發說這們為問題經濟臺灣",
	} {
		for _, r := range characters {
			if got := int(table[r-firstHan] &^ onlyChinese); got != want {
				t.Errorf("%c is %d, want %d", r, got, want)
			}
		}
	}
}

// The table of words is well made: no language twice, no word too long to be
// seen, none that is not in lower case and whole.
func TestSmallWords(t *testing.T) {
	seen := make(map[string]bool)
	for _, l := range languages {
		if seen[l.tag] || !l.script.shared() {
			t.Errorf("%s is there twice, or its script has no words", l.tag)
		}
		seen[l.tag] = true
		for word := range strings.FieldsSeq(l.words) {
			tl := tally{words: smallWords()}
			tl.read(word)
			n := tl.wordCount[l.script]
			if n != 1 || len(word) > maxWord || len(word) == 1 || word != strings.ToLower(word) {
				t.Errorf("%s: %q is counted as %d words", l.tag, word, n)
			}
		}
	}
	if n := len(smallWords()); n > maxWords {
		t.Errorf("%d small words, more than %d", n, maxWords)
	}
	if len(languages) >= keyword {
		t.Errorf("%d languages do not fit beside the keywords", len(languages))
	}
	if languages[english].tag != "en" {
		t.Error("English is not in its place")
	}
}

func TestDetectAllocatesNothing(t *testing.T) {
	text := simplifiedNews + englishNews + traditionalNews
	Detect(text)
	if n := testing.AllocsPerRun(100, func() { Detect(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range []string{simplifiedNews, traditionalNews, englishNews, code, "東京大学の研究者", "한국", "\xff\xe4\xb8"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := Detect(text)
		if math.IsNaN(g.Score) || g.Score < 0 || g.Score > 1 || math.IsNaN(g.Han) || g.Han < 0 || g.Han > 1 {
			t.Errorf("out of range: %+v", g)
		}
		if (g.Score > 0) != (g.Language != "" && g.Language != Undetermined) || g.Script != "" && g.Language != "zh" {
			t.Errorf("at odds with itself: %+v", g)
		}
		if g.Language != "" && g.Language != Undetermined && !g.Fits(g.Language) {
			t.Errorf("%+v does not fit itself", g)
		}
		at := len(text) / 3
		titled, alone := DetectTitled(text[:at], text[at:])
		if want := Detect(text[:at] + "\n" + text[at:]); titled != want {
			t.Errorf("with its title %+v, want %+v", titled, want)
		}
		if want := Detect(text[at:]); alone != want {
			t.Errorf("alone %+v, want %+v", alone, want)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	for name, text := range map[string]string{"zh": simplifiedNews, "en": englishNews} {
		page := strings.Repeat(text, 6000/len(text))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				Detect(page)
			}
		})
	}
}
