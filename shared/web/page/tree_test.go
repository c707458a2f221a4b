package page

import (
	"fmt"
	"strings"
	"testing"
)

// Of what a tree is built, and how much the estimate reads.
func TestTreeBounds(t *testing.T) {
	tags := strings.Repeat("<p>x</p>", 21_000)
	heavy := "<b"
	for i := range 2_000 {
		heavy += fmt.Sprint(" a", i)
	}
	heavy += ">"
	tests := map[string]struct {
		html string
		tree bool
	}{
		"plain":                            {"<title>财经</title><p>x", true},
		"many elements":                    {tags, true},
		"too many elements":                {tags + tags, false},
		"many attributes":                  {heavy + heavy, false},
		"many roots":                       {strings.Repeat("<body>", 60), false},
		"mark-up in a script":              {tags + "<script>'" + tags + "'</script>", true},
		"mark-up in a comment":             {tags + "<!--" + tags + "-->", true},
		"mark-up in an attribute":          {tags + `<p title="` + tags + `">`, true},
		"mark-up in a script, with icons":  {"<svg></svg>" + tags + "<script>'" + tags + "'</script>", false},
		"behind icons":                     {"<svg></svg>" + tags + "<script>'" + strings.Repeat("x", 20_000) + "'</script>", true},
		"hidden in a foreign style":        {"<svg><style>" + heavy + heavy, false},
		"hidden in a section":              {"<math><![CDATA[><b a=']]>" + heavy + heavy + "'>", false},
		"tags in values":                   {nestedTags(4_000, 1<<20), true},
		"quotes that never close":          {strings.Repeat(`<b a="`, 20_001), true},
		"quotes that never close, by turn": {strings.Repeat(`<b a="<b a='`, 10_001), true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := Tree([]byte(tt.html)); (err == nil) != tt.tree {
				t.Errorf("error %v, want a tree: %v", err, tt.tree)
			}
			if _, _, read := estimate([]byte(tt.html)); read > len(tt.html) {
				t.Errorf("read %d bytes of attributes in a page of %d", read, len(tt.html))
			}
		})
	}
}

// The error of a page that is too large names the limit.
func TestTreeTooLarge(t *testing.T) {
	_, err := Tree(make([]byte, MaxTree+1))
	if err == nil || err.Error() != "the page is larger than 4 MiB" {
		t.Errorf("error %v", err)
	}
}

// nestedTags is a page of one tag, with what seem to be n more in its value,
// which is long.
func nestedTags(n, long int) string {
	return "<html><body>" + strings.Repeat("<b/a=", n) + strings.Repeat("x", long)
}
