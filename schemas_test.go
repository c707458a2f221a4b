package sluice_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"

	"sluice/shared/console"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
)

// The schemas of docs/schemas are those of the code that reads and writes the
// documents, with the words of its comments and of the tables of the documents.
// `go test . -update` writes them.
func TestSchemasAreCurrent(t *testing.T) {
	want := map[string]*jsonschema.Schema{
		"topic":   read(t, topic.FileSchema(), "docs/topic-file.md"),
		"message": read(t, job.MessageSchema(), "docs/deploy.md"),
		"record":  written[corpus.Document](t),
		"reject":  written[corpus.Reject](t),
		"summary": written[console.Summary](t),
	}
	for name, s := range want {
		s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", "sluice: "+name
		if _, err := s.CloneSchemas().Resolve(nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("docs", "schemas", name+".json")
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Error(err)
			}
		} else if readFile(t, file) != b.String() {
			t.Errorf("%s is stale: run go test . -update", file)
		}
	}
}

var (
	row   = regexp.MustCompile("(?m)^\\| (`[a-zA-Z_.`, ]+`) \\| (.*?) \\|")
	link  = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)
	aside = regexp.MustCompile("`|[:,] see (below|strategy)|^set by [A-Za-z.]+(: |$)")
)

// read describes the keys of what is read by a table of a document, and limits by
// their own words.
func read(t *testing.T, s *jsonschema.Schema, document string) *jsonschema.Schema {
	t.Helper()
	meanings := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(readFile(t, document), -1) {
		section := ""
		for _, key := range strings.Split(strings.ReplaceAll(m[1], "`", ""), ", ") {
			if before, _, ok := strings.Cut(key, "."); ok {
				section = before + "."
			} else {
				key = section + key
			}
			meanings[key] = aside.ReplaceAllString(link.ReplaceAllString(m[2], "$1"), "")
		}
	}
	for _, p := range limits.Parameters() {
		words := strings.ReplaceAll(p.Usage, "`", "")
		if p.Range != "" {
			words += " (" + p.Range + ")"
		}
		meanings[p.Section+"."+p.Key], meanings[p.Key] = words, words
	}
	describe(t, s, "", meanings)
	return s
}

func describe(t *testing.T, s *jsonschema.Schema, section string, meanings map[string]string) {
	t.Helper()
	for key, property := range s.Properties {
		meaning, known := meanings[section+key]
		switch {
		case known:
			property.Description = meaning
		case property.Deprecated:
			property.Description = "read, but it changes nothing any more"
		case section == "quality.":
			property.Description = meanings["quality.RULE"]
		case property.Properties == nil:
			t.Errorf("no table has the key %s%s", section, key)
		}
		describe(t, property, key+".", meanings)
	}
}

// written is the schema of a document that is written, described by the comments of
// its type. It may get more keys.
func written[T any](t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[corpus.Real](): {Type: "number"},
		reflect.TypeFor[corpus.Date](): {Type: "string"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	comment(t, s, reflect.TypeFor[T](), comments(t))
	return s
}

// comment describes the properties of a type and of the types within it.
func comment(t *testing.T, s *jsonschema.Schema, typ reflect.Type, words map[string]string) {
	t.Helper()
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
		if typ.Kind() == reflect.Slice {
			s = s.Items
		} else if typ.Kind() == reflect.Map {
			s = s.AdditionalProperties
		}
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || s.Properties == nil {
		return
	}
	s.AdditionalProperties = nil
	for _, field := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil {
			continue
		}
		if i := slices.Index(property.Types, "null"); i >= 0 { // it is left out, or empty
			property.Types, property.Type = nil, property.Types[1-i]
		}
		owner := typ
		for _, i := range field.Index[:len(field.Index)-1] {
			if owner = owner.Field(i).Type; owner.Kind() == reflect.Pointer {
				owner = owner.Elem()
			}
		}
		property.Description = aside.ReplaceAllString(words[owner.PkgPath()+"."+owner.Name()+"."+field.Name], "")
		comment(t, property, field.Type, words)
	}
}

// comments returns the comments of the fields of all types, as in
// sluice/shared/state/corpus.Document.URL.
func comments(t *testing.T) map[string]string {
	t.Helper()
	words := map[string]string{}
	err := filepath.WalkDir("shared", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if typ, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range typ.Fields.List {
					text := strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
					for _, name := range field.Names {
						words[path.Join("sluice", filepath.ToSlash(filepath.Dir(file)))+"."+spec.Name.Name+"."+name.Name] = text
					}
				}
			}
			return false
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// holds reports how a document in JSON breaks a schema of docs/schemas.
func holds(t *testing.T, name string, text []byte) error {
	t.Helper()
	var s jsonschema.Schema
	var value any
	err := errors.Join(json.Unmarshal([]byte(readFile(t, filepath.Join("docs", "schemas", name+".json"))), &s), json.Unmarshal(text, &value))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved.Validate(value)
}

// Every shipped topic holds to its schema, and names it for editors.
func TestTopicsHoldToTheirSchema(t *testing.T) {
	topics, err := filepath.Glob("topics/*.yaml")
	if err != nil || len(topics) < 3 {
		t.Fatalf("topics: %q, %v", topics, err)
	}
	for _, name := range topics {
		text := readFile(t, name)
		if line := "# yaml-language-server: $schema=../docs/schemas/topic.json\n"; !strings.HasPrefix(text, line) {
			t.Errorf("%s does not begin with %q", name, line)
		}
		if err := holds(t, "topic", asJSON(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func asJSON(t *testing.T, text string) []byte {
	t.Helper()
	b, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return b
}

// The schemas and the readers agree on what a topic file is, and a start message.
func TestSchemasAgreeWithReaders(t *testing.T) {
	const named = "name: a\nwords: [x]\n"
	for text, want := range map[string]bool{
		named:                            true,
		"name: a\ntemplate: shop":        true,
		"name: a\nwords: [x: 1.5, 2024]": true,
		named + "quality: {quality_urls: on, quality_digits: 0.5}": true,
		named + "budgets: {max_pages: 5, max_duration: 2h}":        true,
		"name: a":                             false,
		"words: [x]":                          false,
		named + "word: [y]":                   false,
		"name: a\nwords: x":                   false,
		"name: a\nwords: [x: 0]":              false,
		named + "thresholds: {body: -1}":      false,
		named + "budgets: {max_duration: 90}": false,
		named + "budgets: {max_pages: 0}":     false,
		named + "budgets: {pages: 1}":         false,
		named + "strategy: worst-first":       false,
		named + "archive: some":               false,
		named + "scope: {mode: world}":        false,
		named + "structure: {form: tree}":     false,
	} {
		_, problems := topic.Parse("a.yaml", []byte(text))
		err := holds(t, "topic", asJSON(t, text))
		if (problems == nil) != want || (err == nil) != want {
			t.Errorf("%s: read with %v, by the schema %v; want it right: %t", text, problems, err, want)
		}
	}
	for text, want := range map[string]bool{
		`{"v": 1, "crawl": "a", "topic": "topics/a.topic"}`:                                           true,
		`{"v": 1, "crawl": "a", "seeds": ["http://a.test/"]}`:                                         true,
		`{"v": 1, "crawl": "a", "topic": "topics/a.topic", "delay": "1s", "scope": {"deny": ["/x"]}}`: true,
		`{"v": 2, "crawl": "a", "topic": "topics/a.topic"}`:                                           false,
		`{"v": 1, "topic": "topics/a.topic"}`:                                                         false,
		`{"v": 1, "crawl": "a"}`:                                                                      false,
		`{"v": 1, "crawl": "a", "seeds": []}`:                                                         false,
		`{"v": 1, "crawl": "a", "seeds": ["http://a.test/"], "delay": "1s"}`:                          false,
		`{"v": 1, "crawl": "a", "topic": "topics/a.topic", "delay": "soon"}`:                          false,
		`{"v": 1, "crawl": "a", "topic": "topics/a.topic", "max_cost": 0}`:                            false,
		`{"v": 1, "crawl": "a", "topic": "topics/a.topic", "random_seed": -1}`:                        false,
		`{"v": 1, "crawl": "a", "topic": "topics/a.topic", "pages": 5}`:                               false,
	} {
		_, problem := job.ParseMessage([]byte(text))
		if err := holds(t, "message", []byte(text)); (problem == nil) != want || (err == nil) != want {
			t.Errorf("%s: read with %v, by the schema %v; want it right: %t", text, problem, err, want)
		}
	}
}
