package extsort

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

func sorted[T any](t *testing.T, kind Kind[T], limit int, values []T) (got []T) {
	t.Helper()
	dir := t.TempDir()
	s := New(kind, dir, limit)
	for _, x := range values {
		if err := s.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	for x, err := range s.Sorted() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, x)
	}
	if s.Count() != int64(len(values)) {
		t.Errorf("count %d, want %d", s.Count(), len(values))
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return got
}

func TestNumbers(t *testing.T) {
	for _, held := range []int{1, 7, 1000} {
		draw := rand.New(rand.NewPCG(1, 2))
		var values []uint64
		for range 500 {
			values = append(values, draw.Uint64N(400))
		}
		got := sorted(t, Numbers, held, values)
		if slices.Sort(values); !slices.Equal(got, values) {
			t.Errorf("held %d: %v, want %v", held, got, values)
		}
	}
}

func TestLines(t *testing.T) {
	for _, limit := range []int{1, 100, 1 << 20} {
		var lines [][]byte
		var want []string
		for i := range 300 {
			line := fmt.Sprintf("%x\n", (i*7919)%997)
			lines, want = append(lines, []byte(line)), append(want, line)
		}
		slices.Sort(want)
		var got strings.Builder
		for _, line := range sorted(t, Lines, limit, lines) {
			got.Write(line)
		}
		if got.String() != strings.Join(want, "") {
			t.Errorf("limit %d: %q", limit, got.String())
		}
	}
}

// An error of the file is the last value, and does not hang.
func TestReadError(t *testing.T) {
	s := New(Numbers, t.TempDir(), 1)
	for x := range uint64(5) {
		if err := s.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.file.Truncate(12); err != nil { // in the middle of a number
		t.Fatal(err)
	}
	var last error
	for _, err := range s.Sorted() {
		last = err
	}
	if last == nil {
		t.Error("a file that was cut is no error")
	}
	_ = s.Close()
}
