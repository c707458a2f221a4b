package neardup

import (
	"strings"
	"testing"
)

// different are n different numbers that stayed.
func different(n int) [][]rune { return make([][]rune, n) }

func TestNumbersOfAnother(t *testing.T) {
	for _, tc := range []struct {
		name    string
		n       numbers
		changes int
		want    bool
	}{
		{"a quarter of the numbers, enough of the changes", numbers{turned: 2, kept: 6}, 13, true},
		{"fewer of the numbers", numbers{turned: 2, kept: 7}, 13, false},
		{"fewer of the changes", numbers{turned: 2, kept: 6}, 14, false},
		{"15 % of the changes", numbers{turned: 3}, 20, true},
		{"one", numbers{turned: 1}, 1, false},
		{"damaged, half of the changes", numbers{turned: 1, damaged: 1}, 4, true},
		{"damaged, fewer of the changes", numbers{turned: 1, damaged: 1}, 5, false},
		{"only damaged", numbers{damaged: 2}, 4, true},
	} {
		if got := tc.n.others(tc.changes); got != tc.want {
			t.Errorf("%s: others() = %v", tc.name, got)
		}
	}
	for _, tc := range []struct {
		name    string
		n       numbers
		changes int
		want    bool
	}{
		{"one of four", numbers{turned: 1, kept: 3}, 1, true},
		{"one of five", numbers{turned: 1, kept: 4}, 1, false},
		{"and another change", numbers{turned: 1}, 2, false},
		{"two", numbers{turned: 2}, 1, false},
	} {
		if got := tc.n.only(tc.changes); got != tc.want {
			t.Errorf("%s: only() = %v", tc.name, got)
		}
	}
	for _, n := range []numbers{{turned: 1, different: different(3)}, {different: different(2)}} {
		if n.same(3) {
			t.Errorf("%+v are the same three", n)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	for _, tc := range []struct {
		a, b                  string
		kept, turned, damaged int
	}{
		{"共12人", "共12人", 1, 0, 0},
		{"共12人去34处", "共12人去35处", 1, 1, 0},
		{"共123人", "共12人", 0, 0, 1},
		{"共1/2人", "共1/2人", 2, 0, 0},
		{"共1:9人", "共1:9人", 2, 0, 0},
		{"共十二人", "共十二人", 1, 0, 0},
		{"共〇亿人", "共〇亿人", 1, 0, 0},
		{"共三人", "共三人", 0, 0, 0},
		{"共12人", "约12人", 0, 0, 0}, // the character before it is another
		{"共12", "共12", 0, 0, 0},   // no character is behind it
		{"共人", "共人", 0, 0, 0},
	} {
		l := newAligner("头"+tc.a, "头"+tc.b)
		l.edit(l.a, l.b)
		n := compareNumbers(l.a, l.b, l.pieces)
		if n.kept != tc.kept || n.turned != tc.turned || n.damaged != tc.damaged {
			t.Errorf("%s and %s: %+v, want %d kept, %d turned, %d damaged", tc.a, tc.b, n, tc.kept, tc.turned, tc.damaged)
		}
	}
	n := compareNumbers([]rune("从前有过12人在此"), []rune("有过12人在此"), []piece{{true, 2, 8, 0, 6}})
	if n.kept != 1 {
		t.Errorf("behind another start: %+v, want 1 kept", n)
	}
	many := []rune("共1人2人3人4人4人5人6人")
	n = compareNumbers(many, many, []piece{{true, 0, len(many), 0, len(many)}})
	if n.kept != 7 || len(n.different) != manyNumbers {
		t.Errorf("%d numbers kept, %d of them held, want 7 and %d", n.kept, len(n.different), manyNumbers)
	}
}

// Words that changed places are a change of wording; what follows them counts, too.
func TestRewordingOf(t *testing.T) {
	l := newAligner("始甲乙上海而后来了丙丁终", "始上海甲乙而后来了戊己终")
	l.edit(l.a, l.b)
	if r, want := rewordingOf(l.a, l.b, l.pieces), (rewording{words: 2, slots: 1, wording: 1, function: 1}); r != want {
		t.Errorf("%+v, want %+v, for %s", r, want, written(l))
	}
	o := overlap{pieces: l.pieces}
	if o.count(l.a, l.b); o.same != 10 || o.moves != 1 || o.changes != 1 || o.changed != 2 {
		t.Errorf("%d the same, %d moves, %d changes of %d, want 10, 1, 1 of 2", o.same, o.moves, o.changes, o.changed)
	}
}

func TestRewordingAdd(t *testing.T) {
	shared := pairsOf([]rune("上海市"), []piece{{same: true, a1: 3, b1: 3}})
	for _, tc := range []struct {
		name, x, y string
		want       rewording
	}{
		{"a character", "甲", "乙", rewording{}},
		{"a function word", "的", "", rewording{grammar: 1}},
		{"a word", "甲乙", "丙", rewording{words: 1, slots: 1}},
		{"a word put in", "", "甲乙", rewording{words: 1}},
		{"a clause put in", "", "甲乙丙丁戊", rewording{words: 1, wording: 1}},
		{"not quite a clause", "甲乙丙丁", "", rewording{words: 1}},
		{"a clause for another", "甲乙丙丁戊", "己", rewording{words: 1, slots: 1}},
		{"a function word in a word", "甲的", "甲乙", rewording{grammar: 1, words: 1, slots: 1, wording: 1, function: 1}},
		{"the same function words", "甲的", "的乙", rewording{words: 1, slots: 1}},
		{"a word of the text", "上海", "甲乙", rewording{words: 1, slots: 1, wording: 1}},
		{"for a word of the text", "甲乙", "海市", rewording{words: 1, slots: 1, wording: 1}},
		{"characters of the text, apart", "上市", "甲乙", rewording{words: 1, slots: 1}},
		{"one character of the text", "上", "甲乙", rewording{words: 1, slots: 1}},
		{"a number", "甲乙丙丁0的", "", rewording{grammar: 1, words: 1}},
		{"for a number", "", "甲乙丙丁的9", rewording{grammar: 1, words: 1}},
		{"a number in a clause", "甲乙丙丁戊己9", "", rewording{words: 1, wording: 1}},
	} {
		var r rewording
		r.add([]rune(tc.x), []rune(tc.y), shared)
		if r != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, r, tc.want)
		}
	}
}

// One word that was changed for the same other twice is a fact; characters, and
// words that were put in, are not.
func TestRefilled(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"甲乙在此见甲乙了", "丙丁在此见丙丁了", true},
		{"甲乙在此见甲乙了", "丙丁在此见戊己了", false},
		{"甲在此见甲了", "丙在此见丙了", false},
		{"甲乙在此见甲乙了", "丙在此见丙了", true},
		{"在此见了", "丙丁在此见丙丁了", false},
		{"在此见在此见", "在此见在此见", false},
	} {
		l := newAligner(tc.a, tc.b)
		l.edit(l.a, l.b)
		if got := refilled(l.a, l.b, l.pieces); got != tc.want {
			t.Errorf("%s and %s: %v", tc.a, tc.b, got)
		}
	}
}

func TestScatteredAndPassages(t *testing.T) {
	for _, tc := range []struct {
		o                   overlap
		scattered, passages bool
	}{
		{overlap{same: 900}, true, true},
		{overlap{same: 900, changed: 100, changes: 80}, true, false},
		{overlap{same: 900, changed: 100, changes: 79}, false, false},
		{overlap{same: 80, changed: 9, changes: 2}, false, true},
		{overlap{same: 79, changed: 9, changes: 2}, false, false},
		{overlap{same: 80, changed: 8, changes: 2}, false, false},
	} {
		if s, p := tc.o.scattered(), tc.o.passages(); s != tc.scattered || p != tc.passages {
			t.Errorf("%d changes of %d characters, %d the same: scattered %v, passages %v", tc.o.changes, tc.o.changed, tc.o.same, s, p)
		}
	}
}

func TestRewordedBorders(t *testing.T) {
	recurring := overlap{changes: 8, changed: 24}
	few := overlap{changes: 2, changed: 8}
	turned := overlap{changes: 2, changed: 8, moves: 1, numbers: numbers{turned: 1}}
	numbered := overlap{changes: 2, changed: 8, numbers: numbers{different: different(3)}}
	for _, tc := range []struct {
		name string
		o    overlap
		r    rewording
		want bool
	}{
		{"words of four characters", few, rewording{words: 2, wording: 2, function: 1}, true},
		{"longer words", overlap{changes: 2, changed: 9}, rewording{words: 2, wording: 2, function: 1}, false},
		{"another number, half of the words moved", turned, rewording{words: 2, wording: 2, function: 1}, true},
		{"another number, two of four words moved", overlap{changes: 2, changed: 8, moves: 2, numbers: numbers{turned: 1}}, rewording{words: 4, wording: 4, function: 1}, true},
		{"another number, fewer moved", turned, rewording{words: 3, wording: 3, function: 1}, false},
		{"three numbers stayed", numbered, rewording{words: 9, wording: 1}, true},
		{"three numbers stayed, no wording", numbered, rewording{words: 9}, false},
		{"one word", few, rewording{words: 1, wording: 1, function: 1}, true},
		{"one of two words", few, rewording{words: 2, wording: 1, function: 1}, false},
		{"three of ten words", few, rewording{words: 10, wording: 3, function: 1}, true},
		{"two of ten words", few, rewording{words: 10, wording: 2, function: 1}, false},
		{"many words that recur", recurring, rewording{words: 8, wording: 3}, true},
		{"fewer words", recurring, rewording{words: 7, wording: 3}, false},
		{"longer words that recur", overlap{changes: 8, changed: 25}, rewording{words: 8, wording: 3}, false},
		{"fewer that recur", recurring, rewording{words: 8, wording: 2}, false},
		{"three of ten that recur", recurring, rewording{words: 10, wording: 3}, true},
	} {
		if got := tc.o.reworded(tc.r); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func TestSameFactsBorders(t *testing.T) {
	// words are texts in which words differ: "a>b".
	words := func(changes ...string) overlap {
		x, y := span(0x300, 60), span(0x300, 60)
		for i, change := range changes {
			from, to, _ := strings.Cut(change, ">")
			between := span(0x400+0x40*i, 60)
			x, y = x+from+between, y+to+between
		}
		a, b := newText(x), newText(y)
		return overlapOf(a, b, new(aligner).align(a, b))
	}
	// One word differs, in a frame and without one.
	word := func(longer, stayed int) overlap {
		o := words("甲乙>丙丁")
		o.lenA += longer
		o.numbers.different = different(stayed)
		return o
	}
	counted := func(o overlap, same, changed, changes, stayed int) overlap {
		o.same, o.changed, o.changes, o.numbers.different = same, changed, changes, different(stayed)
		return o
	}
	one, two := words("甲乙>丙丁"), words("甲乙>丙丁", "戊己>庚辛")
	three, twice, function := words("甲乙>丙丁", "戊己>庚辛", "壬癸>子丑"), words("甲乙>丙丁", "甲乙>丙丁"), words("甲的>丙丁", "戊的>庚辛")
	for _, tc := range []struct {
		name string
		o    overlap
		want bool
	}{
		{"two fifths at random places", overlap{same: 60, changed: 40, changes: 40}, true},
		{"more", overlap{same: 59, changed: 41, changes: 41}, false},
		{"other numbers", overlap{same: 98, changed: 2, changes: 2, numbers: numbers{turned: 2}}, false},
		{"one number alone", overlap{same: 599, changed: 1, changes: 1, numbers: numbers{turned: 1}}, false},
		{"one number of a long text", overlap{same: 600, changed: 1, changes: 1, numbers: numbers{turned: 1}}, true},
		{"a long text, edited", overlap{same: 680, changed: 120, changes: 10, endsDiffer: true}, true},
		{"edited by more", overlap{same: 680, changed: 121, changes: 10, endsDiffer: true}, false},
		{"a long text", overlap{same: 600, changed: 100, changes: 10, endsDiffer: true}, true},
		{"not quite a long text", overlap{same: 599, changed: 100, changes: 10, endsDiffer: true}, false},
		{"passages", overlap{same: 599, changed: 100, changes: 10}, true},
		{"passages, too many", overlap{same: 599, changed: 107, changes: 10}, false},
		{"few", overlap{same: 98, changed: 2, changes: 1}, true},
		{"more than few", overlap{same: 97, changed: 2, changes: 1}, false},
		{"other numbers for fewer changes than with moves", overlap{same: 87, changed: 13, changes: 13, moves: 1, numbers: numbers{turned: 2, kept: 6}}, true},
		{"passages, 15 %", overlap{same: 510, changed: 90, changes: 10}, true},
		{"three words, eight scattered changes", counted(three, 120, 9, 8, 0), true},
		{"three words, seven scattered changes", counted(three, 120, 8, 7, 0), false},
		{"three words, seven scattered changes, three numbers stayed", counted(three, 120, 8, 7, 3), true},
		{"three words, seven scattered characters", counted(three, 120, 7, 7, 0), true},
		{"two words, seven scattered changes", counted(two, 120, 8, 7, 0), false},
		{"one word, four scattered changes", counted(one, 120, 5, 4, 0), true},
		{"one word, three scattered changes", counted(one, 120, 4, 3, 0), false},
		{"one word twice, scattered", counted(twice, 599, 120, 110, 0), false},
		{"one word twice, scattered in a long text", counted(twice, 600, 120, 110, 0), true},
		{"reworded by 30 %", counted(function, 280, 120, 40, 0), true},
		{"reworded by more", counted(function, 279, 121, 40, 0), false},
		{"a word", word(0, 0), false},
		{"a word, in a frame", word(otherFrame, 0), true},
		{"a word, in less than a frame", word(otherFrame-1, 0), false},
		{"a word, five numbers stayed", word(0, manyNumbers), true},
		{"a word, four numbers stayed", word(0, manyNumbers-1), false},
	} {
		if got := tc.o.sameFacts(near); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// The similarity is the share of the text that is contained, else of the longer.
func TestSimilarity(t *testing.T) {
	text := prose(1, 300)
	parts := strings.Split(text, "")
	for _, tc := range []struct {
		name, a, b string
		rel        relation
		similarity float64
	}{
		{"contained", text, prose(2, 300) + text, within, 1},
		{"contains", prose(2, 300) + text, text, contains, 1},
		{"cropped", text, strings.Join(parts[:270], ""), near, 0.9},
		{"longer", strings.Join(parts[:270], ""), text, near, 0.9},
		{"another", text, prose(2, 300), apart, 0},
	} {
		rel, similarity := new(aligner).judge(newText(tc.a), newText(tc.b))
		if rel != tc.rel || similarity != tc.similarity {
			t.Errorf("%s: %d, %v; want %d, %v", tc.name, rel, similarity, tc.rel, tc.similarity)
		}
	}
}
