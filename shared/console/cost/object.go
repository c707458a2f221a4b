package cost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxFile bounds a file of prices or rates.
const maxFile = 1 << 20

// object is a JSON object, key by key.
type object map[string]json.RawMessage

// reader reads a file strictly. It continues after a problem, to report them
// all; what it could not read is the zero value, and is reported once.
type reader struct{ problems []error }

func (r *reader) fail(format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf(format, args...))
}

func (r *reader) err() error { return errors.Join(r.problems...) }

// file reads the one object that a file is.
func (r *reader) file(text []byte, keys ...string) object {
	if len(text) > maxFile {
		r.fail("%d bytes: at most %d belong here", len(text), maxFile)
		return nil
	}
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		r.fail("%s: %w", position(text, err), err)
		return nil
	}
	return r.fields("the file", text, keys...)
}

// fields reads an object that has exactly the given keys.
func (r *reader) fields(place string, raw json.RawMessage, keys ...string) object {
	values := r.object(place, raw)
	if values == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(keys, key) {
			r.fail("%s: key %.60q is unknown: the keys are %s", place, key, strings.Join(keys, ", "))
		}
	}
	for _, key := range keys {
		if _, ok := values[key]; !ok {
			r.fail("%s: key %q is missing", place, key)
		}
	}
	return values
}

// object reads an object of any keys, none of them twice.
func (r *reader) object(place string, raw json.RawMessage) object {
	if raw == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		r.fail("%s is %.40s: it must be an object", place, raw)
		return nil
	}
	values := object{}
	for decoder.More() {
		token, err := decoder.Token()
		key, ok := token.(string)
		var value json.RawMessage
		if err = errors.Join(err, decoder.Decode(&value)); err != nil || !ok {
			r.fail("%s: %w", place, err)
			return nil
		}
		if _, twice := values[key]; twice {
			r.fail("%s: key %.60q is there twice", place, key)
		}
		values[key] = value
	}
	return values
}

// text reads a string that is not blank.
func (r *reader) text(place string, raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	var value string
	if err := json.Unmarshal(raw, &value); err != nil || strings.TrimSpace(value) == "" {
		r.fail("%s is %.40s: it must be a text", place, raw)
		return ""
	}
	return value
}

// number reads a number from low to high.
func (r *reader) number(place string, raw json.RawMessage, low, high float64) float64 {
	if raw == nil {
		return 0
	}
	value := low - 1 // null leaves it
	if err := json.Unmarshal(raw, &value); err != nil || value < low || value > high {
		r.fail("%s is %.40s: it must be a number from %g to %g", place, raw, low, high)
		return 0
	}
	return value
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
	return fmt.Sprintf("line %d, column %d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}
