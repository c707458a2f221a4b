package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// checkJSON checks that a file holds one JSON object and nothing else, that
// it has all the keys, and that those given as KEY=VALUE have that value: JSON,
// or a string without its quotes. Dots in KEY lead into objects.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: json FILE KEY[=VALUE]…")
	}
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		ts.Fatalf("%s is no JSON object: %v", args[0], err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		ts.Fatalf("%s has more than one JSON document", args[0])
	}
	for _, want := range args[1:] {
		path, text, valued := strings.Cut(want, "=")
		got, err := lookUp(object, path)
		ts.Check(err)
		if !valued {
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			value = text
		}
		if diff := cmp.Diff(value, got); diff != "" {
			ts.Fatalf("%s of %s (-want +got):\n%s", path, args[0], diff)
		}
	}
}

// lookUp returns the value at a path of keys.
func lookUp(value any, path string) (any, error) {
	for key := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		below, ok := object[key]
		if !ok {
			return nil, fmt.Errorf("there is no %q of %q", key, path)
		}
		value = below
	}
	return value, nil
}
