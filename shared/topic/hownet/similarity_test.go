package hownet

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edges is the similarity of sememes that many edges apart.
func edges(n float64) float64 { return 1.6 / (1.6 + n) }

func TestSimilarity(t *testing.T) {
	tests := []struct {
		name string
		a, b string // definitions; several concepts are separated by spaces
		want float64
	}{
		{"the same", "person|人", "person|人", 1},
		{"parent", "person|人", "man|男", edges(1)},
		{"siblings", "man|男", "woman|女", edges(2)},
		{"cousins", "man|男", "knife|刀", edges(4)},
		{"different trees", "person|人", "act|行", edges(20)},
		{"a name in two places is near to both", "near|近", "act|行", edges(1)},
		{"a name in two places, other tree", "near|近", "tool|具", edges(1)},
		{"half a name", "man", "男", 1},

		{"others differ", "person|人,man|男", "person|人,woman|女", .5 + .5*edges(2)},
		{"others on one side", "person|人,man|男", "person|人", .5 + .5*.2},
		{"others of unlike number", "person|人,man|男,tool|具", "person|人,man|男", .5 + .5*(1+.2)/2},
		{"the best pair goes first", "person|人,man|男,tool|具", "person|人,knife|刀,man|男", .5 + .5*(1+edges(1))/2},
		{"the order of others is nothing", "person|人,man|男,tool|具", "person|人,tool|具,man|男", 1},

		{"specific words equal", "person|人,(China|中国)", "person|人,(China|中国)", 1},
		{"specific words differ", "person|人,(China|中国)", "person|人,(US|美国)", .5},
		{"specific word and sememe", "person|人,(China|中国)", "person|人,man|男", .5 + .5*.2},
		{"specific word with comma and equals sign", "person|人,(a,b=c)", "person|人,(a,b=c)", 1},

		{"relation differs", "act|行,content=man|男", "act|行,content=woman|女", .7 + .3*edges(2)},
		{"relations with other keys", "act|行,content=man|男", "act|行,patient=man|男", .7 + .3*.2},
		{"a relation and its negation", "act|行,content=man|男", "act|行,content=^man|男", .7 + .3*.2},
		{"two relations of three keys", "act|行,a=man|男,b=man|男", "act|行,b=man|男,c=man|男", .7 + .3*(1+.2+.2)/3},
		{"values of one key are a set", "act|行,a=man|男,a=tool|具", "act|行,a=tool|具,a=man|男", 1},
		{"a gap", "act|行,location=<>", "act|行,location=<>", 1},

		{"symbol differs", "person|人,*cut|切", "person|人,*eat|吃", .87 + .13*edges(2)},
		{"symbols of another mark", "person|人,*cut|切", "person|人,$cut|切", .87 + .13*.2},
		{"a compound mark", "person|人,^$cut|切", "person|人,$cut|切", .87 + .13*.2},
		{"symbol of a specific word", "person|人,#(train|火车)", "person|人,#cut|切", .87 + .13*.2},
		{"all parts differ", "man|男,man|男,a=man|男,*cut|切", "woman|女,woman|女,a=woman|女,*eat|吃",
			edges(2)*.5 + math.Pow(edges(2), 2)*.2 + math.Pow(edges(2), 3)*.17 + math.Pow(edges(2), 4)*.13},

		{"no first sememe", "^cut|切", "^eat|吃", .87 + .13*edges(2)},
		{"a first sememe on one side", "^cut|切", "cut|切,^cut|切", .2},

		{"function words", "{cut|切}", "{eat|吃}", edges(2)},
		{"a function and a content word", "{cut|切}", "cut|切", 0},
		{"the best of the concepts", "{cut|切} man|男 person|人", "tool|具 woman|女", edges(1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var glossary strings.Builder
			for word, definitions := range map[string]string{"甲": tt.a, "乙": tt.b} {
				for definition := range strings.FieldsSeq(definitions) {
					glossary.WriteString(word + "/N/" + definition + "\n")
				}
			}
			l := lexicon(t, glossary.String())
			there, ok := l.Similarity("甲", "乙")
			back, okBack := l.Similarity("乙", "甲")
			if !ok || !okBack || math.Abs(there-tt.want) > 1e-12 || there != back {
				t.Errorf("Similarity is %v, %v and %v, %v; want %v", there, ok, back, okBack, tt.want)
			}
			if e, ok := l.Explain("甲", "乙"); !ok || e.Similarity != there {
				t.Errorf("Explain says %v, %v; Similarity %v", e, ok, there)
			}
			if own, ok := l.Similarity("甲", "甲"); !ok || own != 1 {
				t.Errorf("a word with itself: %v, %v", own, ok)
			}
		})
	}
}

func TestSimilarityOfUnknownWords(t *testing.T) {
	l := lexicon(t, "人/N/person|人")
	for _, pair := range [][2]string{{"人", "无"}, {"无", "人"}, {"无", "无"}, {"", ""}} {
		if sim, ok := l.Similarity(pair[0], pair[1]); sim != 0 || ok {
			t.Errorf("Similarity(%q, %q) = %v, %v", pair[0], pair[1], sim, ok)
		}
		if e, ok := l.Explain(pair[0], pair[1]); ok {
			t.Errorf("Explain(%q, %q) = %v", pair[0], pair[1], e)
		}
	}
}

// TestSampleIsAMetric checks for all pairs of the sample that Similarity has
// the properties of a similarity and equals that of columns.
func TestSampleIsAMetric(t *testing.T) {
	l := loadSample(t)
	words := l.Words()
	for _, a := range words {
		column := l.Column(a)
		for _, b := range words {
			sim, ok := l.Similarity(a, b)
			if !ok || !(sim >= 0 && sim <= 1+1e-12) || a == b && sim != 1 {
				t.Fatalf("Similarity(%s, %s) = %v, %v", a, b, sim, ok)
			}
			if back, _ := l.Similarity(b, a); back != sim {
				t.Fatalf("Similarity(%s, %s) = %v, the other way %v", a, b, sim, back)
			}
			if in, ok := column.Similarity(b); !ok || in != sim {
				t.Fatalf("Column(%s).Similarity(%s) = %v, %v; want %v", a, b, in, ok, sim)
			}
		}
	}
}

func TestSampleRanks(t *testing.T) {
	l := loadSample(t)
	tests := []struct{ word, near, far string }{
		{"股票", "债券", "足球"},
		{"银行", "券商", "医院"},
		{"轿车", "公交车", "苹果"},
		{"梨", "苹果", "公司"},
		{"党委", "支部", "球队"},
		{"医生", "护士", "裁判"},
		{"上涨", "下跌", "吃"},
		{"因为", "但是", "股票"},
		{"酒店", "餐馆", "道路"},
	}
	for _, tt := range tests {
		near, _ := l.Similarity(tt.word, tt.near)
		far, _ := l.Similarity(tt.word, tt.far)
		if near <= far {
			t.Errorf("%s: %s %.3f, %s %.3f", tt.word, tt.near, near, tt.far, far)
		}
	}
}

func TestExplain(t *testing.T) {
	l := lexicon(t, "甲/N/knife|刀\n甲/N/person|人,*cut|切\n乙/V/eat|吃\n乙/N/person|人,*eat|吃\n")
	e, ok := l.Explain("甲", "乙")
	want := Explanation{A: "person|人,*cut|切", B: "person|人,*eat|吃", First: 1, Others: 1, Relations: 1, Symbols: edges(2)}
	want.Similarity = .5 + .2 + .17 + .13*edges(2)
	if diff := cmp.Diff(want, e); !ok || diff != "" {
		t.Errorf("Explain (-want +got):\n%s", diff)
	}
	const text = "0.928: person|人,*cut|切 ~ person|人,*eat|吃 (first sememe 1.000, others 1.000, relations 1.000, symbols 0.444)"
	if diff := cmp.Diff(text, e.String()); diff != "" {
		t.Errorf("String (-want +got):\n%s", diff)
	}
}
