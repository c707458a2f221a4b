package segment

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestRules holds the tokens of some texts to a golden file, whose first line is
// the fingerprint they were made with. Compiled topics rely on that: where
// tokens change, so has the fingerprint. Bump rulesVersion, or leave the tokens
// alone.
func TestRules(t *testing.T) {
	const file = "testdata/rules.golden"
	golden, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	before, wantTokens, _ := strings.Cut(string(golden), "\n")
	now := fmt.Sprintf("%+v", FingerprintOf("en"))
	tokens := rulesTokens(t)
	if tokens == wantTokens && now == before {
		return
	}
	if now == before {
		t.Fatalf("the tokens change but the fingerprint does not: bump rulesVersion (-want +got):\n%s", cmp.Diff(wantTokens, tokens))
	}
	if !*update {
		t.Fatalf("the fingerprint is\n%s, the golden file has\n%s: run go test -run TestRules -update\n%s", now, before, cmp.Diff(wantTokens, tokens))
	}
	if err := os.WriteFile(file, []byte(now+"\n"+tokens), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rulesTokens returns the tokens of the corpus; what is no content is in
// parentheses.
func rulesTokens(t *testing.T) string {
	t.Helper()
	corpus, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	user := []string{"大模型", "A股", "C++", "climate change", "state-owned banks"}
	var out strings.Builder
	for _, language := range []string{"zh", "en"} {
		s, err := NewFor(language, user)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(corpus)) {
			fmt.Fprintf(&out, "%s:", language)
			for token := range s.Tokens(line) {
				if token.Content {
					fmt.Fprintf(&out, " %s", token.Text)
				} else {
					fmt.Fprintf(&out, " (%s)", token.Text)
				}
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}

func TestFingerprint(t *testing.T) {
	chinese, english := FingerprintOf("zh-CN"), FingerprintOf("en-US")
	if chinese == english || FingerprintOf("de") != chinese || FingerprintOf("en") != english {
		t.Errorf("fingerprints tell other things apart than English from the rest: %+v, %+v", chinese, english)
	}
	english.Rules = chinese.Rules
	if chinese != english {
		t.Errorf("languages differ in more than the rules: %+v, %+v", chinese, english)
	}
	for _, hash := range []string{chinese.Dictionary, chinese.StopWords, chinese.PartsOfSpeech, chinese.Conversion} {
		if len(hash) != 16 {
			t.Errorf("hash %q has %d digits, want 16", hash, len(hash))
		}
	}
}
