package runes_test

import (
	"testing"
	"unicode/utf8"

	"sluice/shared/text/runes"
)

// TestDecode compares Decode with package utf8 for all that two bytes can begin.
func TestDecode(t *testing.T) {
	t.Parallel()
	check := func(text string) {
		want, n := utf8.DecodeRuneInString(text)
		if got, size := runes.Decode(text, 0); got != want || size != n {
			t.Fatalf("Decode(%q) = %U, %d, want %U, %d", text, got, size, want, n)
		}
	}
	check("\xE4")
	check("\xE4\xB8")
	ends := []byte{0, 0x7F, 0x80, 0xBF, 0xC0, 0xFF}
	for a := range 256 {
		for b := range 256 {
			for _, c := range ends {
				check(string([]byte{byte(a), byte(b), c}))
				check(string([]byte{byte(a), byte(b), c, 0x80}))
			}
		}
	}
}
