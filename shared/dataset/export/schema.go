package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"sluice/shared/state/corpus"
)

// recordType is the type of a row: a struct for both reading the JSON of a
// document and writing Parquet, with the names of the JSON. It is derived from
// corpus.Document's tags, so that a field added there is a column here.
func recordType() (reflect.Type, error) { return columnType(reflect.TypeFor[corpus.Document]()) }

// columnType is the type of a column for a Go type.
func columnType(t reflect.Type) (reflect.Type, error) {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) {
		return shownType(t)
	}
	switch t.Kind() {
	case reflect.String:
		return reflect.TypeFor[string](), nil
	case reflect.Bool:
		return reflect.TypeFor[bool](), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return reflect.TypeFor[int64](), nil
	case reflect.Float32, reflect.Float64:
		return reflect.TypeFor[float64](), nil
	case reflect.Pointer:
		return columnType(t.Elem())
	case reflect.Slice, reflect.Array:
		elem, err := columnType(t.Elem())
		if err != nil {
			return nil, err
		}
		return reflect.SliceOf(elem), nil
	case reflect.Struct:
		return structType(t)
	}
	return nil, fmt.Errorf("%v is not a column type", t)
}

// shownType is for types that write their own JSON: what the zero value shows
// is what they are.
func shownType(t reflect.Type) (reflect.Type, error) {
	shown, err := json.Marshal(reflect.Zero(t).Interface())
	switch {
	case err != nil:
		return nil, fmt.Errorf("%v is not a column type: %w", t, err)
	case shown[0] == '"':
		return reflect.TypeFor[string](), nil
	case strings.ContainsAny(string(shown), ".e") && t.Kind() == reflect.Float64:
		return reflect.TypeFor[float64](), nil
	}
	return nil, fmt.Errorf("%v is not a column type: its JSON is %s", t, shown)
}

func structType(t reflect.Type) (reflect.Type, error) {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		tag, tagged := f.Tag.Lookup("json")
		name, _, _ := strings.Cut(tag, ",")
		if !f.IsExported() || tag == "-" || f.Anonymous && !tagged {
			continue // the fields of an embedded struct are visible themselves
		}
		name = cmp.Or(name, f.Name)
		column, err := columnType(f.Type)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", name, err)
		}
		kind := ""
		if column.Kind() == reflect.Slice {
			kind = ",list"
		}
		fields = append(fields, reflect.StructField{
			Name: f.Name, Type: column,
			Tag: reflect.StructTag(fmt.Sprintf(`json:%q parquet:%q`, name, name+kind)),
		})
	}
	return reflect.StructOf(fields), nil
}
