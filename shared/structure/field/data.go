package field

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// property is a value that the page gives to programs, by its path: "offers.price".
type property struct{ path, value string }

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
	flatten(value, "", 0, &found)
	return found
}

func flatten(value any, path string, level int, found *[]property) {
	if len(*found) >= maxData || level > maxLevel {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		if path == "" && frame[typeOf(value)] {
			return
		}
		if graph, ok := value["@graph"]; ok && path == "" {
			flatten(graph, "", level+1, found)
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if strings.HasPrefix(key, "@") {
				continue
			}
			below := key
			if path != "" {
				below = path + "." + key
			}
			flatten(value[key], below, level+1, found)
		}
	case []any:
		for _, item := range value {
			flatten(item, path, level+1, found)
		}
	case string:
		*found = append(*found, property{path, fold(value)})
	case float64:
		*found = append(*found, property{path, strconv.FormatFloat(value, 'f', -1, 64)})
	}
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
