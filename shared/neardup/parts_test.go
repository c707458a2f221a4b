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
		x, y := sketchOf(shingles([]rune(a), shingleWeight)), sketchOf(shingles([]rune(b), shingleWeight))
		if slices.ContainsFunc(x, func(h uint64) bool { _, ok := slices.BinarySearch(y, h); return ok }) {
			t.Errorf("the sketches of texts %d and %d have a hash in common", i, i+1)
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
			got := sketchOf(shingles([]rune(tc.text), shingleWeight))
			if len(got) < tc.least || len(got) > tc.most || !slices.IsSorted(got) {
				t.Errorf("%d hashes, want %d to %d, sorted", len(got), tc.least, tc.most)
			}
		})
	}
}

func TestSorter(t *testing.T) {
	for _, held := range []int{1, 7, 1000} {
		dir := t.TempDir()
		s := newSorter(dir, held)
		draw := rand.New(rand.NewPCG(1, 2))
		var want []uint64
		for range 500 {
			x := draw.Uint64N(400)
			want = append(want, x)
			if err := s.add(x); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(want)
		var got []uint64
		for x, err := range s.sorted() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, x)
		}
		if !slices.Equal(got, want) {
			t.Errorf("held %d: %v, want %v", held, got, want)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		assertEmpty(t, dir)
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
