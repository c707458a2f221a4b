package segment

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestEnglishWords(t *testing.T) {
	s, err := NewFor("en-GB", []string{"climate change", "Banks", "state-owned banks", "COVID-19", "A股", "does"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"one form of many", "rates rated rating rate", []string{"rate"}},
		{"user word", "bank, BANKS and banking’s", []string{"bank"}},
		{"user phrase", "Climate changes; climate\nchanging", []string{"climat chang"}},
		{"hyphen", "a state-owned bank", []string{"state-own bank"}},
		{"apostrophes", "the bank’s economists' view, don't", []string{"bank", "economist", "view"}},
		{"what is no plain word stays", "covid-19 v1.2 банки", []string{"covid-19", "v1.2", "банки"}},
		{"accents", "naïve cafés", []string{"naïv", "café"}},
		{"Chinese", "A股银行buys", []string{"a股", "银行", "buy"}},
		{"stop words, unless the user's", "having does", []string{"doe"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, s.Words(test.text)); diff != "" {
				t.Errorf("Words(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestForm(t *testing.T) {
	for _, test := range []struct{ language, given, want string }{
		{"zh", "Climate  Changes", "climate changes"},
		{"", "ＧＤＰ", "gdp"},
		{"zh-TW", "頭髮", "头发"},
		{"eng", "changes", "changes"},
		{"en", "Climate  Changes", "climat chang"},
		{"EN-us", "Agreed", "agr"},
		{"en", "C++", "c++"},
		{"en", "state-owned banks", "state-own bank"},
		{"en", "5G手机", "5g手机"},
		{"en", "bank’s", "bank"},
	} {
		t.Run(test.language+" "+test.given, func(t *testing.T) {
			if got, err := Form(test.language, test.given); err != nil || got != test.want {
				t.Errorf("Form(%q, %q) = %q, %v; want %q", test.language, test.given, got, err, test.want)
			}
		})
	}
}

// A word's form finds the word in text.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{"climate changes", "C++", "agreed", "a's's!", "state-owned", "A股 etf", "100%", "dying skies", "ﬁsh’s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		for _, language := range []string{"zh", "en"} {
			form, err := Form(language, given)
			if err != nil {
				continue
			}
			if again, err := Form(language, form); err != nil || again != form {
				t.Fatalf("Form(%s, %q) = %q, and again %q, %v", language, given, form, again, err)
			}
			s, err := NewFor(language, []string{given})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{given, form} {
				if got := s.Words(text); !slices.Contains(got, form) {
					t.Fatalf("%s: Words(%q) = %q with the user word %q, want it to hold %q", language, text, got, given, form)
				}
			}
		}
	})
}

func FuzzStem(f *testing.F) {
	for _, seed := range []string{"agreed", "advertisements", "yyyy", "'s", "café", "sses", "o'neil's"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for word := range strings.FieldsSeq(Fold(text)) {
			if n, _ := wordLen(word); n < len(word) || n > maxWordBytes {
				continue // scan stems words only
			}
			got := stem(word)
			if got == "" || len(got) > len(word) || !utf8.ValidString(got) || stem(got) != got {
				t.Fatalf("stem(%q) = %q, and again %q", word, got, stem(got))
			}
		}
	})
}
