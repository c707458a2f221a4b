// Package eval computes single formulas of the method on request, so that they
// can be checked from outside with "sluice eval …". It uses the code of crawls.
package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// maxRequest bounds a JSON request: 64 MiB hold some million pairs of words.
const maxRequest = 64 << 20

// request is a JSON object, key by key.
type request map[string]json.RawMessage

// readRequest reads one JSON object that has exactly the given keys, in any
// order; keys with a default may be left out. The error gives line and column
// of invalid JSON, and every missing, unknown or repeated key.
func readRequest(in io.Reader, defaults request, keys ...string) (request, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxRequest+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxRequest {
		return nil, fmt.Errorf("request is larger than %d bytes", maxRequest)
	}
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		return nil, fmt.Errorf("%s: %w", position(text, err), err)
	}
	if text = bytes.TrimSpace(text); text[0] != '{' {
		return nil, errors.New("request is not a JSON object")
	}
	return readKeys(json.NewDecoder(bytes.NewReader(text)), defaults, keys)
}

// readKeys takes a valid object apart.
func readKeys(decoder *json.Decoder, defaults request, keys []string) (request, error) {
	values := make(request, len(keys))
	var problems []error
	if _, err := decoder.Token(); err != nil { // the brace
		return nil, err
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string) // keys of an object are strings
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		switch _, known := values[key]; {
		case !slices.Contains(keys, key):
			problems = append(problems, fmt.Errorf("key %.40q is unknown: the keys are %s", key, strings.Join(keys, ", ")))
		case known:
			problems = append(problems, fmt.Errorf("key %q is there twice", key))
		default:
			values[key] = value
		}
	}
	for _, key := range keys {
		if _, ok := values[key]; ok {
			continue
		}
		if value, ok := defaults[key]; ok {
			values[key] = value
		} else {
			problems = append(problems, fmt.Errorf("key %q is missing", key))
		}
	}
	return values, errors.Join(problems...)
}

// position returns the line and column of a syntax error, counted from 1 and in
// bytes.
func position(text []byte, err error) string {
	offset := int64(len(text))
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = max(0, syntax.Offset-1)
	}
	before := text[:min(offset, int64(len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, column %d", line, column)
}

// number returns the value of a key that holds a number.
func (r request) number(key string) (float64, error) {
	return decode[float64](r[key], fmt.Sprintf("key %q", key), "a number")
}

// weights returns the value of a key that holds a number for each word.
func (r request) weights(key string) (map[string]float64, error) {
	values, err := decode[request](r[key], fmt.Sprintf("key %q", key), "an object of words and their weights")
	if err != nil {
		return nil, err
	}
	weights := make(map[string]float64, len(values))
	for _, word := range slices.Sorted(maps.Keys(values)) {
		weights[word], err = decode[float64](values[word], fmt.Sprintf("weight of %q in %q", word, key), "a number")
		if err != nil {
			return nil, err
		}
	}
	return weights, nil
}

// decode reads a value of one kind; null is a value of no kind.
func decode[T any](raw json.RawMessage, what, kind string) (T, error) {
	var value T
	if bytes.Equal(raw, []byte("null")) {
		return value, fmt.Errorf("%s is null: it must be %s", what, kind)
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return value, fmt.Errorf("%s is %.40s: it must be %s", what, raw, kind)
	}
	return value, nil
}

// answer writes one line of JSON.
func answer(out io.Writer, value any) error {
	return json.NewEncoder(out).Encode(value)
}
