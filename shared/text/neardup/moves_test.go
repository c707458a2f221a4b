package neardup

import "testing"

func TestMovedBorders(t *testing.T) {
	for _, tc := range []struct {
		name, a, b string
		want       int // pieces
	}{
		{"twelve characters", "甲乙丙丁戊己庚辛壬癸子丑", "丑子癸壬辛庚己戊丁丙乙甲", 1},
		{"thirteen", "甲乙丙丁戊己庚辛壬癸子丑寅", "寅丑子癸壬辛庚己戊丁丙乙甲", 0},
		{"other characters", "甲乙", "甲丙", 0},
	} {
		p := piece{false, 0, len([]rune(tc.a)), 0, len([]rune(tc.b))}
		if got := moved([]rune(tc.a), []rune(tc.b), []piece{p}); got != tc.want {
			t.Errorf("%s: %d pieces, want %d", tc.name, got, tc.want)
		}
	}
	for crossed, want := range map[int]int{maxCrossed: 3, maxCrossed + 1: 0} {
		over := span(0x300, crossed)
		a, b := []rune("甲乙"+over), []rune(over+"甲乙")
		pieces := []piece{{false, 0, 2, 0, 0}, {true, 2, 2 + crossed, 0, crossed}, {false, 2 + crossed, 2 + crossed, crossed, crossed + 2}}
		if got := moved(a, b, pieces); got != want {
			t.Errorf("over %d characters: %d pieces, want %d", crossed, got, want)
		}
		back := []piece{{false, 0, 0, 0, 2}, {true, 0, crossed, 2, 2 + crossed}, {false, crossed, crossed + 2, 2 + crossed, 2 + crossed}}
		if got := moved(b, a, back); got != want {
			t.Errorf("back over %d characters: %d pieces, want %d", crossed, got, want)
		}
		if got := moved(a, b, pieces[:2]); got != 0 {
			t.Errorf("over %d characters to nowhere: %d pieces, want none", crossed, got)
		}
	}
}
