package cli

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"sluice/shared/crawl/records"
)

// PrintRecords prints how many records each layer of each site has, and which pages have
// none; nothing for nil, of a topical crawl.
func PrintRecords(w *bytes.Buffer, n map[string]int) {
	if n == nil {
		return
	}
	fmt.Fprint(w, "\nrecords, by site and layer\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	none := true
	for _, layer := range slices.Sorted(maps.Keys(n)) {
		if layer != records.TooLarge && layer != records.NotFetched {
			fmt.Fprintf(t, "  %s\t%d\t\n", layer, n[layer])
			none = false
		}
	}
	_ = t.Flush() // to memory
	if none {
		fmt.Fprint(w, "  none: no page has enough of the template's fields\n")
	}
	if pages := n[records.TooLarge]; pages > 0 {
		fmt.Fprintf(w, "  %s too large to have records\n", Count(pages, "page"))
	}
	if pages := n[records.NotFetched]; pages > 0 {
		fmt.Fprintf(w, "  %s of lists without their page: it was not fetched\n", Count(pages, "record"))
	}
}
