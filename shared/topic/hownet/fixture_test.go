package hownet

import (
	"os"
	"path/filepath"
	"testing"
)

// sample is the lexicon that comes with the project.
const sample = "../../../topics/sememes"

func loadSample(tb testing.TB) *Lexicon {
	tb.Helper()
	l, err := Load(sample)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// whole has two trees: thing (person (man, woman), tool (knife)) and act (cut,
// eat). "near" is in both.
const whole = `
0 thing|物 0
1 person|人 0
2 man|男 1
3 woman|女 1
4 tool|具 0
5 knife|刀 4
6 act|行 6
7 cut|切 6
8 eat|吃 6
9 near|近 4
10 near|近 6
`

// lexicon reads a glossary over the trees of whole.
func lexicon(tb testing.TB, glossary string) *Lexicon {
	tb.Helper()
	l, err := Load(folder(tb, map[string]string{"WHOLE.DAT": whole, "glossary.txt": glossary}))
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// folder writes files and returns their folder.
func folder(tb testing.TB, files map[string]string) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}
