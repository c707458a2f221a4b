//go:build linux

// Package cloud_test runs the functions' real binaries as Lambda runs them,
// over the wire protocols of SQS, DynamoDB and S3: an emulator at
// AWS_ENDPOINT_URL. `make test-aws` sets it up.
package cloud_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"sluice/e2e/programs"
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
	flags := []string{"-trimpath", "-ldflags=-s -w"}
	err = programs.Build(functions, "../..", append(flags, "-tags", "ne,lambda.norpc"), "./functions/crawl", "./functions/clean", "./functions/seed", "./functions/keeper", "./functions/render", "./functions/structure", "./cmd/sluice")
	if err != nil {
		return 0, err
	}
	if err := programs.Replay(functions, programs.Shared("../.."), append(flags, "-tags", "ne")); err != nil {
		return 0, err
	}
	return m.Run(), nil
}
