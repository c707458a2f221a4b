package cost

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/shared/schema"
)

// maxFile bounds a file of prices or rates.
const maxFile = 1 << 20

// reader reads a file of prices or rates.
type reader struct{ schema.Reader }

// file reads the one object that a file is, with exactly the given keys.
func (r *reader) file(text []byte, keys map[string]schema.Read) error {
	if len(text) > maxFile {
		return fmt.Errorf("%d bytes: at most %d belong here", len(text), maxFile)
	}
	v, err := schema.JSON("the file", text)
	if err != nil {
		return err
	}
	if r.object("the file", keys).From(v); len(r.Problems()) > 0 {
		return r.Problems()
	}
	return nil
}

// object reads an object that has exactly the given keys.
func (r *reader) object(what string, keys map[string]schema.Read) schema.Read {
	return schema.Read{From: func(v schema.Value) {
		r.Object(what, keys, func(given map[string]bool) {
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				if !given[key] {
					r.Fail(v.Place(), "%s: key %q is missing", what, key)
				}
			}
		}).From(v)
	}}
}

// text reads a text that is not blank.
func (r *reader) text(target *string, what string) schema.Read {
	return r.Text(target, what, func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New(what + " is blank")
		}
		return nil
	})
}
