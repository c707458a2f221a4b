package schema_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/schema"
)

// document is what the tests read.
type document struct {
	Name  string
	Words []string
	Share float64
	Count int
	Wait  time.Duration
}

func read(t *testing.T, text string) (*document, map[string]bool, schema.Problems) {
	t.Helper()
	v, err := schema.JSON("the file", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d := new(document)
	var given map[string]bool
	r := schema.Reader{File: "f"}
	r.Object("the file", map[string]schema.Read{
		"name": r.Text(&d.Name, "name", nil),
		"words": r.Texts(&d.Words, "words", 3, func(name, text string) error {
			if text == "bad" {
				return errors.New(name + " is bad")
			}
			return nil
		}),
		"share": r.Number(&d.Share, "share", schema.Bounds{Most: 1, Above: true, Unit: "parts"}),
		"count": r.Count(&d.Count, "count", 2, 5),
		"wait":  r.Duration(&d.Wait, "wait", time.Second, time.Hour),
	}, func(keys map[string]bool) { given = keys }).From(v)
	return d, given, r.Problems()
}

func TestRead(t *testing.T) {
	d, given, problems := read(t, ` {"name": "n", "words": ["a", "b", "c"], "share": 1, "count": 2e0, "wait": "1h"} `)
	if problems != nil {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(&document{"n", []string{"a", "b", "c"}, 1, 2, time.Hour}, d); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"name": true, "words": true, "share": true, "count": true, "wait": true}, given); diff != "" {
		t.Errorf("keys given (-want +got):\n%s", diff)
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"7d": 7 * 24 * time.Hour, "1d12h": 36 * time.Hour, "0d": 0, "90s": 90 * time.Second,
		"d": -1, "-1d": -1, "1d-5h": -1, "1d2d": -1, "1.5d": -1, "99999d": -1, "7": -1, "": -1, "1d5": -1,
	} {
		d, err := schema.ParseDuration(text)
		if (err != nil) != (want < 0) || err == nil && d != want {
			t.Errorf("%q is %v, error %v, want %v", text, d, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`[]`, "the file must be a JSON object, not []"},
		{`{"size": 1}`, `unknown key "size" in the file: the keys are count, name, share, wait, words`},
		{`{"name": "a", "name": "b"}`, "name is repeated in the file: keep one"},
		{`{"name": null}`, "name is null: leave it out"},
		{`{"name": 1}`, "name must be a text, not 1"},
		{`{"words": "a"}`, `words must be a list, not "a"`},
		{`{"words": ["a", null]}`, "words[1] is null: leave it out"},
		{`{"words": ["a", "bad"]}`, "words[1] is bad"},
		{`{"words": ["a", "b", "c", "d"]}`, "4 words, at most 3"},
		{`{"share": 0}`, "share must be a number of parts above 0, at most 1, not 0"},
		{`{"share": 1.01}`, "share must be a number of parts above 0, at most 1, not 1.01"},
		{`{"count": 1}`, "count must be a whole number from 2 to 5, not 1"},
		{`{"count": 6}`, "count must be a whole number from 2 to 5, not 6"},
		{`{"count": 2.5}`, "count must be a whole number from 2 to 5, not 2.5"},
		{`{"wait": "999ms"}`, `wait must be a time with its unit, from 1s to 1h0m0s, such as 90s, 2h30m or 7d, not "999ms"`},
		{`{"wait": "3601s"}`, `wait must be a time with its unit, from 1s to 1h0m0s, such as 90s, 2h30m or 7d, not "3601s"`},
		{`{"wait": 1}`, `wait must be a time with its unit, from 1s to 1h0m0s, such as 90s, 2h30m or 7d, not 1`},
	} {
		if _, _, problems := read(t, test.text); len(problems) != 1 || problems.Error() != "f: "+test.want {
			t.Errorf("%s: %v, want %q", test.text, problems, test.want)
		}
	}
}

// A text that is not JSON is refused with its place.
func TestJSON(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "line 1, column 1: x is not valid JSON: "},
		{"{\n \"a\": 1,\n}", "line 3, column 1: x is not valid JSON: "},
		{`{"a": 1`, "line 1, column 7: x is not valid JSON: "},
		{"{}\n {", "line 2, column 2: something follows the end of x"},
	} {
		if _, err := schema.JSON("x", []byte(test.text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

func TestProblems(t *testing.T) {
	r := schema.Reader{File: "f"}
	r.Fail(schema.Place{Line: 2, Column: 3}, "second")
	r.Fail(schema.Place{}, "whole")
	for range 20 {
		r.Fail(schema.Place{Line: 2, Column: 1}, "first")
	}
	got := r.Problems().Join("; ")
	if want := "f: whole" + strings.Repeat("; f:2:1: first", 19) + "; and 2 more problems"; got != want {
		t.Errorf("problems: %s, want %s", got, want)
	}
}
