package opscmd

import "testing"

func TestParseBytes(t *testing.T) {
	for _, test := range []struct {
		in   string
		want int64
		bad  bool
	}{
		{in: "256MB", want: 256_000_000},
		{in: " 1.5 GiB ", want: 3 << 29},
		{in: "2gb", want: 2_000_000_000},
		{in: "100kb", want: 100_000},
		{in: "1MiB", want: 1 << 20},
		{in: "4096", want: 4096},
		{in: "7B", want: 7},
		{in: "", bad: true},
		{in: "MB", bad: true},
		{in: "-1MB", bad: true},
		{in: "NaN", bad: true},
		{in: "1e30GB", bad: true},
		{in: "1TB", bad: true},
	} {
		got, err := parseBytes(test.in)
		if (err != nil) != test.bad || got != test.want {
			t.Errorf("%q: %d, %v", test.in, got, err)
		}
	}
}

// Names of files do not write control codes to a terminal.
func TestASCIIOnly(t *testing.T) {
	if got := asciiOnly("a\x1b[2J上.warc"); got != "a?[2J?.warc" {
		t.Errorf("%q", got)
	}
}
