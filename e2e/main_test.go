// Package e2e_test runs the sluice program as its users do, on webs that log
// their requests: the demo web of the program, and frozen copies of real sites
// outside the repository (see sharedDir).
package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sluice/e2e/programs"
	"sluice/shared/short"
)

func TestMain(m *testing.M) {
	code, err := runTests(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

// runTests builds the programs once, into a folder at the front of PATH.
func runTests(m *testing.M) (code int, err error) {
	bin, err := os.MkdirTemp("", "sluice-e2e-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(bin)) }()
	if err := os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return 0, err
	}
	// The machine's own settings must not reach the crawls.
	for _, name := range []string{"SLUICE_CONTACT", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		if err := os.Unsetenv(name); err != nil {
			return 0, err
		}
	}
	flags := []string{"-tags", "ne"}
	if err := programs.Build(bin, "..", flags, "./cmd/sluice", "./e2e/plainloop"); err != nil {
		return 0, err
	}
	if err := programs.Replay(bin, programs.Shared(".."), flags); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// sharedDir skips the test if the folder is missing; CI must have it.
func sharedDir(t testing.TB) string {
	t.Helper()
	dir := programs.Shared("..")
	for _, need := range []string{filepath.Join("tools", "webreplay"), filepath.Join("webs", newsWeb)} {
		switch {
		case programs.Exist(filepath.Join(dir, need)):
		case os.Getenv("CI") == "true":
			t.Fatalf("%s is not in %s (set SLUICE_SHARED)", need, dir)
		default:
			t.Skipf("%s is not in %s (set SLUICE_SHARED)", need, dir)
		}
	}
	return dir
}

// long marks a test that takes more than a few seconds, most of them waiting.
func long(t *testing.T) {
	t.Helper()
	short.Skip(t, "takes long")
	t.Parallel()
}
