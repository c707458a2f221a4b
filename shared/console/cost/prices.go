package cost

import (
	_ "embed" // the public prices
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

//go:embed prices.json
var publicPrices []byte

// ReferenceRegion is the region whose prices the public list always has.
const ReferenceRegion = "us-east-1"

// Bounds of a price, so that no bill overflows.
const (
	maxPrice = 1e6
	maxPer   = 1e15
)

// Price is what an amount of an item costs.
type Price struct {
	Price   float64 // in the region's currency, for Per units
	Per     float64
	Unit    string // what is counted, in words
	Source  string // where the figure is published
	Checked string // how it was verified
}

// Prices are the prices of one region: list prices beyond the free tier, in the
// first tier of volume.
type Prices struct {
	AsOf     string // year and month
	Region   string
	Currency string // three letters
	Items    map[Item]Price
}

// List is a file of prices.
type List struct {
	AsOf    string // year and month
	regions map[string]*Prices
}

// PublicPrices returns the list this program was built with.
func PublicPrices() (*List, error) { return ReadPrices(publicPrices) }

// ReferencePrices returns the prices of ReferenceRegion.
func ReferencePrices() (*Prices, error) {
	list, err := PublicPrices()
	if err != nil {
		return nil, err
	}
	return list.Region(ReferenceRegion)
}

// ReadPrices reads a list of prices as JSON:
//
//	{"as_of": "2026-11", "regions": {"us-east-1": {"currency": "USD", "prices": {
//	  "sqs.requests": {"price": 0.4, "per": 1000000, "unit": "…", "source": "…", "checked": "…"}, …}}}}
//
// Every region has a price for every item, 0 for what is free. The error tells
// all that is wrong: unknown and missing keys, keys there twice, numbers out of
// range, figures without a source.
func ReadPrices(text []byte) (*List, error) {
	var r reader
	list := r.list(text)
	if err := r.err(); err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	return list, nil
}

func (r *reader) list(text []byte) *List {
	file := r.file(text, "as_of", "regions")
	list := &List{AsOf: r.month("as_of", file["as_of"]), regions: map[string]*Prices{}}
	regions := r.object("regions", file["regions"])
	if file["regions"] != nil && len(regions) == 0 {
		r.fail("regions has no region")
	}
	for _, name := range slices.Sorted(maps.Keys(regions)) {
		prices := r.region(fmt.Sprintf("region %q", name), regions[name])
		prices.AsOf, prices.Region = list.AsOf, name
		list.regions[name] = prices
	}
	return list
}

func (r *reader) region(place string, raw json.RawMessage) *Prices {
	fields := r.fields(place, raw, "currency", "prices")
	prices := &Prices{Currency: r.text(place+": currency", fields["currency"]), Items: map[Item]Price{}}
	if c := prices.Currency; c != "" && (len(c) != 3 || strings.Trim(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		r.fail("%s: currency is %.40q: it must be three capital letters", place, c)
	}
	var keys []string
	for _, item := range priced() {
		keys = append(keys, string(item))
	}
	items := r.fields(place+": prices", fields["prices"], keys...)
	for _, key := range keys {
		prices.Items[Item(key)] = r.price(fmt.Sprintf("%s: price %q", place, key), items[key])
	}
	return prices
}

func (r *reader) price(place string, raw json.RawMessage) Price {
	fields := r.fields(place, raw, "price", "per", "unit", "source", "checked")
	return Price{
		Price:   r.number(place+": price", fields["price"], 0, maxPrice),
		Per:     r.number(place+": per", fields["per"], 1, maxPer),
		Unit:    r.text(place+": unit", fields["unit"]),
		Source:  r.text(place+": source", fields["source"]),
		Checked: r.text(place+": checked", fields["checked"]),
	}
}

// month reads a year and month.
func (r *reader) month(place string, raw json.RawMessage) string {
	value := r.text(place, raw)
	if _, err := time.Parse("2006-01", value); value != "" && err != nil {
		r.fail("%s is %.40q: it must be a year and month as in 2026-11", place, value)
	}
	return value
}

// Regions returns the names of the regions with prices, sorted.
func (l *List) Regions() []string { return slices.Sorted(maps.Keys(l.regions)) }

// Region returns the prices of a region. Prices differ between regions: one that
// the list does not have is an error, never a guess.
func (l *List) Region(name string) (*Prices, error) {
	if prices, ok := l.regions[name]; ok {
		return prices, nil
	}
	return nil, fmt.Errorf("find prices: none of region %.60q in the list of %s: it has %s",
		name, l.AsOf, strings.Join(l.Regions(), ", "))
}
