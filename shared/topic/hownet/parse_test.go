package hownet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSememesRefuses(t *testing.T) {
	var many strings.Builder
	for i := range maxSememes + 2 {
		fmt.Fprintf(&many, "%d s%d|义%d 0\n", i, i, i)
	}
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"W: no sememes: want lines of number, english|中文, number of the parent"}},
		{"fields missing", "0 a|甲 0\n1 b|乙\n", []string{"W:2: 2 fields: want number, english|中文, number of the parent"}},
		{"no numbers", "x a|甲 0", []string{`W:1: numbers "x" and "0": want those of the sememe and of its parent`}},
		{"number too large", "0 a|甲 99999999999999999999",
			[]string{`W:1: numbers "0" and "99999999999999999999": want those of the sememe and of its parent`}},
		{"half a name", "0 a 0", []string{`W:1: sememe "a": want english|中文 without marks, commas, brackets and =`}},
		{"a name no definition can have", "0 a|(甲) 0\n1 #b|乙 1\n", []string{
			`W:1: sememe "a|(甲)": want english|中文 without marks, commas, brackets and =`,
			`W:2: sememe "#b|乙": want english|中文 without marks, commas, brackets and =`,
		}},
		{"number twice", "0 a|甲 0\n\n0 b|乙 0\n", []string{"W:3: number 0 is already used in line 1: give each sememe its own"}},
		{"no such parent", "0 a|甲 0\n1 b|乙 7\n2 c|丙 -1\n", []string{
			"W:2: parent 7 does not exist: want the number of a sememe, its own for a root",
			"W:3: parent -1 does not exist: want the number of a sememe, its own for a root",
		}},
		{"circle", "0 a|甲 1\n1 b|乙 2\n2 c|丙 1\n3 d|丁 0\n",
			[]string{"W:2: sememe 1 is its own ancestor (1 → 2 …): correct a parent"}},
		{"two circles", "0 a|甲 1\n1 b|乙 0\n2 c|丙 3\n3 d|丁 2\n", []string{
			"W:1: sememe 0 is its own ancestor (0 → 1 …): correct a parent",
			"W:3: sememe 2 is its own ancestor (2 → 3 …): correct a parent",
		}},
		{"too many", many.String(), []string{"W:4097: too many sememes: want at most 4096, in 8192 places"}},
		{"UTF-16", "\xFF\xFE0\x00", []string{"W: is UTF-16: save it as UTF-8"}},
		{"no encoding", "0 a|甲 0\n1 b|\xFF\xFF 0\n",
			[]string{"W:2: neither UTF-8 nor GB18030: the file is damaged, get a fresh copy"}},
		{"a huge line", "0 a|甲 0\n" + strings.Repeat("x", 1<<20), []string{"W:2: a line of 1048576 bytes: want at most 4096"}},
		{"a huge file", strings.Repeat("\n", maxBytes+1), []string{"W: larger than 32 MiB: this is not a glossary"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseSememes(source{"W", []byte(tt.text)})
			if diff := cmp.Diff(strings.Join(tt.want, "\n"), fmt.Sprint(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseSememesInAnyOrder(t *testing.T) {
	s, err := parseSememes(source{"W", []byte("70 b|乙 9\n9 a|甲 9\n2000000000 c|丙 70\n")})
	if err != nil {
		t.Fatal(err)
	}
	if sim := s.near.similarity(s.byName["a|甲"], s.byName["c|丙"]); sim != edges(2) {
		t.Errorf("similarity is %v", sim)
	}
}

// TestDeepTree has sememes that are farther apart in one tree than sememes of
// different trees.
func TestDeepTree(t *testing.T) {
	var text strings.Builder
	for i := range maxSememes {
		fmt.Fprintf(&text, "%d s%d|义%d %d\n", i, i, i, max(i-1, 0))
	}
	s, err := parseSememes(source{"W", []byte(text.String())})
	if err != nil {
		t.Fatal(err)
	}
	if sim := s.near.similarity(0, maxSememes-1); sim != edges(maxSememes-1) {
		t.Errorf("similarity is %v", sim)
	}
}

func TestParseGlossaryRefuses(t *testing.T) {
	var concepts strings.Builder
	for i := range maxConcepts + 1 {
		fmt.Fprintf(&concepts, "人/N/person|人,(%d)\n", i)
	}
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"g.txt: no entries: want lines of word/POS/definition, or of the three separated by tabs"}},
		{"one field", "人", []string{"g.txt:1: missing fields: want word, part of speech and definition"}},
		{"two fields", "刀/N/knife|刀\n人/N\n", []string{"g.txt:2: missing fields: want word, part of speech and definition"}},
		{"empty fields", "人//person|人\n人/N/\n", []string{
			"g.txt:1: missing fields: want word, part of speech and definition",
			"g.txt:2: missing fields: want word, part of speech and definition",
		}},
		{"no word", "\u3000/N/person|人", []string{"g.txt:1: missing fields: want word, part of speech and definition"}},
		{"part of speech", "人/person|人/N", []string{`g.txt:1: part of speech "person|人": want letters, like N or ADJ`}},
		{"unknown sememes", "人/N/person|人,foo|吧\n刀/N/#foo|吧,bar\n", []string{
			`g.txt:1: sememe "foo|吧" is not in WHOLE.DAT (2 times): correct it, or add it there`,
			`g.txt:2: sememe "bar" is not in WHOLE.DAT: correct it, or add it there`,
		}},
		{"parenthesis", "人/N/person|人,(China\n刀/N/knife|刀),man|男\n男/N/man|男,((a)\n", []string{
			`g.txt:1: parentheses in definition "person|人,(China" do not match: want (word)`,
			`g.txt:2: parentheses in definition "knife|刀),man|男" do not match: want (word)`,
			`g.txt:3: parentheses in definition "man|男,((a)" do not match: want (word)`,
		}},
		{"behind a parenthesis", "人/N/person|人,(a)b", []string{`g.txt:1: item "(a)b": want a word in parentheses and nothing after it`}},
		{"empty parentheses", "人/N/person|人,()", []string{`g.txt:1: item "()": want a word in parentheses and nothing after it`}},
		{"braces", "和/CONJ/{cut|切\n与/CONJ/cut|切}\n及/CONJ/cut|切,{eat|吃}", []string{
			`g.txt:1: definition "{cut|切" begins with { and does not end with }`,
			`g.txt:2: brace in the midst of definition "cut|切}": want {…} around all of it`,
			`g.txt:3: brace in the midst of definition "cut|切,{eat|吃}": want {…} around all of it`,
		}},
		{"empty items", "人/N/person|人,,man|男\n刀/N/knife|刀,#\n吃/V/eat|吃,content=\n和/CONJ/{}\n", []string{
			"g.txt:1: empty item: want a sememe, english|中文, between two commas",
			"g.txt:2: empty item: want a sememe, english|中文, between two commas",
			"g.txt:3: empty item: want a sememe, english|中文, between two commas",
			"g.txt:4: empty item: want a sememe, english|中文, between two commas",
		}},
		{"no key", "吃/V/eat|吃,=man|男", []string{`g.txt:1: item "=man|男": want a key before =`}},
		{"too many items", "人/N/" + strings.Repeat("man|男,", maxItems) + "man|男",
			[]string{"g.txt:1: definition with 17 items: want at most 16"}},
		{"too many concepts", concepts.String(),
			[]string{`g.txt:65: word "人" has more than 64 concepts: this is not a glossary`}},
		{"a huge line", "人/N/person|人\n" + strings.Repeat("人", 1<<20), []string{"g.txt:2: a line of 3145728 bytes: want at most 4096"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := parseSememes(source{"W", []byte(whole)})
			if err != nil {
				t.Fatal(err)
			}
			_, err = parseGlossary(source{"g.txt", []byte(tt.text)}, s)
			if diff := cmp.Diff(strings.Join(tt.want, "\n"), fmt.Sprint(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOddities has the oddities of the published HowNet, which are tolerated.
func TestOddities(t *testing.T) {
	s, err := parseSememes(source{"W", []byte(whole)})
	if err != nil {
		t.Fatal(err)
	}
	text := "刀/N/knife|匕首\n剑/N/knife|匕首\n器/N/instrument|具\n//\n" + strings.Repeat("人/N/person|人\n", 997)
	for _, tt := range []struct {
		name, text  string
		wantProblem bool
	}{
		{"one in a thousand", text, false},
		{"two in a thousand", text + "乙/N/person|人,baz|无\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := parseGlossary(source{"g.txt", []byte(tt.text + "甲/N/person|人,foo|吧")}, s)
			if tt.wantProblem {
				want := `g.txt:1002: sememe "baz|无" is not in WHOLE.DAT: correct it, or add it there
g.txt:1003: sememe "foo|吧" is not in WHOLE.DAT: correct it, or add it there`
				if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
					t.Errorf("error (-want +got):\n%s", diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range l.Oddities() {
				got = append(got, p.Error())
			}
			want := []string{
				`g.txt:1: sememe "knife|匕首" is not in WHOLE.DAT (2 times): read as knife|刀`,
				`g.txt:3: sememe "instrument|具" is not in WHOLE.DAT: read as tool|具`,
				"g.txt:4: an entry without a word: skipped",
				`g.txt:1002: sememe "foo|吧" is not in WHOLE.DAT: read as a word of its own`,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("oddities (-want +got):\n%s", diff)
			}
			if sim, _ := l.Similarity("甲", "人"); sim != .5+.5*.2 {
				t.Errorf("similarity with a word of its own: %v", sim)
			}
		})
	}
}

func FuzzParseSememes(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("\uFEFF0 a|甲 1\r\n1 b|乙 0\r\n"))
	f.Add([]byte("0 a|\xBC\xD7 0\n"))
	f.Add([]byte("0 a|甲 0\n0 b|乙 9\nx"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseSememes(source{"W", data})
		if (s == nil) == (err == nil) {
			t.Fatalf("sememes %v, error %v", s, err)
		}
		if err != nil {
			return
		}
		for i := range int32(len(s.names)) {
			if sim := s.near.similarity(i, i); sim != 1 {
				t.Fatalf("%s with itself: %v", s.names[i], sim)
			}
			if there, back := s.near.similarity(0, i), s.near.similarity(i, 0); there != back || there <= 0 {
				t.Fatalf("%s: %v there, %v back", s.names[i], there, back)
			}
		}
	})
}

func FuzzParseGlossary(f *testing.F) {
	for _, text := range []string{
		"人/N/person|人,(China|中国),a=^man|男,^$cut|切\n刀/N/knife|刀",
		"和/CONJ/{cut|切}\n与/CONJ/{cut}\n//\n",
		"刀   \tN  \tknife|刀,location=<>\r\n",
		"人/N/person|人,man|男,tool|具\n甲/N/person|人,tool|具,knife|刀\n",
	} {
		f.Add("g.txt", []byte(text))
		f.Add("g.dat", []byte(text))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		s, err := parseSememes(source{"W", []byte(whole)})
		if err != nil {
			t.Fatal(err)
		}
		l, err := parseGlossary(source{name, data}, s)
		if (l == nil) == (err == nil) {
			t.Fatalf("lexicon %v, error %v", l, err)
		}
		if err != nil {
			return
		}
		words := l.Words()
		words = words[:min(len(words), 20)]
		for _, a := range words {
			column := l.Column(a)
			for _, b := range words {
				sim, ok := l.Similarity(a, b)
				back, _ := l.Similarity(b, a)
				in, _ := column.Similarity(b)
				if !ok || !(sim >= 0 && sim <= 1+1e-12) || sim != back || sim != in || a == b && sim != 1 {
					t.Fatalf("%q, %q: %v there, %v back, %v in the column", a, b, sim, back, in)
				}
			}
		}
	})
}
