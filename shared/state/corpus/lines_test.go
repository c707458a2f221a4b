package corpus

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// Lines of any length are read, with their places.
func TestEachLine(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	text := "a\r\n\n  \n" + long + "\nb  \nhalf"
	type place struct {
		offset int64
		number int
		size   int
		torn   bool
	}
	var have []place
	err := EachLine(strings.NewReader(text), func(l Line) error {
		if got := text[l.Offset : l.Offset+int64(len(l.Raw))]; got != string(l.Raw) {
			t.Errorf("line %d is not at byte %d", l.Number, l.Offset)
		}
		have = append(have, place{l.Offset, l.Number, len(l.Text()), l.Torn()})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []place{{0, 1, 1, false}, {7, 4, 3 << 20, false}, {3<<20 + 8, 5, 1, false}, {3<<20 + 12, 6, 4, true}}
	if !slices.Equal(have, want) {
		t.Errorf("%+v, want %+v", have, want)
	}
}

func TestLinesAreBounded(t *testing.T) {
	err := EachLine(io.LimitReader(endless{}, MaxLine+2<<20), func(Line) error { return nil })
	if err == nil || err.Error() != "line 1 is longer than 256 MiB" {
		t.Errorf("error %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
