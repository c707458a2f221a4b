package quality

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The reference has the rules as they are.
func TestReference(t *testing.T) {
	reference, err := os.ReadFile("../../../docs/quality.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString("| rule | signal | wants at | from | zh | en | others |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for i := range catalogue {
		rule := &catalogue[i]
		bound := "most"
		if rule.least {
			bound = "least"
		}
		fmt.Fprintf(&want, "| `%s` | %s | %s | %d | %s | %s | %s |\n", rule.name, rule.signal, bound, rule.from,
			column(rule, chinese), column(rule, english), column(rule, anyLanguage))
	}
	if !strings.Contains(string(reference), want.String()) {
		t.Errorf("docs/quality.md lacks this table:\n%s", want.String())
	}
}

func column(r *rule, language string) string {
	if threshold, known := r.in(language); known {
		return number(threshold)
	}
	return "-"
}
