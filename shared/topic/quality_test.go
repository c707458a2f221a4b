package topic

import (
	"strings"
	"testing"

	"sluice/shared/text/quality"
)

// Topics of earlier crawls may name rules that are gone: they still open, and
// other names are refused as before.
func TestRetiredRules(t *testing.T) {
	const start = "name: x\nwords:\n  - 股票\nquality:\n"
	for _, name := range quality.Retired {
		f, err := Parse("x.yaml", []byte(start+"  "+name+": off\n  quality_han: 0.3\n"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(f.Quality) != 1 || f.Quality["quality_han"] != 0.3 {
			t.Errorf("%s: rules %v", name, f.Quality)
		}
	}
	_, err := Parse("x.yaml", []byte(start+"  quality_nothing: off\n"))
	if err == nil || !strings.Contains(err.Error(), "quality_han") || strings.Contains(err.Error(), quality.Retired[0]) {
		t.Errorf("of an unknown rule: %v", err)
	}

	c := money(t)
	c.File.Quality = map[string]any{quality.Retired[0]: false, "quality_han": 0.25}
	back, err := decode(encode(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if len(back.File.Quality) != 1 || back.File.Quality["quality_han"] != 0.25 {
		t.Errorf("of a compiled topic: rules %v", back.File.Quality)
	}
}
