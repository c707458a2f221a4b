package template

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"sluice/shared/schema"
)

const (
	maxFields = 200
	maxWords  = 500 // of a field, and as many labels and properties
)

var (
	name   = regexp.MustCompile(`^[a-z0-9]+([-_][a-z0-9]+)*$`)
	listOf = regexp.MustCompile(`^[a-z][a-z0-9]*(/[a-z][a-z0-9]*)*$`)
	weight = schema.Bounds{Most: 1000}
	format = schema.Format{
		Name: "a template", Holds: "words, not pages", Needs: "name and fields",
		MaxBytes: 256 << 10, MaxFields: 20_000, MaxTokens: 100_000,
	}
)

// Load reads and checks the template file at a path, or the shipped template of
// that name. Its errors are those of Parse and of reading the file.
func Load(path string) (*Template, error) {
	if data, err := shipped.ReadFile("shipped/" + path + ".yaml"); err == nil {
		return Parse(path, data)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open template: %w (or name one that is shipped: %s)", err, strings.Join(Names(), ", "))
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, int64(format.MaxBytes)+1))
	if err != nil {
		return nil, fmt.Errorf("read template: %w", err)
	}
	return Parse(path, data)
}

// Parse checks a template in YAML or, if it begins with a tag, in XML; errors
// call it file. The error is of type schema.Problems and has every problem, each
// with its line and column and what to do.
func Parse(file string, data []byte) (*Template, error) {
	r := &schema.Reader{File: file}
	read := r.YAML
	if bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF"))), []byte("<")) {
		read = func(data []byte, format schema.Format) (schema.Value, bool) { return readXML(r, data, format) }
	}
	root, ok := read(data, format)
	if !ok {
		return nil, r.Problems()
	}
	t := defaults()
	readTemplate(r, t, root)
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return t, nil
}

func readTemplate(r *schema.Reader, t *Template, root schema.Value) {
	r.Object("the template", map[string]schema.Read{
		"name": r.Text(&t.Name, "name", checkName("name")),
		"lists": {From: func(v schema.Value) {
			t.Lists = nil
			r.Texts(&t.Lists, "lists", 50, checkList).From(v)
		}},
		"weights": r.Object("weights", map[string]schema.Read{
			"name": r.Number(&t.Weights.Name, "name", weight), "id": r.Number(&t.Weights.ID, "id", weight),
			"class": r.Number(&t.Weights.Class, "class", weight), "itemprop": r.Number(&t.Weights.ItemProp, "itemprop", weight),
			"other": r.Number(&t.Weights.Other, "other", weight),
		}, nil),
		"fields": {From: func(v schema.Value) { readFields(r, t, v) }},
	}, func(given map[string]bool) {
		for _, key := range []string{"name", "fields"} {
			if !given[key] {
				r.Fail(root.Place(), "%s is missing: a template needs it", key)
			}
		}
	}).From(root)
}

func readFields(r *schema.Reader, t *Template, v schema.Value) {
	fields, ok := r.Fields(v, "fields")
	switch {
	case !ok:
		return
	case len(fields) == 0 || len(fields) > maxFields:
		r.Fail(v.Place(), "%d fields: a template has 1 to %d", len(fields), maxFields)
		return
	}
	for _, entry := range fields {
		if err := checkName("the name of a field")(entry.Key); err != nil {
			r.Fail(entry.Place, "%v", err)
		}
		f := Field{Name: entry.Key, Type: Text}
		readField(r, &f, entry.Value)
		for _, label := range f.Labels {
			f.folded = append(f.folded, Fold(label))
		}
		for _, word := range f.Avoid {
			f.avoid = append(f.avoid, Fold(word))
		}
		f.usual = map[string]bool{}
		for _, value := range f.Values {
			f.usual[Fold(value)] = true
		}
		t.Fields = append(t.Fields, f)
	}
}

func readField(r *schema.Reader, f *Field, v schema.Value) {
	var kind, pattern, form, heading, many string
	r.Object("the field "+schema.Clip(f.Name), map[string]schema.Read{
		"type":       r.Text(&kind, "type", checkType),
		"heading":    r.Text(&heading, "heading", checkTruth("heading")),
		"many":       r.Text(&many, "many", checkTruth("many")),
		"words":      r.List("words", maxWords, nil, func(_ int, v schema.Value) { readWord(r, f, v) }),
		"labels":     r.Texts(&f.Labels, "labels", maxWords, checkLabel),
		"avoid":      r.Texts(&f.Avoid, "avoid", maxWords, checkLabel),
		"values":     r.Texts(&f.Values, "values", maxWords, checkLabel),
		"properties": r.Texts(&f.Properties, "properties", maxWords, checkProperty),
		"form":       r.Text(&form, "form", expression(&f.Form, "form")),
		"pattern":    r.Text(&pattern, "pattern", expression(&f.Pattern, "pattern")),
	}, nil).From(v)
	if kind != "" {
		f.Type = Type(kind)
	}
	f.Heading, f.Many = heading == "true", many == "true"
	if f.Many && (f.Heading || f.Type != Text) {
		r.Fail(v.Place(), "many is for texts that are no heading: remove it or the type and heading of the field %s", schema.Clip(f.Name))
	}
}

// expression compiles a regular expression, in which case doesn't matter.
func expression(to **regexp.Regexp, key string) func(string) error {
	return func(text string) (err error) {
		if *to, err = regexp.Compile("(?i)" + text); err != nil {
			return fmt.Errorf("%s is not a regular expression: %w", key, err)
		}
		return nil
	}
}

// readWord reads "price", or "price: 10" with a weight.
func readWord(r *schema.Reader, f *Field, v schema.Value) {
	word := Word{Weight: defaultWeight}
	if pairs, ok := v.Object(); ok {
		if len(pairs) != 1 {
			r.Fail(v.Place(), "a word with a weight is one line: \"- price: 10\"")
			return
		}
		word.Text = pairs[0].Key
		r.Number(&word.Weight, "the weight of a word", weight).From(pairs[0].Value)
	} else if word.Text, ok = v.Text(); !ok {
		r.Wrong(v, "a word", schema.Text)
		return
	}
	if parts := split(word.Text); len(parts) != 1 {
		r.Fail(v.Place(), "the word %q must be letters without marks or a rise of case, as in an attribute that is taken apart", schema.Clip(word.Text))
		return
	}
	word.Text = strings.ToLower(word.Text)
	if slices.ContainsFunc(f.Words, func(w Word) bool { return w.Text == word.Text }) {
		r.Fail(v.Place(), "the word %q is repeated: keep one", schema.Clip(word.Text))
		return
	}
	f.Words = append(f.Words, word)
}

func checkName(what string) func(string) error {
	return func(text string) error {
		if len(text) > 64 || !name.MatchString(text) {
			return fmt.Errorf("%s is %q: use up to 64 lower-case letters, digits, hyphens and underscores, such as list_price", what, schema.Clip(text))
		}
		return nil
	}
}

func checkList(what, text string) error {
	if len(text) > 100 || !listOf.MatchString(text) {
		return fmt.Errorf("%s is %q: write the elements of a list and its records, such as div/ul/li", what, schema.Clip(text))
	}
	return nil
}

func checkType(text string) error {
	if slices.Contains(Types(), Type(text)) {
		return nil
	}
	var names []string
	for _, t := range Types() {
		names = append(names, string(t))
	}
	return fmt.Errorf("type is %q: use one of %s", schema.Clip(text), strings.Join(names, ", "))
}

func checkTruth(key string) func(string) error {
	return func(text string) error {
		if text == "true" || text == "false" {
			return nil
		}
		return fmt.Errorf("%s is %q: use true or false", key, schema.Clip(text))
	}
}

func checkLabel(what, text string) error {
	if Fold(text) == "" || len(text) > maxLabel {
		return fmt.Errorf("%s is %q: write the text beside the value, up to %d bytes", what, schema.Clip(text), maxLabel)
	}
	return nil
}

func checkProperty(what, text string) error {
	if text == "" || len(text) > 100 || strings.ContainsAny(text, " '\"") {
		return fmt.Errorf("%s is %q: write the name of a property, such as og:title or offers.price", what, schema.Clip(text))
	}
	return nil
}
