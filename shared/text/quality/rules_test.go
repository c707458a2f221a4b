package quality

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefaultKeepsProse(t *testing.T) {
	for _, test := range kept {
		t.Run(test.name, func(t *testing.T) {
			for _, f := range Default(test.language).Failures(measure(test.text)) {
				t.Errorf("%s: %s", f.Rule, f.Detail)
			}
		})
	}
}

func TestDefaultRejectsJunk(t *testing.T) {
	broken := make(map[string]bool)
	for _, test := range junk() {
		t.Run(test.name, func(t *testing.T) {
			var rules []string
			for _, f := range Default(test.language).Failures(measure(test.text)) {
				rules = append(rules, f.Rule)
				broken[f.Rule] = true
			}
			if !slices.Contains(rules, test.rule) {
				t.Errorf("broke %v, want %s among them, of %.80q", rules, test.rule, test.text)
			}
		})
	}
	for _, name := range Names() {
		if !broken[name] {
			t.Errorf("no text here breaks %s", name)
		}
	}
}

func TestCheck(t *testing.T) {
	slogans := measure(strings.Repeat("立即下载，领取红包！\n", 30))
	only := func(name string, setting Setting) Rules { return Rules{name: setting} }
	for _, test := range []struct {
		name         string
		rules        Rules
		signals      Signals
		rule, detail string
	}{
		{"no rules", nil, slogans, "", ""},
		{"the first that breaks", Default("zh"), slogans, "quality_short_lines", "short_lines is 1, want at most 0.95"},
		{"off", only("quality_short_lines", Setting{On: false, Threshold: 0.95}), slogans, "", ""},
		{"too few", only("quality_short_text", Setting{On: true, Threshold: 500}), slogans, "quality_short_text", "characters is 300, want at least 500"},
		{"just enough", only("quality_short_text", Setting{On: true, Threshold: 300}), slogans, "", ""},
		{"just not too much", only("quality_duplicate_sentences", Setting{On: true, Threshold: 0.9667}), slogans, "", ""},
		{"too short to judge", Default("zh"), measure("交通广播交通广播交通广播交通广播"), "quality_short_text", "characters is 16, want at least 20"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rule, detail := test.rules.Check(test.signals)
			if diff := cmp.Diff([]string{test.rule, test.detail}, []string{rule, detail}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefault(t *testing.T) {
	if diff := cmp.Diff(Default("zh"), Default("zh_Hant-TW")); diff != "" {
		t.Errorf("zh_Hant-TW differs from zh:\n%s", diff)
	}
	var off []string
	for _, name := range Names() {
		if !Default("de")[name].On {
			off = append(off, name)
		}
	}
	want := []string{"quality_han", "quality_language", "quality_stop_words", "quality_common_han", "quality_sentences"}
	if diff := cmp.Diff(want, off); diff != "" {
		t.Errorf("off in German (-want +got):\n%s", diff)
	}
	for _, language := range []string{"zh", "en", "", "x"} {
		rules := Default(language)
		if err := rules.Validate(); err != nil {
			t.Errorf("Default(%q): %v", language, err)
		}
		if len(rules) != len(Names()) {
			t.Errorf("Default(%q) has %d rules, want %d", language, len(rules), len(Names()))
		}
	}
}

func TestCatalogue(t *testing.T) {
	signals := keys(t, Signals{})
	names := make(map[string]bool)
	for _, rule := range catalogue {
		if names[rule.name] || !strings.HasPrefix(rule.name, "quality_") {
			t.Errorf("%s is no name, or there twice", rule.name)
		}
		names[rule.name] = true
		if _, ok := signals[rule.signal]; !ok {
			t.Errorf("%s looks at %s, which no record has", rule.name, rule.signal)
		}
	}
}

func TestParseRules(t *testing.T) {
	with := func(name string, setting Setting) Rules {
		rules := Default("zh")
		rules[name] = setting
		return rules
	}
	for _, test := range []struct {
		name     string
		settings map[string]any
		want     Rules
		problems []string
	}{
		{"nothing", nil, Default("zh"), nil},
		{"off", map[string]any{"quality_code": "off"}, with("quality_code", Setting{Threshold: 0.65}), nil},
		{"false", map[string]any{"quality_code": false}, with("quality_code", Setting{Threshold: 0.65}), nil},
		{"on", map[string]any{"quality_code": true}, Default("zh"), nil},
		{"a threshold", map[string]any{"quality_digits": 0.5}, with("quality_digits", Setting{On: true, Threshold: 0.5}), nil},
		{"a count", map[string]any{"quality_short_text": uint64(200)}, with("quality_short_text", Setting{On: true, Threshold: 200}), nil},
		{"a whole number", map[string]any{"quality_digits": int64(1)}, with("quality_digits", Setting{On: true, Threshold: 1}), nil},
		{"unknown and out of range", map[string]any{"quality_cod": true, "quality_digits": 1.5, "quality_han": -1},
			nil, []string{`unknown rule "quality_cod": the rules are quality_short_text, `, "quality_digits is 1.5: write on, off or a number from 0 to 1", "quality_han is -1"}},
		{"no scalar", map[string]any{"quality_digits": []any{1}, "quality_han": nil, "quality_symbols": "yes", "quality_code": map[string]any{}},
			nil, []string{"quality_digits is [1]", "quality_han is <nil>", "quality_symbols is yes", "quality_code is map[]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseRules("zh", test.settings)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (err != nil) != (test.problems != nil) {
				t.Fatalf("error %v, want %v", err, test.problems)
			}
			for _, problem := range test.problems {
				if !strings.Contains(err.Error(), problem) {
					t.Errorf("error %v, want %q in it", err, problem)
				}
			}
		})
	}
}

// Rules that depend on the language can be switched on by a threshold alone.
func TestParseRulesOfOtherLanguages(t *testing.T) {
	rules, err := ParseRules("de", map[string]any{"quality_stop_words": 0.1})
	if err != nil || rules["quality_stop_words"] != (Setting{On: true, Threshold: 0.1}) {
		t.Errorf("rules %v, error %v", rules["quality_stop_words"], err)
	}
	_, err = ParseRules("de", map[string]any{"quality_stop_words": "on"})
	if err == nil || !strings.Contains(err.Error(), "quality_stop_words has no threshold for this language: write a number") {
		t.Errorf("error %v", err)
	}
}

func TestValidate(t *testing.T) {
	for name, rules := range map[string]Rules{
		"unknown":   {"quality_taste": {On: true}},
		"too large": {"quality_digits": {Threshold: 2}},
	} {
		if rules.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
