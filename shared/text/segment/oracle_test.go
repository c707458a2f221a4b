package segment

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"sluice/shared/evaldata"
	"sluice/shared/short"

	"github.com/go-ego/gse"
)

// oracle is gse with our dictionary.
var oracle = sync.OnceValues(func() (*gse.Segmenter, error) {
	g := &gse.Segmenter{NotLoadHMM: true, SkipLog: true}
	return g, g.LoadDictStr(unpack(wordsFile))
})

// sameAsOracle compares the cuts of a run with gse's and returns their number.
func sameAsOracle(t *testing.T, run string) int {
	t.Helper()
	g, err := oracle()
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	var p path
	for _, s := range p.find(run, &dictionary().trie, nil) {
		got = append(got, run[s.start:s.end])
	}
	for _, s := range g.Segment([]byte(run)) {
		want = append(want, run[s.Start():s.End()])
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q is cut %q, by gse %q", run, got, want)
	}
	return len(got)
}

// Random runs: words of the dictionary, some of them in part, one after the
// other, with characters and Latin words between them.
func TestCutsLikeGse(t *testing.T) {
	var words []string
	for line := range strings.Lines(unpack(wordsFile)) {
		word, _, _ := strings.Cut(line, " ")
		words = append(words, word)
	}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func() string { return words[random.IntN(len(words))] }
	for range 20_000 {
		var run strings.Builder
		run.WriteString("中")
		for range random.IntN(8) {
			switch word := []rune(pick()); random.IntN(8) {
			case 0:
				run.WriteString("ab1")
			case 1:
				run.WriteString(string(rune(hanStart + random.IntN(hanEnd-hanStart-1))))
			case 2:
				run.WriteString(string(word[:1+random.IntN(len(word))]))
			case 3:
				run.WriteString("𠮷〇a" + string(word[random.IntN(len(word)):]))
			default:
				run.WriteString(string(word))
			}
		}
		sameAsOracle(t, run.String())
	}
}

// runs returns what scan would hand to the dictionary, or nearly.
func runs(text string) []string {
	all := strings.FieldsFunc(Fold(text), func(r rune) bool {
		return !isHan(r) && !('a' <= r && r <= 'z') && !('0' <= r && r <= '9')
	})
	return slices.DeleteFunc(all, func(run string) bool { return strings.IndexFunc(run, isHan) < 0 })
}

func TestCutsLikeGseOnRealText(t *testing.T) {
	short.Skip(t, "reads 8 MB")
	tokens := 0
	for _, name := range []string{"newsspider", "linuxcn", "laws", "cpc"} {
		text, err := io.ReadAll(io.LimitReader(evaldata.Open(t, "data/text/"+name+".txt.zst"), 2<<20))
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range runs(string(text)) {
			tokens += sameAsOracle(t, run)
		}
	}
	if tokens < 500_000 {
		t.Errorf("compared %d tokens, want 500,000 and more", tokens)
	}
	t.Logf("%d tokens are cut as by gse", tokens)
}

func FuzzCut(f *testing.F) {
	for _, seed := range []string{"南京市长江大桥", "研究生命的起源", "a股b超5g手机", "𠮷〇々一", "a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, run := range runs(text) {
			sameAsOracle(t, run)
		}
	})
}
