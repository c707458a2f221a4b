package topic

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/rank"
	"sluice/shared/rank/urlshape"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

func TestParse(t *testing.T) {
	const everything = `
name: finance-news
language: zh-TW
words:
  - 央行
  - 銀行: 1.5
  - {股市: 2}
  - "A股"
  - 2024
  - Climate  Change
related: [利率, 基点: 0.4]
adjust: {公司: 0.2, 央行: 0}
seeds: ["https://a.example/", "http://b.example/x?y=z"]
scope:
  mode: prefix
  allow: [c.example, "*.d.example"]
  deny: ["https://a.example/login/"]
thresholds: {description: 0, priority: 0.5, body: 0.04, anchor: 0}
weights: {alpha: 0, beta: 1, lambda: 0.4}
mean_weight: 0.7
structure: {d: 3, form: paper, sample: 7}
strategy: best-first
tunnel: 5
render: auto
archive: relevant
budgets: {max_pages: 1000, max_pages_per_host: 7, max_depth: 0, max_duration: 1h30m, overrides: [/tag/* delay=5s, a.example max_depth=2]}
`
	paper := urlshape.DefaultParams(urlshape.FormPaper)
	paper.D = 3
	for _, test := range []struct {
		name, text string
		want       *File
	}{
		{"everything", everything, &File{
			Name: "finance-news", Language: "zh-TW",
			Words: []Word{
				{Text: "央行", Weight: 0.7},
				{Text: "银行", Weight: 1.5, Given: true},
				{Text: "股市", Weight: 2, Given: true},
				{Text: "a股", Weight: 0.7},
				{Text: "2024", Weight: 0.7},
				{Text: "climate change", Weight: 0.7},
				{Text: "利率", Weight: 0.7, Related: true},
				{Text: "基点", Weight: 0.4, Given: true, Related: true},
			},
			Adjust: map[string]float64{"公司": 0.2, "央行": 0},
			Seeds:  []string{"https://a.example/", "http://b.example/x?y=z"},
			Scope: Scope{limits.Scope{
				Mode: urlnorm.ModePrefix, Allow: []string{"c.example", "*.d.example"},
				Deny: []string{"https://a.example/login/"},
			}},
			Thresholds: Thresholds{Description: 0, Priority: 0.5, Body: 0.04},
			Weights:    rank.Weights{Alpha: 0, Beta: 1, Lambda: 0.4},
			MeanWeight: 0.7,
			Strategy:   "best-first", Tunnel: 5, Render: RenderAuto, Archive: "relevant",
			Structure: Structure{Params: paper, Sample: 7},
			Budgets:   Budgets{limits.Limits{MaxPages: 1000, MaxPagesPerHost: 7, MaxDepth: 0, MaxDuration: 90 * time.Minute, Overrides: []string{"/tag/* delay=5s", "a.example max_depth=2"}}},
			Given: Given{
				Description: true, Priority: true, Body: true, Anchor: true,
				Alpha: true, Beta: true, Lambda: true, MeanWeight: true,
			},
		}},
		{"defaults", "\uFEFFname: x\r\nwords:\r\n- 央行\r\n", &File{
			Name: "x", Language: "zh", Words: []Word{{Text: "央行", Weight: 1}},
			Scope:      Scope{limits.Scope{Mode: urlnorm.ModeDomain}},
			Thresholds: Thresholds{Description: 0.06, Priority: 0.08, Body: 0.02},
			Weights:    rank.Weights{Alpha: 0.3, Beta: 0.8, Lambda: 0.06},
			MeanWeight: 1, Strategy: rank.Default, Implied: true,
			Structure: Structure{Params: urlshape.DefaultParams(urlshape.FormPath), Sample: 25},
			Budgets:   Budgets{limits.Limits{MaxPages: 10_000, MaxPagesPerHost: 5_000, MaxDepth: 50}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Parse("t.yaml", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
		})
	}
}

// Every problem is reported, in the order of the file, with its place.
func TestParseTellsAllProblems(t *testing.T) {
	const text = `name: A b
language: chinese!
words:
  - 央行
  - 央行: .nan
  - [x]
  - "——"
  -
  - 股市：1.5
  - 股票、基金
  - 银行: 2
adjust:
  银行: -1
seeds:
  - ftp://x
  - http://u:p@x/
scope: {mode: galaxy, deny: ["a b"]}
thresholds: {priority: 0}
weights:
  alpha: 2
  beta: .inf
  lambda: 0.2
  foo: 1
weights: {beta: 1}
structure: {form: foo, d: 0}
budgets: {max_pages: 1.5, max_duration: 12}
strategy: best
tunnel: 0
render: "yes"
archive: everything
`
	_, err := Parse("t.yaml", []byte(text))
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatalf("Parse = %v, want Problems", err)
	}
	want := []struct {
		line    int
		message string
	}{
		{1, "name is"}, {2, "language is"}, {5, "is repeated"}, {5, "above 0"}, {6, "must be a text"},
		{7, "not a word"}, {8, "must be a text"}, {9, "colon and a space"}, {10, "several words"},
		{13, "keep one"}, {13, "from 0 to 1000"}, {15, "whole http or https address"}, {16, "password"}, {17, "unknown scope mode"},
		{17, "deny entry"}, {18, "above 0"}, {20, "from 0 to 1"}, {21, "from 0 to 1"},
		{22, "lambda must be smaller"}, {23, "unknown key"}, {24, "is repeated"}, {25, "form is"},
		{25, "from 0.001"}, {26, "whole number"}, {26, "unit"},
		{27, "use one of adaptive, best-first, breadth-first, hybrid, neighborhood, pagerank, semantic, shark-search"}, {28, "from 1 to 1000"}, {29, "use never, auto or always"}, {30, "use kept, relevant or all"},
	}
	for i, problem := range problems {
		if i >= len(want) {
			t.Errorf("also: %v", problem)
			continue
		}
		if problem.Line != want[i].line || !strings.Contains(problem.Message, want[i].message) || problem.Column < 1 {
			t.Errorf("problem %d is %v, want line %d: %s", i, problem, want[i].line, want[i].message)
		}
	}
	if len(problems) < len(want) {
		t.Errorf("%d problems, want %d", len(problems), len(want))
	}
	if text := err.Error(); !strings.HasPrefix(text, "t.yaml:1:7: name") || !strings.HasSuffix(text, "and 9 more problems") {
		t.Errorf("Error() = %s", text)
	}
}

// A strategy that judges pages by their text has a threshold for it.
func TestBodyThreshold(t *testing.T) {
	for _, test := range []struct {
		text string
		want float64
	}{
		{"", 0.02}, {"strategy: semantic", 0}, {"strategy: best-first", 0.02}, {"strategy: breadth-first", 0.02},
		{"strategy: best-first\nthresholds: {body: 0}", 0}, {"strategy: best-first\nthresholds: {body: 0.3}", 0.3},
	} {
		f, err := Parse("t.yaml", []byte("name: x\nwords: [央行]\n"+test.text))
		if err != nil || f.Thresholds.Body != test.want {
			t.Errorf("%q: body threshold %v, %v; want %v", test.text, f.Thresholds.Body, err, test.want)
		}
	}
}

// A strategy that is set later brings its threshold, and takes it away again.
func TestSetStrategy(t *testing.T) {
	f, err := Parse("t.yaml", []byte("name: x\nwords: [央行]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		strategy string
		given    bool
		body     float64
		want     float64
	}{
		{"best-first", false, 0, 0.02},
		{"breadth-first", false, 0.02, 0.02},
		{"semantic", false, 0.02, 0},
		{"best-first", false, 0.3, 0.3}, // calibrated
		{"semantic", false, 0.3, 0.3},
		{"semantic", true, 0.02, 0.02},
		{"best-first", true, 0, 0},
	} {
		f.Given.Body, f.Thresholds.Body = step.given, step.body
		if f.SetStrategy(step.strategy); f.Strategy != step.strategy || f.Thresholds.Body != step.want {
			t.Errorf("%+v: %s, body threshold %v", step, f.Strategy, f.Thresholds.Body)
		}
	}
}

// A crawl keeps the strategy that it was begun with, unless its topic names one.
func TestAs(t *testing.T) {
	const words = "name: x\nwords: [央行]\n"
	read := func(yaml string) *Compiled {
		c, err := Read("t.yaml", []byte(yaml))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	old := read(words)
	old.File.Implied, old.File.Strategy = false, "" // as in an old artifact
	for _, test := range []struct {
		name    string
		topic   *Compiled
		begun   string
		want    string
		body    float64
		implied bool
	}{
		{"named", read(words + "strategy: best-first\n"), "hybrid", "best-first", 0.02, false},
		{"not named", read(words), "hybrid", "hybrid", 0.02, true},
		{"begun by an old program", read(words), "", "semantic", 0, true},
		{"body threshold of the author", read(words + "thresholds: {body: 0.3}\n"), "", "semantic", 0.3, true},
		{"old artifact", old, "hybrid", "", old.File.Thresholds.Body, false},
	} {
		before := *test.topic.File
		f := test.topic.As(test.begun).File
		if f.Strategy != test.want || f.Thresholds.Body != test.body || f.Implied != test.implied {
			t.Errorf("%s: %q, body threshold %v, implied %v", test.name, f.Strategy, f.Thresholds.Body, f.Implied)
		}
		if test.topic.File.Strategy != before.Strategy || test.topic.File.Thresholds != before.Thresholds {
			t.Errorf("%s: the topic has changed", test.name)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	long := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "empty"},
		{"comment only", "# nothing\n", "empty"},
		{"a text", "finance", "as fields"},
		{"a list", "- finance", "as fields"},
		{"no name", "words: [央行]", "name is missing"},
		{"no words", "name: x", "words are missing"},
		{"empty words", "name: x\nwords: []", "words are missing"},
		{"related words alone", "name: x\nrelated: [y1]", "words are missing"},
		{"related word twice", "name: x\nwords: [央行]\nrelated: [央行]", "is repeated"},
		{"too many words in all", "name: x\nwords:\n" + long(maxWords, "- w%d\n") + "related: [y]", "keep at most"},
		{"null words", "name: x\nwords:\n", "must be a list"},
		{"tab", "name: x\nseeds:\n\t- http://a.test/", "a tab; indent with spaces"},
		{"tab in front of a key", "name: x\nwords:\n  -\tsoil: 2", "a tab; indent with spaces"},
		{"tab in front of all", "\tname: x", "a tab; indent with spaces"},
		{"tab behind spaces", "name: x\nscope:\n  mode: host\n \tdeny: [a.test]", "indent with spaces"},
		{"syntax", "name: [x\nwords: y", "not valid YAML"},
		{"two documents", "name: x\n---\nname: y", "second document"},
		{"alias bomb", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "anchors and aliases"},
		{"tag", "name: !!binary eA==", "tags and directives"},
		{"pattern without quotes", "scope: {deny: [*/tag/*]}", `put a text that begins with * in quotes`},
		{"merge", "name: x\n<<: {words: [y]}", "anchors and aliases"},
		{"complex key", "? [a, b]\n: c", "complex keys"},
		{"not UTF-8", "name: \xff", "not UTF-8"},
		{"too large", strings.Repeat("#", maxBytes+1), "larger than"},
		{"deep brackets", strings.Repeat("[", maxBytes), "nested more"},
		{"deep braces", strings.Repeat("{a: ", maxBytes/4), "nested more"},
		{"deep dashes", strings.Repeat("- ", maxBytes/2), "nested more"},
		{"deep keys", strings.Repeat("a: ", maxBytes/3), "nested more"},
		{"deep indentation", func() string {
			var b strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
			}
			return b.String()
		}(), "indented"},
		{"closing brackets first", strings.Repeat("]", 1000) + strings.Repeat("[", 1000), "nested more"},
		{"many fields", long(format.MaxFields+1, "f%d: 1\n"), "more than"},
		{"many tokens", strings.Repeat("-\n", format.MaxTokens+1), "more than"},
		{"many words", "name: x\nwords:\n" + long(maxWords+1, "- w%d\n"), "5001 words, at most 5000"},
		{"many seeds", "name: x\nwords: [y]\nseeds:\n" + long(maxSeeds+1, "- http://h%d/\n"), "5001 seeds, at most 5000"},
		{"lambda above a lower threshold", "name: x\nwords: [y]\nthresholds: {priority: 0.01}", "lambda must be smaller"},
		{"lambda at the threshold", "name: x\nwords: [y]\nweights: {lambda: 0.08}", "lambda must be smaller"},
		{"weight twice", "name: x\nwords: [{y1: 2}]\nadjust: {Y1: 3}", "keep one"},
		{"same word in another script", "name: x\nwords: [銀行, 银行]", "is repeated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, err := Parse("t.yaml", []byte(test.text))
			if err == nil {
				t.Fatalf("Parse = %+v, want an error", file)
			}
			if text := err.Error(); !strings.HasPrefix(text, "t.yaml:") || !strings.Contains(text, test.want) {
				t.Errorf("Parse: %.300s, want it to say %q", text, test.want)
			}
		})
	}
}

// readTopic reads a topic file.
func readTopic(tb testing.TB, path string) *File {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	file, err := Parse(path, data)
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

// The topics we ship load, and hold as many words as we promise.
func TestShippedTopics(t *testing.T) {
	paths, err := filepath.Glob("../../topics/*.yaml")
	if err != nil || len(paths) < 3 {
		t.Fatalf("Glob = %q, %v; want three topics", paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file := readTopic(t, path)
			if file.Name+".yaml" != filepath.Base(path) {
				t.Errorf("name is %q", file.Name)
			}
			if n := len(file.Words); n < 30 || n > 60 {
				t.Errorf("%d words, want 30 to 60", n)
			}
			if len(file.Seeds) == 0 {
				t.Error("no seeds")
			}
		})
	}
}

// The references name every field, and their example is valid.
func TestReference(t *testing.T) {
	for _, name := range []string{"topic-file.md", "topic-file.zh-CN.md"} {
		t.Run(name, func(t *testing.T) { checkReference(t, "../../docs/"+name) })
	}
}

func checkReference(t *testing.T, name string) {
	reference, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(reference), "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	if _, err := Parse("example", []byte(example)); err != nil {
		t.Error(err)
	}
	for _, section := range []string{"x: 1", "scope: {x: 1}", "thresholds: {x: 1}", "weights: {x: 1}", "structure: {x: 1}", "budgets: {x: 1}"} {
		_, err := Parse("t.yaml", []byte(section))
		if err == nil {
			t.Fatalf("%s is accepted", section)
		}
		_, fields, _ := strings.Cut(err.Error(), "the keys are ")
		fields, _, _ = strings.Cut(fields, "\n")
		for _, field := range strings.Split(fields, ", ") {
			if !strings.Contains(string(reference), field+"`") && !strings.Contains(string(reference), "`"+field) {
				t.Errorf("it does not name %q", field)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	shipped, err := os.ReadFile("../../topics/finance.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		string(shipped), "", "name: x\nwords: [央行, {银行: 1.5}]", "a: &a [*a]", "- - - a", "? a\n: b",
		"name: |\n  x\nwords:\n- 'y'\n- \"\\u4e2d\"", "weights: {lambda: .nan}", "{a: [b, {c: d}]}", "%YAML 1.2\n---\nname: x\n...",
		"structure: {form: paper, d: 1e-9}\nbudgets: {max_duration: 1h}", "name: x\nname: y", "\t", "a: >-\n\n  b",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("f.yaml", data)
		if err != nil {
			if file != nil || !strings.HasPrefix(err.Error(), "f.yaml:") {
				t.Fatalf("Parse = %v, %v", file, err)
			}
			return
		}
		if err := file.Validate(); err != nil {
			t.Fatalf("Parse accepted %q: %v", data, err)
		}
	})
}
