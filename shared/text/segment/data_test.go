package segment

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDictionaryIsSound(t *testing.T) {
	lines, last := 0, ""
	for line := range strings.Lines(unpack(wordsFile)) {
		lines++
		fields := strings.Fields(line)
		switch {
		case len(fields) != 3:
			t.Fatalf("words.txt line %d is %q", lines, line)
		case fields[0] <= last:
			t.Fatalf("words.txt line %d: %q is not after %q", lines, fields[0], last)
		case !isPiece(fields[0]) || Fold(fields[0]) != fields[0] || strings.IndexFunc(fields[0], isHan) < 0:
			t.Errorf("words.txt line %d: %q is never looked up", lines, fields[0])
		}
		last = fields[0]
	}
	if lines < 100_000 {
		t.Errorf("words.txt has %d lines, want 100,000 and more", lines)
	}
}

func TestEnglishFrequenciesAreSound(t *testing.T) {
	lines, last := strings.Split(strings.TrimSuffix(unpack(englishFile), "\n"), "\n"), ""
	for i, line := range lines[1:] {
		word, _, _ := strings.Cut(line, " ")
		if form, err := Form("en", word); word <= last || err != nil || form != word {
			t.Errorf("english.txt line %d: %q is never looked up, or not after %q", i+2, word, last)
		}
		last = word
	}
	if len(lines) < 10_000 {
		t.Errorf("english.txt has %d lines, want 10,000 and more", len(lines))
	}
	common, rare := EnglishFrequency("peopl"), EnglishFrequency("homework")
	if !(common > 50*rare && rare > 0) || EnglishFrequency("qwertz") != 0 || common > 0.01 {
		t.Errorf("people has %v, homework %v, qwertz %v", common, rare, EnglishFrequency("qwertz"))
	}
}

// Common words whose traditional form splits or varies are rare in gse's
// simplified list alone.
func TestDictionaryHasCommonWords(t *testing.T) {
	s := newSegmenter(t)
	for _, word := range []string{"治疗", "覆盖", "污水", "台风", "医药", "征收", "糖尿病", "贪污", "烟草"} {
		if got := s.Words(word); !slices.Equal(got, []string{word}) || dictionary().descend(0, word) == 0 {
			t.Errorf("Words(%q) = %q, or the dictionary lacks it", word, got)
		}
	}
}

func TestListsAreSound(t *testing.T) {
	stop := stopWords()
	for word := range stop {
		if Fold(word) != word {
			t.Errorf("stop word %q is not folded", word)
		}
	}
	if len(singles()) < 100 {
		t.Errorf("single.txt has %d characters, want 100 and more", len(singles()))
	}
	for char := range singles() {
		if r, size := utf8.DecodeRuneInString(char); size != len(char) || !isHan(r) || Fold(char) != char || stop[char] {
			t.Errorf("single.txt has %q, want a simplified character that is no stop word", char)
		}
		if dictionary().descend(0, char) == 0 {
			t.Errorf("single.txt has %q, which the dictionary lacks", char)
		}
	}
}

func TestFrequency(t *testing.T) {
	sum := 0.0
	for line := range strings.Lines(unpack(wordsFile)) {
		word, _, _ := strings.Cut(line, " ")
		sum += Frequency(word)
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("frequencies sum up to %v, want 1", sum)
	}
	if Frequency("的") < Frequency("银行") || Frequency("银行") < Frequency("乾隆") || Frequency("乾隆") <= 0 {
		t.Errorf("的, 银行, 乾隆 are not in this order: %v, %v, %v", Frequency("的"), Frequency("银行"), Frequency("乾隆"))
	}
	for _, word := range []string{"", "bank", "习近平", "長江", "\xff"} {
		if got := Frequency(word); got != 0 {
			t.Errorf("Frequency(%q) = %v, want 0", word, got)
		}
	}
}

func BenchmarkLoadDictionary(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		loadDictionary()
	}
}
