package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
)

const constants = `{"alpha": 0.7, "beta": 0.3, "threshold": 0.6, "a": 0.6, "b": 0.1, "d": 8, "a_path": 0.3}`

func TestURLPairs(t *testing.T) {
	const pairs = "http://a.x.cn/1\thttp://a.x.cn/zzz\n" + // equal hosts contain each other
		"\n" +
		"http://www.ab.cn/xy\thttp://www.ac.cn/xy?q=1\r\n" +
		"one field\n" +
		"http://a.cn/\thttp://b.cn/\thttp://c.cn/\n" +
		"nonsense\thttp://b.cn/\n" +
		"http://q.cn/\thttp://zz.com/"
	var out bytes.Buffer
	err := URLPairs(context.Background(), strings.NewReader(constants), strings.NewReader(pairs), &out)
	if err == nil || !strings.Contains(err.Error(), "line 4: ") || !strings.Contains(err.Error(), "2 more lines") {
		t.Errorf("URLPairs = %v, want the first bad line and the number of others", err)
	}
	// www divided by d, {a,b} against {a,c}, cn, then the equal path
	second := 0.7*(0.6*1/8+0.5*(1.0/3)+0.4*1) + 0.3*(0.3*1)
	// q against z, cn against com, no path
	last := 0.7 * (0.6*0 + 0.5*(1.0/4))
	want := []pairAnswer{
		{Same: true},
		{Same: second > 0.6, Score: &second},
		{Error: "line 4: 1 fields: need two URLs with a tab between them"},
		{Error: "line 5: 3 fields: need two URLs with a tab between them"},
		{Error: `line 6: first URL: "nonsense" is not a URL`},
		{Same: false, Score: &last},
	}
	var got []pairAnswer
	for line := range strings.Lines(out.String()) {
		var answer pairAnswer
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(line, `"score":`) {
			t.Errorf("%s has no score", line)
		}
		got = append(got, answer)
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

func TestURLPairsLimits(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine) + "\nhttp://a.cn/\thttp://a.cn/\n" + strings.Repeat("x", maxLine+1)
	var out bytes.Buffer
	err := URLPairs(context.Background(), strings.NewReader(constants), strings.NewReader(long), &out)
	if err == nil || !strings.Contains(err.Error(), "line 1: longer than") {
		t.Errorf("URLPairs = %v, want a long line", err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || lines[1] != `{"same":true,"score":null}` {
		t.Errorf("answers are %.300q", lines)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := URLPairs(ctx, strings.NewReader(constants), strings.NewReader(long), &out); err == nil {
		t.Error("URLPairs of an ended context = nil")
	}
}

func TestURLPairsParams(t *testing.T) {
	for _, test := range []struct {
		name, params string
		want         []string
	}{
		{"not JSON", "alpha", []string{"line 1, column 1"}},
		{"not an object", "[]", []string{"not a JSON object"}},
		{"empty", "", []string{"unexpected end"}},
		{"cut off", constants[:20], []string{"unexpected end"}},
		{"missing and unknown", `{"alpha": 1, "gamma": 2}`, []string{`"gamma" is unknown`, `"beta" is missing`, `"a_path" is missing`}},
		{"twice", strings.Replace(constants, "{", `{"alpha": 1, `, 1), []string{`"alpha" is there twice`}},
		{"not a number", strings.Replace(constants, "0.7", `"0.7"`, 1), []string{`"alpha" is "0.7": it must be a number`}},
		{"null", strings.Replace(constants, "0.7", "null", 1), []string{`"alpha" is null`}},
		{"NaN", strings.Replace(constants, "0.7", "NaN", 1), []string{"line 1, column 11", "N"}},
		{"too large", strings.Replace(constants, "0.7", "1e999", 1), []string{`"alpha" is 1e999`}},
		{"d is 0", strings.Replace(constants, "8", "0", 1), []string{`"d" is 0`}},
		{"trailing", constants + "{}", []string{"after top-level value"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := URLPairs(context.Background(), strings.NewReader(test.params), strings.NewReader(""), &bytes.Buffer{})
			fixture.Says(t, err, test.want)
		})
	}
}

func TestRelevance(t *testing.T) {
	for _, test := range []struct {
		name, request string
		want          float64
	}{
		{
			"by equation 3", `{"topic": {"央行": 1.5, "股市": 0.5}, "weights": {"银行": 3, "央行": 0.25}, "mean": 0.75,
			"sim": [["银行", "央行", 0.8], ["股市", "央行", 0.1], ["央行", "银行", 1]], "words": ["银行", "央行", "股市", "天气", "银行"]}`,
			(3*1.5*0.8*0.8 + 0.25*1.5 + 0.75*(0.5+1.5*0.1*0.1)) / 4,
		},
		{"a listed pair wins over identity", `{"topic": {"a": 1}, "weights": {}, "mean": 1, "sim": [["a", "a", 0.5]], "words": ["a"]}`, 0.25},
		{"words as given", `{"topic": {"A股": 1}, "weights": {}, "mean": 1, "sim": [], "words": ["a股", "A股"]}`, 0.5},
		{"no words", `{"topic": {"a": 1}, "weights": {}, "mean": 1, "sim": [], "words": []}`, 0},
		{"no weights, no pairs", `{"topic": {"a": 2}, "mean": 0.5, "words": ["a", "b"]}`, 0.5},
		{"no topic", `{"topic": {}, "weights": {}, "mean": 1, "sim": [], "words": ["a"]}`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := Relevance(strings.NewReader(test.request), &out); err != nil {
				t.Fatal(err)
			}
			if got := value(t, out.String(), "relevance"); math.Abs(got-test.want) > 1e-12 {
				t.Errorf("relevance = %v, want %v", got, test.want)
			}
		})
	}
}

func TestRelevanceRefuses(t *testing.T) {
	const frame = `{"topic": {"a": 1}, "weights": {"b": 1}, "mean": 1, "sim": [["a", "b", 1]], "words": ["a"]}`
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"missing key", `"mean": 1, `, "", []string{`"mean" is missing`}},
		{"null weight", `{"a": 1}`, `{"a": null}`, []string{`weight of "a" in "topic" is null`}},
		{"text for a weight", `{"b": 1}`, `{"b": "1"}`, []string{`weight of "b" in "weights" is "1"`}},
		{"weights are a list", `{"b": 1}`, `[]`, []string{`"weights" is []`}},
		{"pair too short", `["a", "b", 1]`, `["a", "b"]`, []string{`element 1 of "sim" has 2 parts`}},
		{"pair with null", `["a", "b", 1]`, `["a", null, null]`, []string{"part 2 of element 1", "part 3 of element 1"}},
		{"contradiction", `["a", "b", 1]`, `["a", "b", 1], ["a", "b", 2]`, []string{"element 2", "contradicts"}},
		{"null word", `["a"]`, `["a", null]`, []string{`element 2 of "words" is null`}},
		{"null words", `"words": ["a"]`, `"words": null`, []string{`"words" is null`}},
		{"overflow", `{"a": 1}, "weights": {"b": 1}, "mean": 1`, `{"a": 1e308}, "weights": {}, "mean": 1e308`, []string{"too large"}},
		{"several at once", `"mean": 1, "sim": [["a", "b", 1]]`, `"mean": "x", "sim": 5`, []string{`"mean" is "x"`, `"sim" is 5`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			request := strings.Replace(frame, test.old, test.new, 1)
			if request == frame {
				t.Fatalf("%q is not in the frame", test.old)
			}
			var out bytes.Buffer
			fixture.Says(t, Relevance(strings.NewReader(request), &out), test.want)
			if out.Len() > 0 {
				t.Errorf("wrote %s besides the error", out.String())
			}
		})
	}
}

func TestPriority(t *testing.T) {
	const frame = `{"description": 0.3, "anchor": 0.2, "structure": 1, "alpha": 0.5, "beta": 0.25, "lambda": 0.1}`
	for _, test := range []struct {
		name, old, new string
		want           float64
		said           []string // of the error; none: no error
	}{
		{"vote", "", "", 0.5*0.3 + 0.25*0.2 + 0.1, nil},
		{"no vote", `"structure": 1`, `"structure": 0`, 0.5*0.3 + 0.25*0.2, nil},
		{"half a vote", `"structure": 1`, `"structure": 0.5`, 0, []string{"must be 0 or 1"}},
		{"vote is true", `"structure": 1`, `"structure": true`, 0, []string{`"structure" is true: it must be a number`}},
		{"missing", `"anchor": 0.2, `, ``, 0, []string{`"anchor" is missing`}},
		{"overflow", `0.3, "anchor": 0.2, "structure": 1, "alpha": 0.5`, `1e300, "anchor": 0.2, "structure": 1, "alpha": 1e300`, 0, []string{"too large"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			err := Priority(strings.NewReader(strings.Replace(frame, test.old, test.new, 1)), &out)
			if test.said != nil {
				fixture.Says(t, err, test.said)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := value(t, out.String(), "priority"); math.Abs(got-test.want) > 1e-15 {
				t.Errorf("priority = %v, want %v", got, test.want)
			}
		})
	}
}

// value reads the only number of an answer back, which must be exact.
func value(t *testing.T, answer, key string) float64 {
	t.Helper()
	text, ok := strings.CutPrefix(strings.TrimSpace(answer), `{"`+key+`":`)
	got, err := strconv.ParseFloat(strings.TrimSuffix(text, "}"), 64)
	if !ok || err != nil {
		t.Fatalf("answer is %q", answer)
	}
	return got
}
