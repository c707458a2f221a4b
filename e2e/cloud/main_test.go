//go:build linux

// Package cloud_test runs the functions' real binaries as Lambda runs them,
// over the wire protocols of SQS, DynamoDB and S3: an emulator at
// AWS_ENDPOINT_URL. `make test-aws` sets it up.
package cloud_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// functions is the folder of the functions' binaries, "" without an emulator.
var functions string

func TestMain(m *testing.M) {
	code, err := runTests(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e/cloud:", err)
		code = 1
	}
	os.Exit(code)
}

// runTests builds the programs once.
func runTests(m *testing.M) (code int, err error) {
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		return m.Run(), nil // every test skips
	}
	if functions, err = os.MkdirTemp("", "sluice-functions-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(functions)) }()
	programs := []string{"./functions/crawl", "./functions/clean", "./functions/seed", "./functions/keeper", "./cmd/sluice"}
	if err := build("../..", "ne,lambda.norpc", programs...); err != nil {
		return 0, err
	}
	if replay := filepath.Join(sharedPath(), "tools", "webreplay"); exists(replay) {
		if err := build(replay, "ne", "."); err != nil {
			return 0, err
		}
	}
	return m.Run(), nil
}

func build(dir, tags string, programs ...string) error {
	args := append([]string{"build", "-C", dir, "-trimpath", "-ldflags=-s -w", "-tags", tags, "-o", functions + string(os.PathSeparator)}, programs...)
	cmd := exec.CommandContext(context.Background(), "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %v: %w\n%s", programs, err, out)
	}
	return nil
}

// sharedPath is the folder of the frozen webs and their server: SLUICE_SHARED,
// or "shared" beside the repository.
func sharedPath() string {
	if dir := os.Getenv("SLUICE_SHARED"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "shared")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
