package structure

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// lxml, whose tree has no <tbody> but those that are written, selects the same
// regions and records.
func TestPathsWithLxml(t *testing.T) {
	t.Parallel()
	var cases bytes.Buffer
	for _, tt := range pages {
		page := whole(tt.page)
		for _, l := range Analyze(parse(t, page), nil).Lists {
			c := struct {
				Page        string   `json:"page"`
				XPath       string   `json:"xpath"`
				RecordXPath string   `json:"record_xpath"`
				Texts       []string `json:"texts"`
			}{page, l.XPath, l.RecordXPath, nil}
			for _, r := range l.Records {
				c.Texts = append(c.Texts, letters(r[0]))
			}
			if err := json.NewEncoder(&cases).Encode(c); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), pythonWithLxml(t), filepath.Join("..", "..", "infra", "pathcheck", "check.py"))
	cmd.Stdin = &cases
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("check.py: %v\n%s", err, b)
	}
}

// letters is the text of an element without white space.
func letters(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), "")
}

// pythonWithLxml finds the environment "readers", which CI creates if it is
// missing, or an installed lxml.
func pythonWithLxml(t *testing.T) string {
	t.Helper()
	root := filepath.Join("..", "..")
	if os.Getenv("CI") == "true" {
		if b, err := exec.CommandContext(t.Context(), filepath.Join(root, "infra", "venv"), "readers").CombinedOutput(); err != nil {
			t.Fatalf("make the environment of the readers: %v\n%s", err, b)
		}
	}
	own, err := filepath.Abs(filepath.Join(root, ".venv", "readers", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	for _, python := range []string{own, "python3"} {
		if exec.CommandContext(t.Context(), python, "-c", "import lxml.html").Run() == nil {
			return python
		}
	}
	t.Skip("no lxml: infra/venv readers installs it")
	return ""
}
