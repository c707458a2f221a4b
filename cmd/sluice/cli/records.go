package cli

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"
)

// PrintRecords prints how many records each layer of each site has; nothing for nil, of a
// topical crawl.
func PrintRecords(w *bytes.Buffer, n map[string]int) {
	if n == nil {
		return
	}
	fmt.Fprint(w, "\nrecords, by site and layer\n")
	if len(n) == 0 {
		fmt.Fprint(w, "  none: no page has enough of the template's fields\n")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, layer := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(t, "  %s\t%d\t\n", layer, n[layer])
	}
	_ = t.Flush() // to memory
}
