package wordvec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// random returns vectors of pseudo-random directions around a common one, as
// trained ones are.
func random(words, dim int) *Vectors {
	random := rand.New(rand.NewPCG(1, 2))
	t := newTable(int64(words), dim)
	for i := range words {
		for range dim {
			t.values = append(t.values, float32(random.NormFloat64()+0.3))
		}
		if err := t.add(fmt.Sprintf("w%d", i)); err != nil {
			panic(err)
		}
	}
	return t.vectors()
}

func TestCosine(t *testing.T) {
	v := mustRead(t, "a 2 0\nb 0 3\nc 1 1\nd -1 0\nnull 0 0\nclimate_change 1 0\ntiny 1e-20 0\nhuge 1e15 1e15\n")
	tests := []struct {
		name, x, y string
		want       float64
		ok         bool
	}{
		{"itself", "c", "c", 1, true},
		{"right angle", "a", "b", 0, true},
		{"between", "a", "c", math.Sqrt2 / 2, true},
		{"opposite", "a", "d", -1, true},
		{"parallel", "a", "climate_change", 1, true},
		{"a phrase with a space", "climate change", "a", 1, true},
		{"large values", "huge", "c", 1, true},
		{"unknown", "a", "新闻", 0, false},
		{"unknown first", "新闻", "a", 0, false},
		{"unknown itself", "新闻", "新闻", 0, false},
		{"empty", "a", "", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := v.Cosine(tt.x, tt.y)
			if ok != tt.ok || math.Abs(got-tt.want) > 1e-6 || got > 1 || got < -1 {
				t.Errorf("Cosine = %v, %v; want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
	for _, word := range []string{"null", "tiny"} {
		if unit, known := v.Unit(word); known || !v.Has(word) {
			t.Errorf("Unit(%s) = %v, %v: want a row without direction to be unknown", word, unit, known)
		}
	}
}

func TestUnit(t *testing.T) {
	v := mustRead(t, "新闻 3 4\n记者 1 0\n")
	unit, known := v.Unit("新闻")
	if diff := cmp.Diff([]float32{0.6, 0.8}, unit, cmpopts.EquateApprox(0, 1e-6)); diff != "" || !known {
		t.Errorf("known %v (-want +got):\n%s", known, diff)
	}
	unit[0] = 7
	if again, _ := v.Unit("新闻"); again[0] == 7 {
		t.Error("the slice is not the caller's own")
	}
	for _, word := range []string{"闻记", "新新", "新闻记者", "新 闻"} {
		unit, known := v.Unit(word)
		if known || unit == nil || math.Abs(norm(unit)-1) > 1e-6 {
			t.Errorf("Unit(%s) = %v, %v: want a composed vector", word, unit, known)
		}
	}
	for _, word := range []string{"", " ", "天气", "xyz", "<", strings.Repeat("新闻", maxWord)} {
		if unit, known := v.Unit(word); known || unit != nil {
			t.Errorf("Unit(%.10q) = %v, %v: want nothing", word, unit, known)
		}
	}
}

func TestNearest(t *testing.T) {
	v := mustRead(t, "a 1 0\nb 0 1\nc 1 1\nd 2 0\ne 3 0\nnull 0 0\n新闻 1 1\n")
	half := math.Sqrt2 / 2
	tests := []struct {
		name, word string
		k          int
		want       []Neighbour
	}{
		{"first", "a", 1, []Neighbour{{"d", 1}}},
		{"equal ones by frequency", "a", 3, []Neighbour{{"d", 1}, {"e", 1}, {"c", half}}},
		{"all", "a", math.MaxInt, []Neighbour{{"d", 1}, {"e", 1}, {"c", half}, {"新闻", half}, {"b", 0}}},
		{"composed", "新旧", 1, nil},
		{"none asked for", "a", 0, nil},
		{"negative", "a", -1, nil},
		{"unknown", "zzz", 3, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := v.Nearest(tt.word, tt.k)
			if tt.name == "composed" {
				if len(got) != 1 {
					t.Errorf("Nearest = %v, want one word", got)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestNearestByDefinition compares the selection with a sort of everything.
func TestNearestByDefinition(t *testing.T) {
	v := random(500, 5)
	for _, k := range []int{1, 10, 100, 499, 500} {
		all := v.Nearest("w7", v.Len())
		if diff := cmp.Diff(all[:min(k, len(all))], v.Nearest("w7", k)); diff != "" {
			t.Errorf("k = %d (-want +got):\n%s", k, diff)
		}
		for i, n := range all {
			if c, _ := v.Cosine("w7", n.Word); math.Abs(c-n.Cosine) > 1e-6 || i > 0 && n.Cosine > all[i-1].Cosine {
				t.Fatalf("%d: %v, Cosine %v", i, n, c)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	v := mustRead(t, "新闻 3 4\n记者 1 0\n")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if c, ok := v.Cosine("新", "闻"); !ok || c < 0.9 {
				t.Errorf("Cosine = %v, %v", c, ok)
			}
			v.Nearest("记", 2)
		})
	}
	group.Wait()
}

func BenchmarkCosine(b *testing.B) {
	v := random(1000, 100)
	for b.Loop() {
		v.Cosine("w10", "w500")
	}
}

func BenchmarkNearest(b *testing.B) {
	v := random(20_000, 100)
	for b.Loop() {
		v.Nearest("w10", 10)
	}
}
