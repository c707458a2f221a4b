package wordpairs

import (
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/metric"
	"sluice/shared/evaldata"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// newSimilarity has the lexicon of the project, and vectors of words that
// it does not cover, but for 医生.
func newSimilarity(t *testing.T) *compile.Similarity {
	t.Helper()
	vectors, err := wordvec.Read(strings.NewReader("4 2\n雪山 1 0\n冰川 0.8 0.6\n沙漠 -0.6 0.8\n医生 0.6 0.8\n"))
	if err != nil {
		t.Fatal(err)
	}
	lexicon, err := hownet.Load("../../../topics/sememes")
	if err != nil {
		t.Fatal(err)
	}
	return &compile.Similarity{Th1: 0.25, Th2: 0.5, Alpha: 0.5, Beta: 0.5, Vectors: vectors, HowNet: lexicon}
}

func TestCorrelate(t *testing.T) {
	s := newSimilarity(t)
	pairs := []Pair{
		{"医生", "大夫", 1},    // SimH 1; 大夫 has no vector, nor a word to compose it from
		{"雪山", "冰川", 0.75}, // SimD 0.8
		{"雪山", "沙漠", 0.5},  // SimD -0.6
		{"雪山", "冰山", 0.25}, // 冰山 is composed
		{"医生", "无", 0},     // 无 is unknown to both
	}
	got := Correlate(pairs, s)
	d, ok := s.Vectors.Cosine("雪山", "冰山")
	if !ok || d < 0.5 {
		t.Fatalf("SimD of 雪山 and 冰山 is %v", d)
	}
	people := []float64{1, 0.75, 0.5, 0.25, 0}
	want := Row{
		Pairs: 5, HowNet: 1, Vectors: 3, Composed: 1,
		SimH: agreement([]float64{1, 0, 0, 0, 0}, people),
		SimD: agreement([]float64{0, 0.8, -0.6, d, 0}, people),
		Sim:  agreement([]float64{0.5, 0.4, 0, 0.5 * d, 0}, people),
	}
	near := cmp.Comparer(func(a, b metric.Number) bool { return math.Abs(float64(a-b)) < 1e-6 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}

// Without a source its similarity is 0, which goes with nothing.
func TestCorrelateWithoutSources(t *testing.T) {
	got := Correlate([]Pair{{"医生", "大夫", 1}, {"医院", "医院", 2}}, &compile.Similarity{})
	if got.HowNet != 0 || got.Vectors != 0 || !math.IsNaN(float64(got.SimH.Pearson)) || !math.IsNaN(float64(got.SimD.Pearson)) {
		t.Errorf("row is %+v", got)
	}
	if got.Sim.Pearson != 1 { // a word with itself
		t.Errorf("Pearson of Sim is %v, want 1", got.Sim.Pearson)
	}
}

func TestTable5(t *testing.T) {
	s := newSimilarity(t)
	pairs := []Drawn{
		{"医生", "大夫", true},
		{"雪山", "冰川", true}, // Sim 0.4
		{"雪山", "医生", false},
		{"冰川", "沙漠", false},
	}
	// 雪山 and 医生 have Sim 0.3, by their vectors.
	if diff := cmp.Diff(Accuracy{0.25, 0.5, 0.75, 1, 0.5}, Judge(pairs, s)); diff != "" {
		t.Errorf("as it is (-want +got):\n%s", diff)
	}
	grid := Table5(pairs, s)
	for _, tc := range []struct {
		name string
		i, j int
		want Accuracy
	}{
		{"a higher bar", 3, 5, Accuracy{0.3, 0.5, 0.75, 1, 0.5}},
		{"above the others", 4, 5, Accuracy{0.4, 0.5, 1, 1, 0}},
		{"above the vectors", 5, 5, Accuracy{0.5, 0.5, 0.75, 0.5, 0}},
		{"nothing is small", 0, 0, Accuracy{0, 0, 0.75, 1, 0.5}},
	} {
		if diff := cmp.Diff(tc.want, grid[tc.i][tc.j]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	if len(grid) != 10 || len(grid[9]) != 10 || s.Th1 != 0.25 {
		t.Errorf("%d rows, %d columns, Th1 now %v", len(grid), len(grid[9]), s.Th1)
	}
}

// TestShipped holds what the shipped constants were chosen for, as far as
// HowNet alone has a part in it.
func TestShipped(t *testing.T) {
	lexicon, err := hownet.Load(evaldata.Path(t, "data/hownet"))
	if err != nil {
		t.Fatal(err)
	}
	s := compile.DefaultSimilarity()
	s.HowNet = lexicon

	pairs := readShared(t, "wordsim/mc30_zh.tsv", Read)
	if row := Correlate(pairs, &s); row.HowNet != 30 || row.SimH.Pearson < 0.69 {
		t.Errorf("MC30: %d pairs, Pearson %v, want 30 with at least 0.69", row.HowNet, row.SimH.Pearson)
	}
	thesaurus := readShared(t, "cilin/CoreSynonym.txt", ReadThesaurus)
	for _, seed := range []uint64{1, 2, 3} {
		drawn, err := thesaurus.Eligible(lexicon.Covers).Draw(420, seed)
		if err != nil {
			t.Fatal(err)
		}
		if a := Judge(drawn, &s); a.Share < 0.79 {
			t.Errorf("seed %d: accuracy is %v, want at least 0.79", seed, a.Share)
		}
	}
}

// readShared reads a file of evaluation data.
func readShared[T any](t *testing.T, name string, read func(io.Reader) (T, error)) T {
	t.Helper()
	f, err := os.Open(evaldata.Path(t, "data/"+name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	result, err := read(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}
