package neardup

import (
	"fmt"
	"strings"
	"testing"
)

// Different marks count what differs: not forms with other numbers, hardly copies with
// other headers, but all texts of their own.
func TestMark(t *testing.T) {
	for _, tt := range []struct {
		name        string
		text        func(i int) string
		least, most int // different marks of 200 texts
	}{
		{"one text", func(int) string { return "市场今天上涨，银行走强。" }, 1, 1},
		{"another layout", func(i int) string {
			return strings.Repeat(" ", i) + "Shares rose today;" + strings.Repeat("\n", i) + "banks led."
		}, 1, 1},
		{"other numbers", func(i int) string {
			return fmt.Sprintf("第%d期，%d月%d日，共%d条记录，没有其他内容。", i, i%12, i%31, i*7)
		}, 1, 1},
		{"another first line", func(i int) string { return span(5*i, 5) + span(3000, 300) }, 1, 15},
		{"half of its own", func(i int) string { return span(60*i, 60) + span(13000, 60) }, 60, 140},
		{"texts of their own", func(i int) string { return span(60*i, 60) }, 200, 200},
		{"short ones", func(i int) string { return span(2*i, 2) }, 200, 200},
		{"none", func(int) string { return "" }, 1, 1},
	} {
		marks := map[uint64]bool{}
		for i := range 200 {
			marks[Mark(Normalise(tt.text(i)))] = true
		}
		if n := len(marks); n < tt.least || n > tt.most {
			t.Errorf("%s: %d different marks, want %d to %d", tt.name, n, tt.least, tt.most)
		}
	}
}

func BenchmarkMark(b *testing.B) {
	normal := Normalise(span(0, 700))
	for b.Loop() {
		Mark(normal)
	}
}
