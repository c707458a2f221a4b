package cli

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	if got := Wrap("  ", []string{"priority 833", "anchor 71"}); got != "  priority 833, anchor 71" {
		t.Errorf("short: %q", got)
	}
	var items []string
	for range 40 {
		items = append(items, "http_404 12")
	}
	lines := strings.Split(Wrap("  ", items), "\n")
	for _, line := range lines {
		if len(line) > PageWidth || !strings.HasPrefix(line, "  http") {
			t.Errorf("line %q", line)
		}
	}
	if len(lines) != 8 || strings.Count(strings.Join(lines, ""), "http_404 12") != 40 {
		t.Errorf("%d lines for 40 items: %q", len(lines), lines)
	}
}
