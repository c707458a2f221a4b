// Package short has long tests run a sample under `go test -short`, as `make race` does,
// and `make test-aws` for the adapters. `make test` and `make nightly` run all of them.
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
