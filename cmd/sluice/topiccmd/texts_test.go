package topiccmd

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/cmd/sluice/cli"
)

// numbers yields 0 to n-1, and then err unless it is nil.
func numbers(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

func TestInOrder(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name   string
		values int
		err    error
		take   int // results; 0: all
		want   int
	}{
		{"none", 0, nil, 0, 0},
		{"many", 1000, nil, 0, 1000},
		{"an error ends it", 100, broken, 0, 100},
		{"the caller has enough", 1000, nil, 10, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			var err error
			for square, e := range inOrder(numbers(tt.values, tt.err), func(n int) int { return n * n }) {
				if err = e; e != nil {
					continue // nothing may follow
				}
				if got = append(got, square); len(got) == tt.take {
					break
				}
			}
			var want []int
			for n := range tt.want {
				want = append(want, n*n)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			if tt.take == 0 && !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
		})
	}
}

// A source makes one pass at a time, so the old one has to be over.
func TestInOrderEndsWithItsCaller(t *testing.T) {
	over := false
	values := func(yield func(int, error) bool) {
		defer func() { over = true }()
		numbers(1000, nil)(yield)
	}
	for _, err := range inOrder(values, func(n int) int { return n }) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if !over {
		t.Error("the values are still being read")
	}
}

func TestMoreFiles(t *testing.T) {
	for _, tt := range []struct {
		name             string
		args, one, other []string
		want             []string // of one
		wrong            bool
	}{
		{name: "none", one: []string{"a"}, want: []string{"a"}},
		{name: "a pattern", args: []string{"b", "c"}, one: []string{"a"}, want: []string{"a", "b", "c"}},
		{name: "no list", args: []string{"b"}, wrong: true},
		{name: "two lists", args: []string{"b"}, one: []string{"a"}, other: []string{"c"}, want: []string{"a"}, wrong: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			one, other := slices.Clone(tt.one), tt.other
			if err := moreFiles(tt.args, &one, &other); cli.IsUsage(err) != tt.wrong {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(tt.want, one); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}
