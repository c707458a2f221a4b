package opscmd

import "testing"

func TestRuleInWords(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"robots":         "robots: robots.txt forbids it",
		"redirect_scope": "redirect_scope: it redirects to a skipped page: outside of the topic's scope, or not allowed without a contact",
		"redirect_what":  "redirect_what",
		"http_404":       "http_404",
	} {
		if got := ruleInWords(rule); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}
