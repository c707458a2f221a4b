package fault_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sluice/shared/fault"
)

func TestAction(t *testing.T) {
	cause := errors.New("cause")
	for _, test := range []struct {
		name   string
		err    error
		action fault.Action
		delay  time.Duration
	}{
		{"unclassified", cause, fault.Again, time.Minute},
		{"retryable", fault.New(fault.Retryable, "timeout", cause), fault.Again, time.Minute},
		{"after", fault.NewAfter(time.Hour, "busy", cause), fault.Again, time.Hour},
		{"after a time that has passed", fault.NewAfter(-time.Hour, "busy", cause), fault.Again, 0},
		{"permanent", fault.New(fault.Permanent, "gone", cause), fault.Bury, 0},
		{"poison", fault.New(fault.Poison, "bad_task", cause), fault.Bury, 0},
		{"broken", fault.New(fault.Broken, "disk", cause), fault.Leave, 0},
	} {
		action, delay := fault.Of(test.err).Action(time.Minute)
		if action != test.action || delay != test.delay {
			t.Errorf("%s: action %d after %v, want %d after %v", test.name, action, delay, test.action, test.delay)
		}
	}
}

func TestCatch(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil)).With("task", "t1")
	err := fault.Catch(context.Background(), log, func() error { panic("boom") })
	if f := fault.Of(err); f.Class != fault.Retryable || f.Rule != fault.RulePanic || f.Error() != "panic: boom" {
		t.Errorf("panic became %v of class %v", err, f.Class)
	}
	for _, want := range []string{"task=t1", "panic=boom", "TestCatch"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("log %q lacks %q", out.String(), want)
		}
	}
	if err := fault.Catch(context.Background(), log, func() error { return nil }); err != nil {
		t.Errorf("no panic became %v", err)
	}
}
