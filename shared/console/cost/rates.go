package cost

import (
	_ "embed" // the rates of this version
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

//go:embed rates.json
var currentRates []byte

// Estimated is the source of rates that are not measured yet.
const Estimated = "estimate"

// maxRate bounds a rate, so that no forecast overflows.
const maxRate = 1e9

// Rates are what this version of the crawler uses, per thing that happens.
type Rates struct {
	AsOf   string // year and month
	Source string // Estimated, or the run they were counted in

	memoryGB   float64       // of the crawl function
	busy       time.Duration // a page's time in it, besides waiting for the host
	window     time.Duration // how long an invocation works on a task
	batchHosts int           // host tasks of an invocation
	taskPages  int           // URLs of a host task

	page, relevant, link       Usage
	delivery, invocation, host Usage // a host task delivered; a crawl invocation and what follows from it; a host met
	minute                     Usage // of an active stack
}

// CurrentRates returns the rates this program was built with.
func CurrentRates() (*Rates, error) { return readRates(currentRates) }

// readRates reads a table of rates, as strictly as ReadPrices.
func readRates(text []byte) (*Rates, error) {
	var r reader
	file := r.file(text, "as_of", "source", "memory_gb", "busy_seconds", "window_seconds", "batch_hosts", "task_pages",
		"page", "relevant_page", "link", "delivery", "invocation", "host", "minute")
	rates := &Rates{
		AsOf:       r.month("as_of", file["as_of"]),
		Source:     r.text("source", file["source"]),
		memoryGB:   r.number("memory_gb", file["memory_gb"], 0.125, 10),
		busy:       r.seconds("busy_seconds", file["busy_seconds"], 0.001),
		window:     r.seconds("window_seconds", file["window_seconds"], 1),
		batchHosts: int(r.number("batch_hosts", file["batch_hosts"], 1, 10_000)),
		taskPages:  int(r.number("task_pages", file["task_pages"], 1, 10_000)),
		page:       r.usage("page", file["page"]),
		relevant:   r.usage("relevant_page", file["relevant_page"]),
		link:       r.usage("link", file["link"]),
		delivery:   r.usage("delivery", file["delivery"]),
		invocation: r.usage("invocation", file["invocation"]),
		host:       r.usage("host", file["host"]),
		minute:     r.usage("minute", file["minute"]),
	}
	if err := r.err(); err != nil {
		return nil, fmt.Errorf("read rates: %w", err)
	}
	return rates, nil
}

// seconds reads a time up to Lambda's 15 minutes.
func (r *reader) seconds(place string, raw json.RawMessage, low float64) time.Duration {
	return time.Duration(r.number(place, raw, low, 900) * float64(time.Second))
}

// usage reads how much is used of some of the items that have prices.
func (r *reader) usage(place string, raw json.RawMessage) Usage {
	values := r.object(place, raw)
	usage := make(Usage, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(priced(), Item(key)) {
			r.fail("%s: item %.60q is unknown: the items are %s", place, key, strings.Trim(fmt.Sprint(priced()), "[]"))
			continue
		}
		usage[Item(key)] = r.number(fmt.Sprintf("%s: %q", place, key), values[key], 0, maxRate)
	}
	return usage
}
