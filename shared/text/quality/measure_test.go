package quality

import (
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/text/language"
)

// measure measures a text in the language that it seems to be in.
func measure(text string) Signals { return Measure(text, language.Detect(text)) }

// keys returns the signals by the keys of their JSON.
func keys(tb testing.TB, s Signals) map[string]float64 {
	tb.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	var all map[string]float64
	if err := json.Unmarshal(data, &all); err != nil {
		tb.Fatal(err)
	}
	return all
}

func TestMeasure(t *testing.T) {
	for _, test := range []struct {
		name string
		text string
		want map[string]float64
	}{
		{"nothing", "", map[string]float64{"characters": 0, "lines": 0, "short_lines": 0, "garbled": 0}},
		{"white space", " \t\r\n\u3000\u200b\n", map[string]float64{"characters": 0, "lines": 0, "garbled": 0}},
		{"characters and lines", "一二三\n\n四 五\r\n六", map[string]float64{"characters": 6, "lines": 3, "han": 1}},
		{"small words in both scripts", "这里與书們", map[string]float64{"stop_words": 0.6}},
		{"common and rare characters", "时時今彧", map[string]float64{"common_han": 0.75}},
		{"English stop words", "The cat AND the dog", map[string]float64{"stop_words": 0.6, "han": 0}},
		{"a word of two scripts", "ÄTHE Ａthe", map[string]float64{"stop_words": 0}},
		{"a beginning of a long word", "theatrical internationalthe", map[string]float64{"stop_words": 0}},
		{"digits", "12３字", map[string]float64{"digits": 0.75, "han": 0.25}},
		{"symbols", "★#→a", map[string]float64{"symbols": 0.75}},
		{"emoji", "👍🏽👨‍👩‍👧ab", map[string]float64{"symbols": 0.7143, "characters": 7}},
		{"garbled", "\x00\ufffd\ue000\xff锟好", map[string]float64{"garbled": 0.8333}},
		{"lines that end as sentences", "他说：“好。”\n标题\nThe end.\n未完……", map[string]float64{"sentence_lines": 0.5, "ellipsis_lines": 0.25}},
		{"text in sentences", "甲乙丙丁。甲乙丙丁（完）", map[string]float64{"sentence_text": 0.4167, "sentence_lines": 0}},
		{"points within", "3.14 a.b", map[string]float64{"sentence_text": 0}},
		{"three points", "一二三...", map[string]float64{"ellipsis_lines": 1}},
		{"short lines", "字字字字字字字字字字字字字字字\n字字字字字字字字字字字字字字\nabcdefghijklmnopqrstuvwxyzabc", map[string]float64{"short_lines": 0.6667}},
		{"code", "for (i = 0; i < n; i++) {\n这是一行文字，没有代码。", map[string]float64{"code": 0.5862}},
		{"sentences that come again", "甲乙丙。甲乙丙。丁戊己。", map[string]float64{"duplicate_sentences": 0.3333}},
		{"lines that come again", "甲乙丙\n丁\n甲乙丙\n甲 乙丙", map[string]float64{"duplicate_sentences": 0.6}},
		{"n-grams of words", "a big Dog, a small cat. A BIG dog a small", map[string]float64{"repeated_5gram": 0.4483, "repeated_10gram": 0}},
		{"long n-grams", "一二三四五六七八九一二三四五六七", map[string]float64{"repeated_5gram": 0.4375, "repeated_10gram": 0}},
		{"one character", strings.Repeat("哈", 100), map[string]float64{"repeated_5gram": 0.99, "repeated_10gram": 0.99}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := keys(t, measure(test.text))
			for key := range got {
				if _, ok := test.want[key]; !ok {
					delete(got, key)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Measure(%.60q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// No character is in the lists twice.
// Signs that begin the items of lists are symbols, though Unicode has them as
// punctuation.
func TestBulletsAreSymbols(t *testing.T) {
	for _, text := range []string{"••••", "‣‣‣‣", "※※※※", "◆◆◆◆"} {
		if got := measure(text).Symbols; got != 1 {
			t.Errorf("symbols of %s: %v", text, got)
		}
	}
}

func TestListedCharacters(t *testing.T) {
	seen := make(map[rune]bool)
	for _, r := range smallWords + commonCharacters {
		if seen[r] {
			t.Errorf("%c is there twice", r)
		}
		seen[r] = true
		if k := kindsOfBMP().of(r); k != common && k != small {
			t.Errorf("%c is of kind %d", r, k)
		}
	}
}

// A reader that infers the schema needs every key, and a point in each real.
func TestSignalsJSON(t *testing.T) {
	data, err := json.Marshal(Signals{Characters: 3})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	if len(fields) != 17 {
		t.Errorf("%d keys, want 17", len(fields))
	}
	for key, value := range fields {
		isCount := key == "characters" || key == "lines"
		if isCount == strings.Contains(string(value), ".") {
			t.Errorf("%s is %s", key, value)
		}
	}
}

// What is read back from a record is what was measured.
func TestSignalsRoundTrip(t *testing.T) {
	want := measure(article)
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Signals
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after JSON (-want +got):\n%s", diff)
	}
}

// hostile are texts of a size made to be slow or large.
func hostile(size int) map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	hanzi := func() rune { return rune(0x4E00 + random.IntN(20000)) }
	fill := func(next func(b *strings.Builder)) string {
		var b strings.Builder
		for b.Len() < size {
			next(&b)
		}
		return b.String()
	}
	return map[string]string{
		"one letter":      strings.Repeat("a", size),
		"one character":   strings.Repeat("哈", size/3),
		"line feeds":      strings.Repeat("\n", size),
		"lines of one":    strings.Repeat("a\n", size/2),
		"open braces":     strings.Repeat("{", size),
		"addresses":       strings.Repeat("http://", size/7),
		"invalid":         strings.Repeat("\xff\xe4\xb8", size/3),
		"different lines": fill(func(b *strings.Builder) { b.WriteRune(hanzi()); b.WriteRune(hanzi()); b.WriteByte('\n') }),
		"different words": fill(func(b *strings.Builder) {
			b.WriteString(string([]rune{rune('a' + random.IntN(26)), rune('a' + random.IntN(26)), ' '}))
		}),
		"different hanzi":  fill(func(b *strings.Builder) { b.WriteRune(hanzi()) }),
		"different stops":  fill(func(b *strings.Builder) { b.WriteRune(hanzi()); b.WriteString("。") }),
		"different bytes":  fill(func(b *strings.Builder) { b.WriteByte(byte(random.IntN(256))) }),
		"supplementary":    fill(func(b *strings.Builder) { b.WriteRune(rune(0x10000 + random.IntN(0x30000))) }),
		"different blanks": fill(func(b *strings.Builder) { b.WriteRune(hanzi()); b.WriteString("\n\n") }),
	}
}

// However long and varied a text is, Measure takes 2 MB.
func TestMeasureIsBounded(t *testing.T) {
	measure("") // makes the tables
	for name, text := range hostile(1 << 20) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := measure(text)
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 5<<20 {
				t.Errorf("took %d bytes", took) // in all: tables grow by doubling
			}
			checkRanges(t, s)
		})
	}
}

func checkRanges(tb testing.TB, s Signals) {
	tb.Helper()
	for key, value := range keys(tb, s) {
		switch key {
		case "characters", "lines":
			if value < 0 {
				tb.Errorf("%s is %v", key, value)
			}
		default:
			if !(value >= 0 && value <= 1) {
				tb.Errorf("%s is %v, want 0 to 1", key, value)
			}
		}
	}
}

func FuzzMeasure(f *testing.F) {
	for _, text := range hostile(300) {
		f.Add(text)
	}
	for _, j := range junk() {
		f.Add(j.text)
	}
	f.Add(article)
	f.Add("a{b}c}http://x.cn/ 一。”\r\n\r\n…... \u0301\xe4")
	f.Fuzz(func(t *testing.T, text string) {
		s := measure(text)
		checkRanges(t, s)
		if again := measure(text); again != s {
			t.Errorf("the same text is measured differently:\n%s", cmp.Diff(s, again))
		}
		if s.Characters > utf8.RuneCountInString(text) || s.Lines > s.Characters {
			t.Errorf("%d characters in %d lines of %d", s.Characters, s.Lines, utf8.RuneCountInString(text))
		}
		for _, language := range []string{"zh", "en", "de"} {
			rules := Default(language)
			rule, detail := rules.Check(s)
			if all := rules.Failures(s); (rule == "") != (len(all) == 0) || (rule == "") != (detail == "") {
				t.Errorf("Check: %q, %q; Failures: %v", rule, detail, all)
			}
		}
	})
}

func BenchmarkMeasure(b *testing.B) {
	for name, text := range map[string]string{
		"chinese-2KB": article + article[:600],
		"chinese-1MB": hostile(1 << 20)["different hanzi"],
		"english-2KB": strings.Repeat(englishArticle, 6),
		"words-1MB":   hostile(1 << 20)["different words"],
		"lines-1MB":   hostile(1 << 20)["different lines"],
	} {
		b.Run(name, func(b *testing.B) {
			measure("")
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				measure(text)
			}
		})
	}
}
