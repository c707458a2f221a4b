package field_test

import (
	"fmt"
	"testing"

	"sluice/shared/structure/field"
)

// The parts of a date may stand apart, or say less than an attribute.
func TestDateOfParts(t *testing.T) {
	t.Parallel()
	for form, markup := range map[string]string{
		"a box":                   `<div class=date><b>%[1]d</b><span>Nov</span><i>2024</i></div>`,
		"the month below":         `<div class=date><b>%[1]d</b><span>2024-11</span></div>`,
		"a moment":                `<span class=date><time datetime="2024-11-%[1]dT09:00:00Z">3 days ago</time></span>`,
		"without a year":          `<time datetime="2024-11-%[1]d">Nov %[1]d</time>`,
		"two moments, one whole":  `<p class=date>2024-11-%[1]d <time datetime="2023-01-0%[2]d">long ago</time></p>`,
		"the day in a small font": `<p class=date>2024-11-<small>%[1]d</small></p>`,
	} {
		var pages []field.Page
		for n := range 4 {
			pages = append(pages, pageOf(t, fmt.Sprintf("<h1>The pump of well %d</h1>", n)+fmt.Sprintf(markup, 11+n, n+1)+"<p>The pump was repaired today.</p>"))
		}
		news := load(t, "news")
		x, err := field.NewExtractor(news, field.Analyze(news, pages))
		if err != nil {
			t.Fatal(err)
		}
		for n, p := range pages {
			if got, want := x.Extract(p)["date"].Date, fmt.Sprintf("2024-11-%d", 11+n); len(got) < 10 || got[:10] != want {
				t.Errorf("%s, page %d: date %q, want %s", form, n, got, want)
			}
		}
	}
}
