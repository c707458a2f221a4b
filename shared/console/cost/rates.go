package cost

import (
	_ "embed" // the rates of this version
	"fmt"
	"time"

	"sluice/shared/schema"
)

//go:embed rates.json
var currentRates []byte

// Estimated is the source of rates that are not measured yet.
const Estimated = "estimate"

// maxRate bounds a rate, so that no forecast overflows.
const maxRate = 1e9

// Rates are the usage of this version of the crawler per event.
type Rates struct {
	AsOf   string // year and month
	Source string // Estimated, or the run they were counted in

	memoryGB   float64       // of the crawl function
	busy       time.Duration // a page's time in it, besides waiting for the host
	window     time.Duration // how long an invocation works on a task
	batchHosts int           // host tasks of an invocation, at most
	busyHosts  float64       // share of the hosts with a task under way: some have most of the pages
	taskPages  int           // URLs of a host task
	render     renderRates

	history int // pages that the index of the history has of any crawl, see inHistory

	page, relevant, archived   Usage
	indexed                    Usage // a page in the index of the history
	link                       Usage
	delivery, invocation, host Usage // a delivered host task; a crawl invocation with its follow-up; a new host
	minute                     Usage // of an active stack

	weakPage, weakHost Usage // what weak links cost more, for a page and for a host
}

// renderRates are those of the render function.
type renderRates struct {
	memoryGB   float64
	busy       time.Duration // a page's time in it, besides waiting for the host
	batchHosts int           // host tasks of an invocation
	requests   int           // that a page sends to its host, which put off the next page
}

// CurrentRates returns the rates this program was built with.
func CurrentRates() (*Rates, error) { return readRates(currentRates) }

// readRates reads a table of rates, as strictly as ReadPrices.
func readRates(text []byte) (*Rates, error) {
	var r reader
	var rates Rates
	err := r.file(text, map[string]schema.Read{
		"as_of":          r.month(&rates.AsOf, "as_of"),
		"source":         r.text(&rates.Source, "source"),
		"memory_gb":      r.Number(&rates.memoryGB, "memory_gb", schema.Bounds{Least: 0.125, Most: 10}),
		"busy_seconds":   r.seconds(&rates.busy, "busy_seconds", 0.001),
		"window_seconds": r.seconds(&rates.window, "window_seconds", 1),
		"batch_hosts":    r.Count(&rates.batchHosts, "batch_hosts", 1, 10_000),
		"busy_hosts":     r.Number(&rates.busyHosts, "busy_hosts", schema.Bounds{Least: 0.01, Most: 1}),
		"task_pages":     r.Count(&rates.taskPages, "task_pages", 1, 10_000),
		"render": r.object("render", map[string]schema.Read{
			"memory_gb":    r.Number(&rates.render.memoryGB, "render: memory_gb", schema.Bounds{Least: 0.125, Most: 10}),
			"busy_seconds": r.seconds(&rates.render.busy, "render: busy_seconds", 0.001),
			"batch_hosts":  r.Count(&rates.render.batchHosts, "render: batch_hosts", 1, 10_000),
			"requests":     r.Count(&rates.render.requests, "render: requests", 0, 1000),
		}),
		"page":          r.usage(&rates.page, "page"),
		"relevant_page": r.usage(&rates.relevant, "relevant_page"),
		"history_pages": r.Count(&rates.history, "history_pages", 1, 1_000_000),
		"history_page":  r.usage(&rates.indexed, "history_page"),
		"archived_page": r.usage(&rates.archived, "archived_page"),
		"link":          r.usage(&rates.link, "link"),
		"delivery":      r.usage(&rates.delivery, "delivery"),
		"invocation":    r.usage(&rates.invocation, "invocation"),
		"host":          r.usage(&rates.host, "host"),
		"minute":        r.usage(&rates.minute, "minute"),
		"weak_page":     r.usage(&rates.weakPage, "weak_page"),
		"weak_host":     r.usage(&rates.weakHost, "weak_host"),
	})
	if err != nil {
		return nil, fmt.Errorf("read rates: %w", err)
	}
	return &rates, nil
}

// seconds reads a time up to Lambda's 15 minutes.
func (r *reader) seconds(target *time.Duration, what string, least float64) schema.Read {
	return schema.Read{From: func(v schema.Value) {
		var seconds float64
		r.Number(&seconds, what, schema.Bounds{Least: least, Most: 900}).From(v)
		*target = time.Duration(seconds * float64(time.Second))
	}}
}

// usage reads how much is used of some of the items that have prices.
func (r *reader) usage(target *Usage, what string) schema.Read {
	*target = make(Usage)
	items := make(map[string]schema.Read)
	for _, item := range priced() {
		items[string(item)] = schema.Read{From: func(v schema.Value) {
			var n float64
			r.Number(&n, fmt.Sprintf("%s: %q", what, item), schema.Bounds{Most: maxRate}).From(v)
			(*target)[item] = n
		}}
	}
	return r.Object(what, items, nil)
}
