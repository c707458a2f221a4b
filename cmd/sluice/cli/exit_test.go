package cli

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
	"sluice/shared/topic"
)

func TestExitCode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, ExitDone},
		{"any", errors.New("disk full"), ExitFailed},
		{"interrupted", fmt.Errorf("crawl: %w", ErrStopped), ExitStopped},
		{"flag", Usage(errors.New("--delay is -1s")), ExitUsage},
		{"one of many", errors.Join(errors.New("disk full"), Usage(errors.New("--delay is -1s"))), ExitUsage},
		{"topic file", topic.Problems{{File: "a.yaml", Message: "no"}}, ExitUsage},
		{"folder in use for another crawl", fmt.Errorf("open: %w", local.ErrOther), ExitUsage},
		{"file of the user in the folder", fmt.Errorf("open: %w", local.ErrForeign), ExitUsage},
		{"no contact", fmt.Errorf("open: %w", local.ErrNoContact), ExitUsage},
	} {
		if got := ExitCode(test.err); got != test.want {
			t.Errorf("%s: exit code %d, want %d", test.name, got, test.want)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"none", nil, ""},
		{"any", errors.New("disk full"), "sluice: disk full\n"},
		{"many", errors.Join(errors.New("a\n\tb\n\nc"), errors.New("d")), "sluice: a\nsluice: b\nsluice: c\nsluice: d\n"},
		{"wrong usage", Usage(errors.New("DIR is missing")), "sluice: DIR is missing\nsluice: see sluice status --help\n"},
		{"hostile", errors.New("open \x1b]0;title\x07: \u202egnp"), "sluice: open \ufffd]0;title\ufffd: \ufffdgnp\n"},
	} {
		var w bytes.Buffer
		Report(&w, "sluice status", test.err)
		if diff := cmp.Diff(test.want, w.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
