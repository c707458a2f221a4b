package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// JSON returns the value that a JSON text is. The error says where the text is
// not valid.
func JSON(what string, text []byte) (Value, error) {
	err := json.Unmarshal(text, new(json.RawMessage))
	if err == nil {
		return value(bytes.TrimSpace(text)), nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if dec.Decode(new(json.RawMessage)) == nil {
		rest := bytes.TrimLeft(text[dec.InputOffset():], " \t\r\n")
		return nil, fmt.Errorf("%s: something follows the end of %s", position(text, len(text)-len(rest)), what)
	}
	offset := len(text)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = max(0, int(syntax.Offset)-1)
	}
	return nil, fmt.Errorf("%s: %s is not valid JSON: %w", position(text, offset), what, err)
}

// position returns the line and column of an offset, from 1 and in bytes.
func position(text []byte, offset int) string {
	before := text[:min(offset, len(text))]
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'))
}

// value is valid JSON.
type value []byte

func (value) Place() Place { return Place{} }

func (v value) Null() bool { return string(v) == "null" }

func (v value) Object() (fields []Field, ok bool) {
	if len(v) == 0 || v[0] != '{' {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(v))
	_, err := dec.Token()
	for err == nil && dec.More() {
		var key json.Token
		var raw json.RawMessage
		if key, err = dec.Token(); err == nil {
			err = dec.Decode(&raw)
			name, _ := key.(string) // it is one
			fields = append(fields, Field{Key: name, Value: value(raw)})
		}
	}
	return fields, err == nil
}

func (v value) List() (items []Value, ok bool) {
	var raw []json.RawMessage
	if len(v) == 0 || v[0] != '[' || json.Unmarshal(v, &raw) != nil {
		return nil, false
	}
	for _, item := range raw {
		items = append(items, value(item))
	}
	return items, true
}

func (v value) Text() (text string, ok bool) {
	ok = len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &text) == nil
	return text, ok
}

func (v value) Number() (n float64, ok bool) {
	ok = !v.Null() && json.Unmarshal(v, &n) == nil
	return n, ok
}

func (v value) Source() string { return string(v) }

func (v value) Must(kind Kind) string {
	return [...]string{Object: "a JSON object", List: "a list", Text: "a text"}[kind] + not(v)
}
