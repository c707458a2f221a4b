package site

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"sluice/shared/schema"
)

// ErrUnknown reports a host that was not analysed.
var ErrUnknown = errors.New("the site was not analysed")

const heading = `# What sluice has found out about a site. Correct what is wrong: what you change, add or
# remove under "layers" stays so when the site is analysed again. Leave the rest alone.
`

// MaxBytes is the size of a file that Parse accepts.
const MaxBytes = 1 << 20

// format refuses what is costly to read before it is read.
var format = schema.Format{
	Name: "the file of a site", Holds: "paths, not pages", Needs: "host and layers",
	MaxBytes: MaxBytes, MaxFields: 20_000, MaxTokens: 200_000,
}

// FileName returns the name of the file of a host, in any case. It fails on what is no
// name of a host.
func FileName(host string) (string, error) {
	if host == "" || strings.ContainsAny(host, `/\`+"\x00") || strings.HasPrefix(host, ".") {
		return "", fmt.Errorf("%q is not a host", host)
	}
	return strings.ToLower(strings.ReplaceAll(host, ":", "_")) + ".yaml", nil
}

// InvalidError reports a file of a site that cannot be used, for people to mend.
type InvalidError struct{ error }

// Unwrap returns what is wrong.
func (e *InvalidError) Unwrap() error { return e.error }

// Parse reads the file of a host. What is wrong with it is an *InvalidError, with the
// lines; name is what they call the file.
func Parse(data []byte, name, host string) (*Site, error) {
	s, err := parse(&schema.Reader{File: name}, data, host)
	if err != nil {
		return nil, &InvalidError{err}
	}
	return s, nil
}

func parse(r *schema.Reader, data []byte, host string) (*Site, error) {
	root, ok := r.YAML(data, format)
	if !ok {
		return nil, r.Problems()
	}
	s := &Site{}
	if err := yaml.UnmarshalWithOptions(data, s, yaml.Strict()); err != nil {
		at, what := schema.Place{}, err.Error()
		if e, ok := errors.AsType[yaml.Error](err); ok {
			what = reason(e)
			if t := e.GetToken(); t != nil {
				at = schema.Place{Line: t.Position.Line, Column: t.Position.Column}
			}
		}
		r.Fail(at, "%s", what)
		return nil, r.Problems()
	}
	places := map[string]schema.Place{}
	note(places, "", root)
	own, err := FileName(s.Host)
	if of, _ := FileName(host); err != nil || own != of {
		r.Fail(places["host"], "host is %.80q in the file of %s", s.Host, host)
	}
	for _, p := range s.problems() {
		r.Fail(places[p.place], "%s: %v", p.place, p.error)
	}
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return s, nil
}

// reason is what is wrong with a value, in the words of the file.
func reason(err yaml.Error) string {
	wrong, ok := errors.AsType[*yaml.TypeError](err)
	if !ok {
		return err.GetMessage()
	}
	want := "an object"
	switch wrong.DstType.Kind() {
	case reflect.Int:
		want = "a whole number"
	case reflect.String:
		want = "a text"
	}
	value := "the value"
	if wrong.Token != nil {
		value = strconv.Quote(schema.Clip(wrong.Token.Value))
	}
	return value + " must be " + want
}

// note notes where the values of an object are, by their paths: layers.list.record.
func note(places map[string]schema.Place, path string, v schema.Value) {
	fields, _ := v.Object()
	for _, f := range fields {
		places[path+f.Key] = f.Place
		if f.Value != nil {
			note(places, path+f.Key+".", f.Value)
		}
	}
}

// Marshal returns the file of a site.
func (s *Site) Marshal() ([]byte, error) {
	data, err := yaml.Marshal(s)
	return append([]byte(heading), data...), err
}
