// Package short samples tests under `go test -short`, with which `make race` runs, and
// `make test-aws` the adapters. `make test` and `make nightly` run all of them.
package short

import "testing"

// Skip skips a test under -short.
func Skip(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: " + why)
	}
}

// Every returns the step by which a test goes through its cases: 1, or n under
// -short.
func Every(t testing.TB, n int) int {
	t.Helper()
	if !testing.Short() {
		return 1
	}
	t.Logf("-short: one case of %d", n)
	return n
}

// Of returns how much of something a test does: all, or under -short few.
func Of(t testing.TB, all, few int) int {
	t.Helper()
	if !testing.Short() {
		return all
	}
	t.Logf("-short: %d instead of %d", few, all)
	return few
}
