package records

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"sluice/shared/state/corpus"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
)

// SchemaFile is the name of the file with the schema of the records beside it.
const SchemaFile = "schema.json"

// FileName is the name of a file of records, from 1.
func FileName(n int) string { return fmt.Sprintf("%05d.jsonl", n) }

// Folder is where the files of a record are: SITE/LAYER.
func Folder(item *corpus.Item) (string, error) {
	name, err := site.FileName(item.Site)
	return path.Join(strings.TrimSuffix(name, path.Ext(name)), item.Layer), err
}

// Schema is the JSON Schema of the lines of records by a template.
func Schema(t *template.Template) []byte {
	type object = map[string]any
	text := object{"type": "string"}
	some := func(properties object) object {
		return object{"type": []string{"object", "null"}, "properties": properties}
	}
	amount := object{"type": []string{"number", "null"}}
	fields := object{}
	for i := range t.Fields {
		f := &t.Fields[i]
		switch f.Type {
		case template.Price:
			fields[f.Name] = some(object{"value": text, "amount": amount, "most": amount, "currency": text})
		case template.Number:
			fields[f.Name] = some(object{"value": text, "amount": amount, "most": amount})
		case template.Date:
			fields[f.Name] = some(object{"value": text, "date": text})
		default:
			fields[f.Name] = object{"type": []string{"string", "null"}}
		}
	}
	whole := object{"type": "integer"}
	properties := object{
		"v": whole, "id": text, "site": text, "layer": text, "template": text, "url": text, "position": whole,
		"fields":     object{"type": "object", "properties": fields, "required": names(t)},
		"source_url": text, "date_fetched": text, "learned": whole,
		"warc": object{"type": "object", "properties": object{"file": text, "offset": whole, "length": whole}},
	}
	data, _ := json.MarshalIndent(object{ // maps, lists and strings
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "records by the template " + t.Name,
		"type": "object", "properties": properties,
	}, "", "  ")
	return append(data, '\n')
}

func names(t *template.Template) []string {
	all := make([]string, len(t.Fields))
	for i := range t.Fields {
		all[i] = t.Fields[i].Name
	}
	return all
}
