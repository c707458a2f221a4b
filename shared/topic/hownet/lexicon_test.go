package hownet

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"
)

func TestLoadSample(t *testing.T) {
	l := loadSample(t)
	if odd := l.Oddities(); len(odd) > 0 {
		t.Errorf("oddities: %v", odd)
	}
	if n := len(l.Words()); n < 300 {
		t.Errorf("%d words", n)
	}
	if !l.Covers("银行") || l.Covers("無") || l.Covers("") {
		t.Error("Covers is wrong")
	}
}

func TestWordsAreFolded(t *testing.T) {
	l := lexicon(t, "刀具/N/knife|刀\n經濟/N/act|行\nＧＤＰ/N/tool|具\n经济/V/cut|切\n")
	if diff := cmp.Diff([]string{"gdp", "刀具", "经济"}, l.Words()); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	// Both lines are concepts of one word.
	for _, other := range []string{"act|行", "cut|切"} {
		l := lexicon(t, "經濟/N/act|行\n经济/V/cut|切\n丙/N/"+other)
		if sim, _ := l.Similarity("经济", "丙"); sim != 1 {
			t.Errorf("%s: %v", other, sim)
		}
	}
}

// TestFormats reads the same lexicon in all the forms that copies of HowNet
// have.
func TestFormats(t *testing.T) {
	const slashes = "刀/N/knife|刀,*cut|切\n人/N /person|人,(the Coast|岸)\nair hostess/N/woman|女\n"
	const tabs = "刀                  \tN    \tknife|刀,*cut|切\n人\tN  person|人,(the Coast|岸)\nair hostess \tN\twoman|女\n"
	const spaces = "刀                   N     knife|刀,*cut|切\n人 N   person|人,(the Coast|岸)\n"
	gb := func(s string) string {
		encoded, err := simplifiedchinese.GB18030.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return encoded
	}
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"slashes", map[string]string{"glossary.txt": slashes}, []string{"air hostess", "人", "刀"}},
		{"tabs", map[string]string{"glossary.dat": tabs}, []string{"air hostess", "人", "刀"}},
		{"tabs in .txt", map[string]string{"glossary.txt": tabs}, []string{"air hostess", "人", "刀"}},
		{"spaces", map[string]string{"glossary.dat": spaces}, []string{"人", "刀"}},
		{"names in upper case", map[string]string{"GLOSSARY.DAT": tabs}, []string{"air hostess", "人", "刀"}},
		{"both: .txt counts", map[string]string{"glossary.txt": "吃/V/eat|吃", "glossary.dat": tabs}, []string{"吃"}},
		{"CR LF and mark", map[string]string{"glossary.txt": "\uFEFF" + crlf(slashes)}, []string{"air hostess", "人", "刀"}},
		{"GB18030", map[string]string{"glossary.dat": gb(crlf(tabs)), "WHOLE.DAT": gb(crlf(whole))}, []string{"air hostess", "人", "刀"}},
		{"word is a slash", map[string]string{"glossary.txt": "//PUNC/{cut|切}"}, []string{"/"}},
		{"slash in a definition", map[string]string{"glossary.txt": "人/N/person|人,(km/h|时速)"}, []string{"人"}},
		{"blank lines", map[string]string{"glossary.txt": "\n \n人/N/person|人\n\n"}, []string{"人"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, ok := tt.files["WHOLE.DAT"]; !ok {
				tt.files["WHOLE.DAT"] = whole
			}
			l, err := Load(folder(t, tt.files))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, l.Words()); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
			if !l.Covers("刀") {
				return
			}
			e, _ := l.Explain("刀", "人")
			if diff := cmp.Diff([]string{"knife|刀,*cut|切", "person|人,(the Coast|岸)"}, []string{e.A, e.B}); diff != "" {
				t.Errorf("definitions (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoadRefusesFolders(t *testing.T) {
	tests := []struct {
		name string
		dir  func(t *testing.T) string
		want string // in the error
	}{
		{"no folder", func(t *testing.T) string { return filepath.Join(t.TempDir(), "none") }, "none"},
		{"nothing in it", func(t *testing.T) string { return t.TempDir() }, "no WHOLE.DAT in"},
		{"no glossary", func(t *testing.T) string { return folder(t, map[string]string{"WHOLE.DAT": whole}) },
			"no glossary.txt or glossary.dat in"},
		{"a folder for a file", func(t *testing.T) string {
			dir := folder(t, map[string]string{"WHOLE.DAT": whole})
			if err := os.Mkdir(filepath.Join(dir, "glossary.txt"), 0o700); err != nil {
				t.Fatal(err)
			}
			return dir
		}, "is not a file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Load(tt.dir(t)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestLoadReportsProblems(t *testing.T) {
	_, err := Load(folder(t, map[string]string{"WHOLE.DAT": whole, "glossary.txt": strings.Repeat("人\n", 25)}))
	problems, ok := errors.AsType[*Problems](err)
	if !ok {
		t.Fatalf("error is %v", err)
	}
	if len(problems.List) != 20 || problems.More != 5 || problems.List[19].Line != 20 {
		t.Errorf("problems are %+v", problems)
	}
	if text := err.Error(); !strings.HasPrefix(text, "read glossary:\n") ||
		!strings.Contains(text, "glossary.txt:20: missing fields") || !strings.HasSuffix(text, "\nand 5 more problems") {
		t.Errorf("error reads %s", text)
	}
}

func TestSimilarityIsSafeForConcurrentUse(t *testing.T) {
	l := loadSample(t)
	words := l.Words()
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			column := l.Column(words[g])
			for _, word := range words {
				in, _ := column.Similarity(word)
				if sim, ok := l.Similarity(word, words[g]); !ok || sim != in {
					t.Errorf("%s, %s: %v, %v", word, words[g], sim, ok)
				}
			}
		})
	}
	group.Wait()
}

func TestColumnOfUnknownWords(t *testing.T) {
	l := loadSample(t)
	column := l.Column("无此词")
	if column != nil {
		t.Fatalf("column is %v", column)
	}
	if sim, ok := column.Similarity("银行"); sim != 0 || ok {
		t.Errorf("nil column: %v, %v", sim, ok)
	}
	if sim, ok := l.Column("银行").Similarity("无此词"); sim != 0 || ok {
		t.Errorf("word that is not covered: %v, %v", sim, ok)
	}
}
