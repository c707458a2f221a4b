package limits_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

func TestParseOverride(t *testing.T) {
	for _, tt := range []struct {
		entry, want string // delay, pages and depth, or a part of the error
		in, out     string // a URL of the place, and one that is not
	}{
		{"forum.x.test delay=1.5s max_pages=200 max_depth=3", "1.5s 200 3", "http://forum.x.test/a", "http://x.test/a"},
		{"  x.test\tmax_depth=0 ", "- - 0", "http://a.x.test/", "http://y.test/"},
		{"/print/*  delay=0s", "0s - -", "http://y.test/print/1", "http://y.test/1"},
		{"regexp:a b=?c delay=24h max_pages=1", "24h0m0s 1 -", "", "http://y.test/"},
		{"https://x.test/dir/ max_pages=1000000000", "- 1000000000 -", "http://x.test/dir/b", "http://x.test/"},
		{"x.test", "want a place and what holds there", "", ""},
		{"", "want a place and what holds there", "", ""},
		{"delay=1s", "want a place and what holds there", "", ""},
		{"x.test dely=1s", "want a place and what holds there", "", ""},
		{"x.test dely=1s delay=1s", "want a host", "", ""},
		{"x.test delay=5", "delay=5: want a time from 0s to 24h0m0s", "", ""},
		{"x.test delay=-1s", "want a time", "", ""},
		{"x.test delay=25h", "want a time", "", ""},
		{"x.test max_pages=0", "max_pages=0: want a whole number from 1 to 1000000000", "", ""},
		{"x.test max_pages=1e3", "want a whole number", "", ""},
		{"x.test max_depth=-1", "max_depth=-1: want a whole number from 0 to 1000", "", ""},
		{"x.test max_depth=1 max_depth=2", "is given twice", "", ""},
		{"regexp:( delay=1s", "missing closing", "", ""},
		{"* delay=1s", "every URL", "", ""},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			o, err := limits.ParseOverride(tt.entry)
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
				return
			}
			got := text(o.Delay, time.Duration.String) + " " + text(o.MaxPages, itoa) + " " + text(o.MaxDepth, itoa)
			if got != tt.want || o.Entry != tt.entry {
				t.Errorf("override %q is %s, want %s", o.Entry, got, tt.want)
			}
			for url, want := range map[string]bool{tt.in: true, tt.out: false} {
				if u, err := urlnorm.Parse(url); err == nil && o.Contains(u) != want {
					t.Errorf("contains %s: %t, want %t", u, !want, want)
				}
			}
		})
	}
}

// The error of an entry quotes only its beginning.
func TestParseOverridesClips(t *testing.T) {
	long := strings.Repeat("a", 100_000)
	_, err := limits.ParseOverrides([]string{long, "x.test delay=" + long, long + "..b delay=1s"})
	if err == nil || len(err.Error()) > 1500 {
		t.Errorf("error of %d bytes", len(fmt.Sprint(err)))
	}
}

func text[V any](v *V, format func(V) string) string {
	if v == nil {
		return "-"
	}
	return format(*v)
}

func itoa(n int) string { return fmt.Sprint(n) }
