// Package tables makes CSV and Parquet tables of the records of a structured crawl, one
// for each layer of each site.
package tables

import (
	"encoding/json"
	"fmt"
	"slices"

	"sluice/shared/state/corpus"
)

// kind is what a column holds.
type kind int

const (
	asText kind = iota
	asReal
	asWhole
)

// column is a column of a table. Its values are string, float64, int64 or, where a
// record has none, nil.
type column struct {
	name string
	kind kind
	of   func(r *row) any
}

// row is a record as its line has it.
type row struct {
	Site        string                     `json:"site"`
	Layer       string                     `json:"layer"`
	URL         string                     `json:"url"`
	Position    int64                      `json:"position"`
	Fields      map[string]json.RawMessage `json:"fields"`
	SourceURL   string                     `json:"source_url"`
	DateFetched string                     `json:"date_fetched"`
	WARC        corpus.Location            `json:"warc"`

	values map[string]map[string]any // of the fields, by part; "" is a text as a whole
}

// schema is what the tables need of a schema.json.
type schema struct {
	Properties struct {
		Fields struct {
			Required   []string `json:"required"` // all, in the order of the template
			Properties map[string]struct {
				Properties map[string]any `json:"properties"`
			} `json:"properties"`
		} `json:"fields"`
	} `json:"properties"`
}

// Columns that say where a record is from stand before the fields, and behind them.
var (
	before = []column{
		{"record_url", asText, func(r *row) any { return r.URL }},
		{"record_position", asWhole, func(r *row) any { return r.Position }},
	}
	behind = []column{
		{"source_url", asText, func(r *row) any { return r.SourceURL }},
		{"date_fetched", asText, func(r *row) any { return r.DateFetched }},
		{"warc_file", asText, func(r *row) any { return r.WARC.File }},
		{"warc_offset", asWhole, func(r *row) any { return r.WARC.Offset }},
		{"warc_length", asWhole, func(r *row) any { return r.WARC.Length }},
	}
)

// columns returns those of a table. A field of several parts has a column for each; one
// that is called as a column before it, or as one that says where a record is from, has
// "_" added to its name.
func columns(data []byte) ([]column, error) {
	var s schema
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	var all []column
	for _, name := range s.Properties.Fields.Required {
		parts := s.Properties.Fields.Properties[name].Properties
		if parts == nil {
			all = append(all, fieldColumn(name, name, "", asText))
			continue
		}
		all = append(all, fieldColumn(name, name, "value", asText))
		for _, part := range []struct {
			name string
			kind kind
		}{{"amount", asReal}, {"most", asReal}, {"currency", asText}, {"date", asText}} {
			if _, has := parts[part.name]; has {
				all = append(all, fieldColumn(name+"_"+part.name, name, part.name, part.kind))
			}
		}
	}
	seen := map[string]bool{}
	for _, c := range slices.Concat(before, behind) {
		seen[c.name] = true
	}
	for i := range all {
		for seen[all[i].name] {
			all[i].name += "_"
		}
		seen[all[i].name] = true
	}
	return slices.Concat(before, all, behind), nil
}

func fieldColumn(name, field, part string, k kind) column {
	return column{name, k, func(r *row) any { return r.values[field][part] }}
}

// parse reads the line of a record.
func parse(line []byte) (*row, error) {
	r := &row{values: map[string]map[string]any{}}
	if err := json.Unmarshal(line, r); err != nil {
		return nil, fmt.Errorf("not a record: %w", err)
	}
	for name, raw := range r.Fields {
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return nil, fmt.Errorf("field %s: %w", name, err)
		}
		switch v := value.(type) {
		case string:
			r.values[name] = map[string]any{"": v}
		case map[string]any:
			r.values[name] = v
		}
	}
	return r, nil
}
