package sitecmd

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestRemoveScripts(t *testing.T) {
	tree, err := html.Parse(strings.NewReader("<a href=\"java\tscript:alert(1)\">a</a><a href=\"&#1; JavaScript:alert(1)\">b</a>" +
		`<svg><a><animate attributeName=href values="#;javascript:alert(1)"/></a></svg><p onclick="alert(1)">c</p><script>alert(1)</script>`))
	if err != nil {
		t.Fatal(err)
	}
	removeScripts(tree)
	var markup strings.Builder
	if err := html.Render(&markup, tree); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(markup.String(), "alert") {
		t.Errorf("scripts are left: %s", &markup)
	}
}
