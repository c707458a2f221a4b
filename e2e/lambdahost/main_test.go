//go:build linux

package lambdahost

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// binaries is the folder of the built functions of testdata.
var binaries string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "lambdahost-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir) //nolint:errcheck // it is temporary
		binaries = dir
		return m.Run()
	}())
}

// build builds the functions of testdata once: the processes of a fuzz test need none.
var build = sync.OnceValue(func() error {
	cmd := exec.CommandContext(context.Background(), "go", "build", "-tags", "lambda.norpc", "-o", binaries+"/",
		"./testdata/actor", "./testdata/badinit", "./testdata/batch")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build functions: %w\n%s", err, out)
	}
	return nil
})

// open returns a function of testdata that the test closes.
func open(t *testing.T, name string, opts Options) *Function {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	f, err := New(name, filepath.Join(binaries, name), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// eventually waits for a condition, and fails the test after a while.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// lines collects the output of functions.
type lines struct {
	mu  sync.Mutex
	all []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, p...)
	return len(p), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.all)
}
