package optout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDirectives(t *testing.T) {
	tests := []struct {
		name   string
		values []string
		want   []string
	}{
		{"nothing", nil, nil},
		{"list", []string{"NoIndex, nofollow ,,noarchive"}, []string{"noindex", "nofollow", "noarchive"}},
		{"other separators", []string{"noindex nofollow;noai，noimageai"}, []string{"noindex", "nofollow", "noai", "noimageai"}},
		{"with hyphens", []string{"no-ai, NO-INDEX, no-one, max-snippet:-1"}, []string{"noai", "noindex", "no-one", "max-snippet:-1"}},
		{"none", []string{"none, noindex"}, []string{"noindex", "nofollow"}},
		{"several fields", []string{"noai", "NOAI, noimageai"}, []string{"noai", "noimageai"}},
		{"for others", []string{"googlebot: noindex, noarchive", "nosnippet"}, []string{"nosnippet"}},
		{"for us", []string{"otherbot: noindex, Sluice: noarchive, nofollow"}, []string{"noarchive", "nofollow"}},
		{"for all", []string{"googlebot: noindex, *: noai"}, []string{"noai"}},
		{"space before the colon", []string{"googlebot : noindex"}, nil},
		{"no space behind it", []string{"sluice:noindex"}, []string{"noindex"}},
		{"a value", []string{"max-snippet: 0, max-image-preview:large"}, []string{"max-snippet:0", "max-image-preview:large"}},
		{"a date", []string{"unavailable_after: 25 Jun 2010 15:00:00 PST, noai"}, []string{"unavailable_after:25 jun 2010 15:00:00 pst", "noai"}},
		{"a date with a comma", []string{"unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT, noai"}, []string{"unavailable_after:wed, 25 jun 2025 15:00:00 gmt", "noai"}},
		{"a date for others", []string{"otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"}, nil},
		{"what is known is no name", []string{"noai:1, noindex"}, []string{"noai", "noindex"}},
		{"with a version", []string{"sluice/1.0: noai", "otherbot/2.1: noindex/noarchive", "SLUICE/2 : noindex"}, []string{"noai", "noindex"}},
		{"quoted", []string{`"noai"`, `'noindex', “nofollow”`, `sluice: "noarchive"`, `"otherbot: nosnippet"`}, []string{"noai", "noindex", "nofollow", "noarchive"}},
		{"bars, slashes, 、", []string{"noai|noimageai", "noindex/nofollow、noarchive | nocache"}, []string{"noai", "noimageai", "noindex", "nofollow", "noarchive", "nocache"}},
		{"for others, with other separators", []string{"otherbot: noai|noindex/noarchive、nofollow"}, nil},
		{"others and us, with a bar", []string{"otherbot: noai | sluice: noindex"}, []string{"noindex"}},
		{"with an underscore", []string{"no_ai, No_Index, no_one"}, []string{"noai", "noindex", "no_one"}},
		{"in two words", []string{"no ai, no  index", "sluice: no archive", "no one, otherbot: no follow"}, []string{"noai", "noindex", "noarchive", "no", "one"}},
		{"full width", []string{"ｎｏａｉ，ＮＯＩＮＤＥＸ；ｎｏ－ａｒｃｈｉｖｅ", "ｏｔｈｅｒｂｏｔ：ｎｏｆｏｌｌｏｗ"}, []string{"noai", "noindex", "noarchive"}},
		{"with a value that says yes", []string{"noai=1, noindex: true", "no-archive = yes", "nofollow=on max-snippet:0"}, []string{"noai", "noindex", "noarchive", "nofollow", "max-snippet:0"}},
		{"with a value that says no", []string{"noai=0, noindex: false", "noarchive:no nofollow = off"}, nil},
		{"a value that is a directive", []string{"all: noai"}, []string{"all", "noai"}},
		{"a date with slashes", []string{"unavailable_after: 2010/06/25"}, []string{"unavailable_after:2010/06/25"}},
		{"known behind many", []string{many("x", 500) + "noai"}, append(strings.Split(strings.TrimSuffix(many("x", maxDirectives), ","), ","), "noai")},
		{"a long one", []string{strings.Repeat("a", 1000)}, []string{strings.Repeat("a", maxDirective)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Directives("sluice", tt.values...)); diff != "" {
				t.Errorf("directives (-want +got):\n%s", diff)
			}
		})
	}
}

// many returns n directives, each with a comma behind it.
func many(name string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(name + strings.Repeat("i", i%50) + string(rune('a'+i/50)) + ",")
	}
	return b.String()
}

func FuzzDirectives(f *testing.F) {
	f.Add("noindex, NONE; otherbot: noai，sluice : noarchive")
	f.Add("unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT, max-snippet: -1")
	f.Add(": :,:noai\xff")
	f.Add("sluice/1.0: \"no ai\"|no_index、ｎｏａｉ = 1/noarchive=0")
	f.Fuzz(func(t *testing.T, value string) {
		list := Directives("sluice", value)
		if len(list) > 2*maxDirectives {
			t.Errorf("%d directives", len(list))
		}
		for _, d := range list {
			if len(d) > maxDirective || d == "" || d == "none" || d != strings.ToLower(d) {
				t.Errorf("directive %q", d)
			}
		}
	})
}
