package opscmd

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"sluice/cmd/sluice/cli"
	"sluice/shared/dataset/export"
)

// datasetPage is one page about a dataset and where it is.
func datasetPage(w *bytes.Buffer, r *export.Result) {
	fmt.Fprintf(w, "%s: %s, %d characters, in %s of %.1f MB\n", r.Out, cli.Count(r.Records, "record"), r.Characters, cli.Count(len(r.Shards), "shard"), float64(r.Bytes)/1e6)
	if r.Unchanged {
		fmt.Fprintln(w, "it was there already: neither folders nor options have changed")
	}
	if r.State == export.StateRunning {
		fmt.Fprintln(w, "the crawl is running, or was killed: this is what is done so far")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", cli.Clean(n))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range []struct {
		n    int64
		what string
	}{
		{r.Left.NotDone, "left out: the ledger points at another record, or at none"},
		{r.Missing, "missing: the ledger points at them, and they are not there"},
		{r.Left.Again, "left out: come earlier in the folder"},
		{r.Left.Elsewhere, "left out: are in a folder named before"},
		{r.Left.Relevance, "left out: less relevant"},
		{r.Left.Duplicates, "left out: repeat another document"},
		{r.Left.NoText, "left out: no text"},
		{r.Left.Torn, "left out: half lines"},
		{r.Repeats, "repeat another document, and say so"},
		{r.Indexed, "responses in the index of the archives"},
	} {
		if row.n > 0 {
			fmt.Fprintf(t, "%d\t  %s\n", row.n, row.what)
		}
	}
	_ = t.Flush() // to memory
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, split := range r.Splits {
		fmt.Fprintf(t, "%s\t%s\t%s\n", split.Name, filepath.Join(r.Out, "data", split.Name+"-*"), cli.Count(split.Records, "record"))
	}
	fmt.Fprintf(t, "card\t%s\tsources, counts, dates, parameters\n", filepath.Join(r.Out, export.CardFile))
	fmt.Fprintf(t, "next\tsluice export --check %s\tis it whole?\n", r.Out)
	_ = t.Flush() // to memory
}

// showSteps shows what is being done.
func showSteps(sc *cli.Screen) func(step string, done, all int64) {
	every := cli.PlainEvery
	if sc.Live() {
		every = cli.LiveEvery
	}
	last := time.Now()
	return func(step string, done, all int64) {
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		fields := []string{asciiOnly(step)}
		if all > 0 {
			fields = append(fields, fmt.Sprintf("%d/%d", done, all))
		}
		sc.Show(fields...)
	}
}

// asciiOnly makes names of files fit for the screen.
func asciiOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// byteUnits are those of sizes, the longer names first.
var byteUnits = []struct {
	name string
	size float64
}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}, {"", 1}}

// parseBytes reads a size as people write it: 256MB, 1.5 GiB, 1048576.
func parseBytes(s string) (int64, error) {
	for _, u := range byteUnits {
		digits, ok := cutSuffixFold(strings.TrimSpace(s), u.name)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || !(v >= 0 && v*u.size < 1e18) {
			return 0, fmt.Errorf("%q is not a size", s)
		}
		return int64(v * u.size), nil
	}
	return 0, fmt.Errorf("%q is not a size", s)
}

func cutSuffixFold(s, suffix string) (string, bool) {
	at := len(s) - len(suffix)
	if at < 0 || !strings.EqualFold(s[at:], suffix) {
		return s, false
	}
	return s[:at], true
}
