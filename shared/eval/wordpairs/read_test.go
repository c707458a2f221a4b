package wordpairs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	want := []Pair{{"轿车", "汽车", 0.98}, {"gdp", "生产力", 6.5}}
	for name, file := range map[string]string{
		"tabs":             "轿车\t汽车\t0.98\nGDP\t生产力\t6.5",
		"spaces":           "轿车 汽车 0.98\n  GDP   生产力\t6.5\n",
		"ideographic":      "轿车　汽车　0.98\nGDP　生产力　6.5\n",
		"CRLF, mark":       "\uFEFF轿车\t汽车\t0.98\r\nGDP\t生产力\t6.5\r\n",
		"header, comment":  "# people's scores\n\nword 1\tword 2\tscore\n轿车\t汽车\t0.98\n# more\nGDP\t生产力\t6.5\n",
		"raters":           "轿车\t汽车\t0.98\t1\t0.96\nGDP\t生产力\t6.5\t6\t7\n",
		"padded":           "轿车 \t 汽车\t 0.98\nGDP\t生产力\t6.5 \n",
		"traditional":      "轎車\t汽車\t0.98\nＧＤＰ\t生產力\t6.5\n",
		"GB18030":          "\xbd\xce\xb3\xb5\t\xc6\xfb\xb3\xb5\t0.98\nGDP\t\xc9\xfa\xb2\xfa\xc1\xa6\t6.5\n",
		"other notation":   "轿车\t汽车\t98e-2\nGDP\t生产力\t+6.50\n",
		"header, no score": "词 词 分\n轿车 汽车 0.98\nGDP 生产力 6.5\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(strings.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("pairs (-want +got):\n%s", diff)
			}
		})
	}
	phrase, err := Read(strings.NewReader("climate  change\tglobal warming\t8"))
	if diff := cmp.Diff([]Pair{{"climate  change", "global warming", 8}}, phrase); diff != "" || err != nil {
		t.Errorf("words with spaces (-want +got):\n%s%v", diff, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ file, want string }{
		"nothing":          {"", "no pairs"},
		"header alone":     {"a\tb\tscore\n", "no pairs"},
		"two columns":      {"轿车\t汽车\t1\n轿车\t汽车\n", "line 2: 2 columns"},
		"misspelled score": {"轿车\t汽车\tO.98\n", `line 1: score is "O.98"`},
		"second header":    {"a\tb\tscore\na\tb\tscore\n", `line 2: score is "score"`},
		"comma":            {"轿车\t汽车\t0,98\n", `score is "0,98"`},
		"no number":        {"轿车\t汽车\t1\na\tb\tNaN\n", `line 2: score is "NaN"`},
		"infinite":         {"轿车\t汽车\t1\na\tb\t-Inf\n", `line 2: score is "-Inf"`},
		"beyond numbers":   {"轿车\t汽车\t1e999\n", `line 1: score is "1e999"`},
		"no score":         {"轿车\t汽车\t\t0.9\n", `line 1: score is ""`},
		"no word":          {"\n轿车\t\t0.9\n", "line 2: a word is missing"},
		"unseen word":      {"轿车\t\u200c\t1\n", "line 1: a word is missing"},
		"UTF-16":           {"\xff\xfeq\x00", "UTF-16"},
		"damaged":          {"\xff\xff\xff\t\xff\t1\n", "neither UTF-8 nor GB18030"},
		"many":             {strings.Repeat("x\n", 30), "10 more lines"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tc.file))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want it to say %q", err, tc.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("轿车\t汽车\t0.98\r\n# c\nGDP 生产力 6.5 1 2\n")
	f.Add("\uFEFFw1\tw2\tscore\na\tb\t1e3\n")
	f.Add("\xbd\xce\xb3\xb5 \xc6\xfb\xb3\xb5 1\n\x00\t\t\n")
	f.Fuzz(func(t *testing.T, file string) {
		pairs, err := Read(strings.NewReader(file))
		if (err == nil) != (len(pairs) > 0) {
			t.Fatalf("%d pairs, error %v", len(pairs), err)
		}
		for _, p := range pairs {
			if p.A == "" || p.B == "" || p.Score != p.Score {
				t.Fatalf("pair %+v", p)
			}
		}
	})
}

func TestReadThesaurus(t *testing.T) {
	const file = "\uFEFF# groups\r\n" +
		"Aa01A01= 人 士 人物 人\r\n" +
		"Aa01A02= 人類 人类\r\n" + // one word, once it is simplified
		"Ba01A01# 人 \u200c 东西\r\n" +
		"Zz01A01@ 单独\r\n" +
		"Bb02C03= 东西 物\r\n"
	got, err := ReadThesaurus(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	want := &Thesaurus{
		synonyms: [][]string{{"人", "士", "人物"}, {"东西", "物"}},
		words:    []string{"人", "士", "人物", "人类", "东西", "单独", "物"},
		classes:  map[string]classes{"人": 3, "士": 1, "人物": 1, "人类": 1, "东西": 2, "单独": 1 << 25, "物": 2},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Thesaurus{})); diff != "" {
		t.Errorf("thesaurus (-want +got):\n%s", diff)
	}
}

func TestReadThesaurusRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ file, want string }{
		"nothing":     {"", "no line of synonyms"},
		"no synonyms": {"Aa01A01= 人\nAa01A01# 人 士\n", "no line of synonyms"},
		"no code":     {"Aa01A01= 人 士\n人 士\n", `line 2: code is "人"`},
		"no kind":     {"Aa01A01 人 士\n", `line 1: code is "Aa01A01"`},
		"no words":    {"Aa01A01= 人 士\nAa01A02=\n", "line 2: no words after Aa01A02="},
		"no space":    {"Aa01A01=人 士\n", "line 1: code"},
		"many":        {strings.Repeat("x\n", 30), "10 more lines"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadThesaurus(strings.NewReader(tc.file))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want it to say %q", err, tc.want)
			}
		})
	}
}

func FuzzReadThesaurus(f *testing.F) {
	f.Add("Aa01A01= 人 士 人物\nBa01A01# 人 东西\n")
	f.Add("Aa01A01= a\r\n\uFEFF\nZz99Z99@ b\n")
	f.Fuzz(func(t *testing.T, file string) {
		thesaurus, err := ReadThesaurus(strings.NewReader(file))
		if err != nil {
			return
		}
		for _, word := range thesaurus.words {
			if thesaurus.classes[word] == 0 || thesaurus.classes[word] >= 1<<26 {
				t.Fatalf("%q has classes %b", word, thesaurus.classes[word])
			}
		}
		draws := thesaurus.Eligible(func(string) bool { return true })
		if _, err := draws.Draw(4, 1); err != nil && !strings.Contains(err.Error(), fmt.Sprint(draws.Words(), " words")) {
			t.Fatal(err)
		}
	})
}
