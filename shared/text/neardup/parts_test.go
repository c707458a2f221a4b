package neardup

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"
)

func assertEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left in %s: %v, %v", dir, left, err)
	}
}

func TestNormalise(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"punctuation and space", "“中国”，\t你好！\n—— 2024 年", "中国你好2024年"},
		{"width and case", "ＡＢＣ１２３", "abc123"},
		{"traditional", "頭髮與發展", "头发与发展"},
		{"zero in dates", "二〇二四年", "二〇二四年"},
		{"invalid", "a\xffb\xe4\xb8c�", "abc"},
		{"marks stay with their letters", "กำ นี", "กำนี"},
		{"emoji", "好👍", "好"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Normalise(tc.text); got != tc.want {
				t.Errorf("Normalise(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func FuzzNormalise(f *testing.F) {
	f.Add("你好，World")
	f.Add("\xff一目瞭然")
	f.Fuzz(func(t *testing.T, text string) {
		got := Normalise(text)
		if !utf8.ValidString(got) || strings.ContainsAny(got, " \n，。!\x00") {
			t.Errorf("Normalise(%q) = %q", text, got)
		}
	})
}

func TestSimHash(t *testing.T) {
	text := prose(1, 800)
	distance := func(a, b string) int { return bits.OnesCount64(SimHash(a) ^ SimHash(b)) }
	if d := distance(text, text); d != 0 {
		t.Errorf("distance of a text to itself is %d", d)
	}
	if d := distance(text, text+prose(2, 20)); d > 6 {
		t.Errorf("distance to a text with a footer is %d, want 6 at most", d)
	}
	if d := distance(text, typos(text, 0.02, 1)); d > 10 {
		t.Errorf("distance to a text with typos is %d, want 10 at most", d)
	}
	if SimHash("") != 0 || SimHash("字") != 0 {
		t.Error("texts without shingles have a hash")
	}
}

// A known library takes words for what stands between spaces, and so maps
// every Chinese text to one hash.
func TestDifferentChineseTextsDiffer(t *testing.T) {
	const n = 200
	texts := []string{
		"央行宣布下调金融机构存款准备金率零点五个百分点", "国家队在决赛中战胜对手夺得冠军创造了历史",
		"气象台发布暴雨橙色预警提醒市民注意防范", "博物馆推出古代青铜器特展吸引大批观众参观",
	}
	for i := range uint64(n) {
		texts = append(texts, prose(i, 200))
	}
	seen := make(map[uint64]int)
	for i, text := range texts {
		if j, ok := seen[SimHash(text)]; ok {
			t.Errorf("texts %d and %d have one SimHash", j, i)
		}
		seen[SimHash(text)] = i
	}
	for i := range uint64(n - 1) {
		a, b := prose(i, 200), prose(i+1, 200)
		if d := bits.OnesCount64(SimHash(a) ^ SimHash(b)); d < 12 {
			t.Errorf("texts %d and %d differ in %d bits", i, i+1, d)
		}
		x, y := sketchOf(shingles([]rune(a))), sketchOf(shingles([]rune(b)))
		if slices.ContainsFunc(x, func(h uint64) bool { _, ok := slices.BinarySearch(y, h); return ok }) {
			t.Errorf("the sketches of texts %d and %d have a hash in common", i, i+1)
		}
	}
}

func TestWeight(t *testing.T) {
	for r, want := range map[rune]int{'a': 1, 'я': 1, '\u2E7F': 1, '\u2E80': 2, '字': 2, 'あ': 2} {
		if got := weight(r); got != want {
			t.Errorf("%q weighs %d, want %d", r, got, want)
		}
	}
}

func TestSketchSizes(t *testing.T) {
	for _, tc := range []struct {
		name, text  string
		least, most int
	}{
		{"no shingle", "一二三四", 0, 0},
		{"one shingle", "一二三四五", 1, 1},
		{"letters", "abcdefghij", 1, 1},
		{"all shingles", prose(1, 50), 46, 46},
		{"short", prose(1, 500), minSketch, minSketch},
		{"long", prose(1, 6400), 150, 250},
		{"as long as any", prose(1, 30_000), maxSketch, maxSketch},
		{"one character", strings.Repeat("啊", 10_000), 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := sketchOf(shingles([]rune(tc.text)))
			if len(got) < tc.least || len(got) > tc.most || !slices.IsSorted(got) {
				t.Errorf("%d hashes, want %d to %d, sorted", len(got), tc.least, tc.most)
			}
		})
	}
}

func TestOriginOf(t *testing.T) {
	for _, tc := range []struct {
		source, site string
		want         origin
	}{
		{"", "sina.com.cn", unknown},
		{"新华社", "xinhuanet.com", original},
		{"新华网", "news.cn", original},
		{"新华网", "sina.com.cn", copied},
		{"新浪财经", "sina.com.cn", original},
		{"www.daily.test", "daily.test", original},
		{"Reuters", "reuters.com", original},
		{"qq", "qq.com", copied},
		{"晚报", "", copied},
	} {
		if got := originOf(tc.source, tc.site); got != tc.want {
			t.Errorf("originOf(%q, %q) = %d, want %d", tc.source, tc.site, got, tc.want)
		}
	}
}

// Stats tells the size of these.
func TestSizes(t *testing.T) {
	if got := unsafe.Sizeof(entry{}); got != entrySize {
		t.Errorf("an entry has %d bytes, want %d", got, entrySize)
	}
	if got := unsafe.Sizeof(stand{}); got != standSize {
		t.Errorf("a stand has %d bytes, want %d", got, standSize)
	}
}

func TestNumbers(t *testing.T) {
	for _, tc := range []struct {
		name, a, b            string
		kept, turned, damaged int
	}{
		{"the same", "2024", "2024", 1, 0, 0},
		{"another", "3012", "2987", 0, 1, 0},
		{"a digit left out", "2024", "204", 0, 0, 1},
		{"a digit put in", "204", "2024", 0, 0, 1},
		{"digits swapped", "2024", "0224", 0, 0, 1},
		{"half left out", "2024", "20", 0, 0, 1},
		{"most left out", "20245", "25", 0, 1, 0},
		{"Chinese", "二十三", "十五", 0, 1, 0},
		{"a word", "2024", "去年", 0, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var n numbers
			n.add([]rune(tc.a), []rune(tc.b))
			if n.kept != tc.kept || n.turned != tc.turned || n.damaged != tc.damaged {
				t.Errorf("%+v, want %d kept, %d turned, %d damaged", n, tc.kept, tc.turned, tc.damaged)
			}
		})
	}
}

func TestMoved(t *testing.T) {
	for _, tc := range []struct {
		name, a, b string
		want       int // moves
	}{
		{"characters", "我们今天上午去看展览的时候", "我们今天上午看去展览的时候", 1},
		{"words", "我们今天上午去看展览的时候", "我们上午今天去看展览的时候", 1},
		{"over a few", "我们今天上午去看展览的时候", "我们今上午天去看展览的时候", 1},
		{"numerals", "编号为一二三的产品已经下线", "编号为三一二的产品已经下线", 0},
		{"two names", "这场比赛上海胜北京没有悬念", "这场比赛北京胜上海没有悬念", 0},
		{"another word", "我们今天上午去看展览的时候", "我们今天下午去看展览的时候", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			frame := func(s string) *text { return newText(prose(1, 20) + s + prose(2, 20)) }
			a, b := frame(tc.a), frame(tc.b)
			var l aligner
			if o := overlapOf(a, b, l.align(a, b)); o.moves != tc.want {
				t.Errorf("%d moves, want %d: %+v", o.moves, tc.want, o.pieces)
			}
		})
	}
}

// The borders of what two texts are to each other.
func TestRelation(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    overlap
		want relation
	}{
		{"both by two thirds", overlap{same: shortText, coveredA: nearCover, coveredB: nearCover}, near},
		{"one by less", overlap{same: shortText, coveredA: nearCover, coveredB: 0.66}, apart},
		{"few characters", overlap{same: shortText - 1, coveredA: nearCover, coveredB: nearCover}, apart},
		{"few characters, both by four fifths", overlap{same: shortText - 1, coveredA: shortCover, coveredB: shortCover}, near},
		{"the first within", overlap{same: shortText, coveredA: containCover, coveredB: 0.1}, within},
		{"the second within", overlap{same: shortText, coveredA: 0.1, coveredB: containCover}, contains},
		{"neither", overlap{same: shortText, coveredA: 0.79, coveredB: 0.1}, apart},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.o.relation(); got != tc.want {
				t.Errorf("relation() = %d, want %d", got, tc.want)
			}
		})
	}
}

// A fifth of the words may differ between copies, not between a text and one that
// contains it.
func TestRewordedWithin(t *testing.T) {
	replaced := strings.NewReplacer("今天", "昨日", "正式", "已经", "已经排", "就在排", "介绍", "告诉", "还为", "并给", "所有的", "这里的", "不少", "许多", "希望", "盼着",
		"很多", "不少", "则更", "却也", "表示", "认为", "调整", "改进", "送来", "拿到", "延长", "增加", "都可以", "全能够", "一早就", "很快便", "以后", "将来", "能在", "可以",
		"根据", "按照", "也欢迎", "还希望", "为了让", "要使得", "也能借", "都可借", "每周", "所有").Replace(article)
	a, b := newText(Normalise(article)), newText(Normalise(replaced))
	var l aligner
	o := overlapOf(a, b, l.align(a, b))
	if share := o.changedShare(); share <= maxEdited || share > maxReworded || o.scattered() {
		t.Fatalf("%.3f of the characters are changed, scattered: %v; want words, more than %v and at most %v", share, o.scattered(), maxEdited, maxReworded)
	}
	if !o.sameFacts(near) || o.sameFacts(within) || o.sameFacts(contains) {
		t.Errorf("copies: %v, contained: %v, %v; want copies only", o.sameFacts(near), o.sameFacts(within), o.sameFacts(contains))
	}
}

// All columns are counted at once; here one by one.
func TestColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		numbers, counts := make([]uint64, n), [64]int{}
		for i := range numbers {
			numbers[i] = random.Uint64()
			for b := range counts {
				counts[b] += int(numbers[i] >> b & 1)
			}
		}
		var want uint64
		for b, count := range counts {
			if count > n/2 {
				want |= 1 << b
			}
		}
		var set columns
		set.count(numbers)
		if got := set.above(n / 2); got != want {
			t.Errorf("of %d numbers %x, want %x", n, got, want)
		}
	}
}
