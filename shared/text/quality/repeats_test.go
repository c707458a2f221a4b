package quality

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// naive counts what repeats does, in maps.
type naive struct {
	units []uint32
	sizes []int
}

func (n naive) again(length int) int {
	seen, covered := map[string]bool{}, make([]bool, len(n.units))
	for end := length; end <= len(n.units); end++ {
		key := fmt.Sprint(n.units[end-length : end])
		for i := end - length; seen[key] && i < end; i++ {
			covered[i] = true
		}
		seen[key] = true
	}
	sum := 0
	for i, is := range covered {
		if is {
			sum += n.sizes[i]
		}
	}
	return sum
}

// The 5-grams are those that counting all of them finds; of the 10-grams a few may
// be missing, none may be invented.
func TestRepeatsAgainstNaive(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		var n naive
		r := repeats{tables: new(tables)}
		alphabet := 2 + round%7
		for range 1 + random.IntN(300) {
			unit := uint32(random.IntN(alphabet))
			n.units, n.sizes = append(n.units, unit), append(n.sizes, 1+int(unit)%3)
			r.add(unit, 1+int(unit)%3)
		}
		r.flush()
		for i, length := range []int{long, longest} {
			got, want := r.again[i], n.again(length)
			if got > want || length == long && got != want {
				t.Fatalf("round %d: repeated %d-grams cover %d, want %d", round, length, got, want)
			}
		}
	}
}

// A text longer than a window is the sum of its windows.
func TestRepeatsAcrossWindows(t *testing.T) {
	r := repeats{tables: new(tables)}
	for i := range 3 * window {
		r.add(uint32(i%window), 1)
	}
	r.flush()
	if r.characters != 3*window || r.again != [2]int{} {
		t.Errorf("%d characters, again %v", r.characters, r.again)
	}
	for range window {
		r.add(7, 2)
	}
	r.flush()
	if r.again[0] != 2*(window-1) {
		t.Errorf("again %v", r.again)
	}
}
