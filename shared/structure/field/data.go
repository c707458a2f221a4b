package field

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/shared/structure/template"
)

// property is a value that the page gives to programs, by its path: "offers.price".
type property struct {
	path, value string
	thing       int // that it is of: they have rising numbers
}

const (
	maxData  = 500 // properties of a page
	maxLevel = 6   // of a path
)

// readJSON lists the values in JSON-LD. The path of a value begins below the thing that it
// describes, so that the things of a page, of all types, share one level.
func readJSON(text string) []property {
	var value any
	if json.Unmarshal([]byte(strings.TrimSpace(text)), &value) != nil {
		return nil
	}
	var found []property
	flatten(value, property{}, 0, &found)
	return found
}

func flatten(value any, at property, level int, found *[]property) {
	if len(*found) >= maxData || level > maxLevel {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		if at.path == "" {
			if frame[typeOf(value)] {
				return
			}
			at.thing = len(*found)
		}
		if graph, ok := value["@graph"]; ok && at.path == "" {
			flatten(graph, at, level+1, found)
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if strings.HasPrefix(key, "@") {
				continue
			}
			below := at
			if below.path = key; at.path != "" {
				below.path = at.path + "." + key
			}
			flatten(value[key], below, level+1, found)
		}
	case []any:
		for _, item := range value {
			flatten(item, at, level+1, found)
		}
	case string:
		at.value = fold(value)
		*found = append(*found, at)
	case float64:
		at.value = strconv.FormatFloat(value, 'f', -1, 64)
		*found = append(*found, at)
	}
}

// valuesOf are the values of a property, in any case; for a field with many entries those
// of the first thing that has it, as one text.
func valuesOf(f *template.Field, data []property, name string) []string {
	var found []string
	thing := -1
	for _, p := range data {
		if !strings.EqualFold(p.path, name) {
			continue
		}
		if thing < 0 {
			thing = p.thing
		}
		if !f.Many || p.thing == thing {
			found = append(found, p.value)
		}
	}
	if f.Many && len(found) > 1 {
		return []string{strings.Join(found, "\n")}
	}
	return found
}

// frame are the types of things that are around what a page is about.
var frame = map[string]bool{
	"Organization": true, "NewsMediaOrganization": true, "Corporation": true, "OnlineStore": true, "WebSite": true, "WebPage": true,
	"CollectionPage": true, "ItemPage": true, "BreadcrumbList": true, "ListItem": true, "Person": true, "ImageObject": true, "SearchAction": true,
	"SiteNavigationElement": true,
}

// typeOf is the type of a thing, "" for none or several.
func typeOf(thing map[string]any) string {
	name, _ := thing["@type"].(string)
	return name
}
